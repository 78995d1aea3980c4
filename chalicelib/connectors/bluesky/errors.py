"""What Bluesky's servers say no with, in our words: docs.bsky.app, atproto.com/specs/xrpc.

An answer is `{"error": name, "message": text}`. A refused record is always `InvalidRequest`; the
only thing that tells its fields apart is the path that the lexicon's validator puts into the text.
"""

import re
from collections.abc import Sequence

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
    "InvalidRequest record.embed": FailureCode.MEDIA_REJECTED,
    "InvalidRequest record.langs": FailureCode.INVALID_OPTIONS,
    "InvalidRequest record.labels": FailureCode.INVALID_OPTIONS,
    "InvalidRequest record.tags": FailureCode.INVALID_OPTIONS,
    "InvalidRequest": FailureCode.UNKNOWN,
    # The video service
    "BadAspectRatio": FailureCode.MEDIA_REJECTED,
    "VideoTooLong": FailureCode.MEDIA_REJECTED,
    "UnsupportedContentType": FailureCode.MEDIA_REJECTED,
    "validation_failure": FailureCode.MEDIA_REJECTED,
    "VideoTooLarge": FailureCode.MEDIA_TOO_LARGE,
    "pds_upload_unsupported_blob_size": FailureCode.MEDIA_TOO_LARGE,
    "encoding_failure": FailureCode.PROCESSING_FAILED,
    "pds_upload_failure": FailureCode.PROCESSING_FAILED,
    "generic_failure": FailureCode.PROCESSING_FAILED,
    "DailyLimitExceeded": FailureCode.RATE_LIMITED,
    "TooManyOpenUploads": FailureCode.RATE_LIMITED,
    "UploadForbidden": FailureCode.ACCOUNT_RESTRICTED,
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

_PATH = re.compile(r"(?: at \$\.record\.|\bRecord/)(\w+)")
"""The field that is wrong: `$.record.text`, on servers of before 2026 `Record/text`."""
_NO_REPO = re.compile(r"Could not find repo\b")
"""What a server says of an account that it no longer has; its name is `InvalidRequest`, too."""


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Read the error's name, before it the record's field that it is about."""
    name, message = response.find("error"), response.find("message")
    if not isinstance(name, str):
        return ()
    said = message if isinstance(message, str) else ""
    path = _PATH.search(said)
    fields = [] if path is None else [f"{name} record.{path[1]}"]
    gone = ["RepoNotFound"] if _NO_REPO.match(said) else []
    return (*fields, *gone, name, str(response.status))
