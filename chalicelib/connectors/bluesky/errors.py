"""What Bluesky's servers say no with, in our words: docs.bsky.app, atproto.com/specs/xrpc.

An answer is `{"error": name, "message": text}`. A refused record is always `InvalidRequest`; the
only thing that tells its fields apart is the path that the lexicon's validator puts into the text.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

_UNREAD = ErrorEntry(
    FailureCode.PLATFORM_UNAVAILABLE,
    "The account's server could not read who this service is. Its operator must make the"
    " address in GOLDENHOUR_PUBLIC_URL lead to it.",
    ours=True,
)
_MOVED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "The account's server does not know it any more: it was moved or deleted. Reconnect it if it"
    " was moved.",
)
_DEACTIVATED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "The account was deactivated. Sign in to Bluesky to open it again, then retry.",
)
_OLD_SERVER = ErrorEntry(
    FailureCode.UNKNOWN,
    "The account's server does not know this call: its software may be too old. Ask"
    " whoever runs that server to update it.",
    blame=Blame.PLATFORM,
)
_OUR_CALL = ErrorEntry(
    FailureCode.UNKNOWN,
    "Bluesky did not take what this service itself wrote or asked for. It is no fault of the post;"
    " tell this service's operator.",
    blame=Blame.APPLICATION,
)
_UNKNOWN_NAME = ErrorEntry(
    FailureCode.CAPTION_REJECTED,
    "Bluesky does not know an account that the text mentions. Check the names after @.",
)
_LONGEST_DAY = timedelta(hours=1)
"""With a wait that is asked for, tries go on for a day (`domain/engine/verdicts.py`)."""

ERRORS: ErrorTable = {
    "ExpiredToken": FailureCode.AUTH_EXPIRED,
    "InvalidToken": FailureCode.AUTH_EXPIRED,
    "AuthMissing": FailureCode.AUTH_EXPIRED,
    "AuthenticationRequired": FailureCode.AUTH_EXPIRED,
    "invalid_grant": FailureCode.AUTH_EXPIRED,
    "invalid_token": FailureCode.AUTH_EXPIRED,
    **dict.fromkeys(("invalid_client", "invalid_client_metadata", "invalid_redirect_uri"), _UNREAD),
    "invalid_scope": FailureCode.PERMISSION_MISSING,
    "insufficient_scope": FailureCode.PERMISSION_MISSING,
    "AuthFactorTokenRequired": ErrorEntry(
        FailureCode.AUTH_EXPIRED, "Bluesky asks for an e-mailed code. Use an app password."
    ),
    "ScopeMissingError": FailureCode.PERMISSION_MISSING,
    "AccountTakedown": FailureCode.ACCOUNT_RESTRICTED,
    "AccountSuspended": FailureCode.ACCOUNT_RESTRICTED,
    "AccountDeactivated": _DEACTIVATED,
    "RepoTakendown": FailureCode.ACCOUNT_RESTRICTED,
    "RepoSuspended": FailureCode.ACCOUNT_RESTRICTED,
    "RepoDeactivated": _DEACTIVATED,
    "AccountNotFound": _MOVED,
    "RepoNotFound": _MOVED,
    **dict.fromkeys(("HandleNotFound", "DidNotFound", "DidDeactivated"), _UNKNOWN_NAME),
    "BadExpiration": _OUR_CALL,
    "wrong server": _OUR_CALL,
    "XRPCNotSupported": _OLD_SERVER,
    "MethodNotImplemented": _OLD_SERVER,
    "RateLimitExceeded": FailureCode.RATE_LIMITED,
    "PayloadTooLarge": FailureCode.MEDIA_TOO_LARGE,
    "BlobTooLarge": FailureCode.MEDIA_TOO_LARGE,
    "InvalidBlob": FailureCode.MEDIA_REJECTED,
    "InvalidImageDimensions": FailureCode.MEDIA_REJECTED,
    "InvalidMimeType": FailureCode.MEDIA_REJECTED,
    "InvalidSize": FailureCode.MEDIA_REJECTED,
    "BlobNotFound": FailureCode.MEDIA_UNAVAILABLE,
    "InvalidSwap": FailureCode.DUPLICATE_CONTENT,
    "InvalidRequest record.text": FailureCode.CAPTION_REJECTED,
    "InvalidRequest record.facets": FailureCode.CAPTION_REJECTED,
    "InvalidRequest record.embed.external": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "Bluesky refused the card of the link in the text. Change the link, or leave it out.",
    ),
    "InvalidRequest record.embed.alt": ErrorEntry(
        FailureCode.INVALID_OPTIONS, "Bluesky refused the alt text. Shorten it or change it."
    ),
    "InvalidRequest record.embed": FailureCode.MEDIA_REJECTED,
    "InvalidRequest record.langs": FailureCode.INVALID_OPTIONS,
    "InvalidRequest record.labels": FailureCode.INVALID_OPTIONS,
    "InvalidRequest record.tags": FailureCode.INVALID_OPTIONS,
    "InvalidRequest record.createdAt": _OUR_CALL,
    "InvalidRequest record.rkey": _OUR_CALL,
    "InvalidRequest": FailureCode.UNKNOWN,
    # The video service. What it says of an upload in parts alone (UploadAborted, MissingParts and
    # so on) stands in no row: the file then goes in one request (`media_parts.py`).
    "BadAspectRatio": FailureCode.MEDIA_REJECTED,
    "VideoTooLong": ErrorEntry(
        FailureCode.MEDIA_REJECTED, "The video is longer than Bluesky allows. Shorten it."
    ),
    "UnsupportedContentType": FailureCode.MEDIA_REJECTED,
    "validation_failure": FailureCode.MEDIA_REJECTED,
    "VideoTooLarge": FailureCode.MEDIA_TOO_LARGE,
    "pds_upload_unsupported_blob_size": FailureCode.MEDIA_TOO_LARGE,
    "encoding_failure": FailureCode.PROCESSING_FAILED,
    "pds_upload_failure": FailureCode.PROCESSING_FAILED,
    "generic_failure": FailureCode.PROCESSING_FAILED,
    "ServiceOverloaded": FailureCode.PLATFORM_UNAVAILABLE,
    "DailyLimitExceeded": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "The account has uploaded as much video as Bluesky takes from one in a day.",
        wait=_LONGEST_DAY,
    ),
    "TooManyOpenUploads": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "Bluesky is still working on other videos of this account.",
    ),
    "UploadForbidden": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "Bluesky takes no videos from this account. Sign in to Bluesky to see why; its e-mail"
        " address may have to be confirmed first.",
    ),
    "unconfirmed_email": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "Bluesky takes videos only of accounts whose e-mail address is confirmed. Confirm it in"
        " Bluesky's settings, then retry.",
    ),
    # A name that none of them is (atproto.com/specs/xrpc: both mean that the call did nothing).
    "400": FailureCode.UNKNOWN,
    "403": FailureCode.PERMISSION_MISSING,
    PLAIN_NO: FailureCode.UNKNOWN,
}

_PATH = re.compile(r"(?: at \$\.record\.|\bRecord/)(\w[\w/.\[\]]*)")
"""Where a record is wrong: `$.record.text`, on servers of before 2026 `Record/text`."""
_STEP = re.compile(r"\w+")
_WORDINGS = (
    (re.compile(r"Could not find repo\b"), "RepoNotFound"),
    (re.compile(r"OAuth tokens are meant for PDS access only"), "wrong server"),
    (re.compile(r"\binsufficient access\b", re.IGNORECASE), "ScopeMissingError"),
    (re.compile(r"\bblob too big\b(?!.*\bexternal\b)", re.IGNORECASE), "BlobTooLarge"),
    (re.compile(r"\bExpected \"?image/"), "InvalidMimeType"),
    (re.compile(r"\b(?:Input/|\$\.)rkey\b"), "InvalidRequest record.rkey"),
)
"""What servers say under a name that stands for more, `InvalidRequest` or `InvalidToken`."""
_TOO_LARGE = 413
_READ = 2_000
"""How much of a message is read: whoever runs the server writes it."""


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Read the error's name, before it what its words tell and the record's field it is about."""
    name, message = response.find("error"), response.find("message")
    if not isinstance(name, str):
        # The proxy before a server of one's own refuses a large file with a page.
        return ("PayloadTooLarge",) if response.status == _TOO_LARGE else ()
    said = message[:_READ] if isinstance(message, str) else ""
    worded = [key for words, key in _WORDINGS if words.search(said)]
    fields = [f"{name} record.{field}" for field in _fields(said)]
    return (*worded, *fields, name, str(response.status))


def _fields(said: str) -> Iterator[str]:
    """Yield the field of a record that is wrong, before it a part of it that is another's.

    A link's card and a file's alt text are embedded like the file itself.
    """
    path = _PATH.search(said)
    if path is None:
        return
    first, *within = _STEP.findall(path[1])
    if first == "embed":
        yield from (f"embed.{part}" for part in ("external", "alt") if part in within)
    yield first
