"""What LinkedIn says no with, in our words: learn.microsoft.com/linkedin, "error handling".

An answer is `{"status", "serviceErrorCode", "code", "message"}`; a refused post names its reasons
in `errorDetails.inputErrors[].code`. Answers of upload addresses have only a status.
"""

import re
from collections.abc import Iterator, Mapping

from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse, find

_OLD_VERSION = ErrorEntry(
    FailureCode.UNKNOWN,
    "LinkedIn no longer answers this version of its API. This service's operator must update it.",
    ours=True,
    app_wide=True,
)

_OUR_FILE = ErrorEntry(
    FailureCode.MEDIA_REJECTED,
    "LinkedIn did not take the file as one that this account uploaded. Retry the post; if that"
    " fails too, reconnect the account.",
    blame=Blame.APPLICATION,
)

_BUSY = ErrorEntry(
    FailureCode.PLATFORM_UNAVAILABLE, "LinkedIn was busy and asks to be sent the post again."
)

WORDINGS: Mapping[tuple[int, str], str] = {
    (400, r"\bfilesizebytes\b"): "said size",
    (403, r"\[/author\]|\bauthorized to act as\b"): "said role",
    (404, r"\b(?:video|image|document)\b"): "said lost file",
    (401, r"\bempty oauth2_access_token\b"): "EMPTY_ACCESS_TOKEN",
    (403, r"member\b.*\brestricted|restricted\b.*\bmember"): "said restricted",
    (422, r"duplicate of urn"): "DUPLICATE_POST",
    (400, r"commentary\b"): "FIELD_LENGTH_TOO_LONG",
    (422, r"commentary\b"): "FIELD_LENGTH_TOO_LONG",
}
"""What LinkedIn says without a code (docs/adr/0008): the status, words of the sentence, our key.
Only the description of a field calls the text "commentary"."""

_LONG_OPTION = "FIELD_LENGTH_TOO_LONG of an option"
_TEXT = "commentary"
_OPTIONS = re.compile(r"\b(?:title|alttext|description|source|thumbnail)\b")
_TOO_MANY = 429
_APPLICATIONS = "application's day"
"""Of a limit its words alone tell whose it is: "Resource level throttle APPLICATION DAY limit for
calls to this resource is reached", or MEMBER (github.com/microsoft/linkedin-api-docs, issues)."""

ERRORS: ErrorTable = {
    "DUPLICATE_POST": FailureCode.DUPLICATE_CONTENT,
    _LONG_OPTION: ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "One of the post's options, such as its title or alt text, is longer than LinkedIn allows."
        " Shorten it.",
    ),
    "FIELD_LENGTH_TOO_LONG": FailureCode.CAPTION_REJECTED,
    "said size": ErrorEntry(
        FailureCode.MEDIA_TOO_LARGE,
        "LinkedIn does not take a file of this size: a video must have 75 KB to 500 MB. Upload"
        " another one.",
    ),
    "said lost file": ErrorEntry(
        FailureCode.UNKNOWN,
        "LinkedIn no longer has the file that was uploaded for the post. Retry the post; that"
        " uploads it again.",
        blame=Blame.FILE,
    ),
    "MEDIA_ASSET_WAITING_UPLOAD": ErrorEntry(
        FailureCode.MEDIA_UNAVAILABLE, "LinkedIn is still processing the file."
    ),
    "MEDIA_ASSET_PROCESSING_FAILED": FailureCode.PROCESSING_FAILED,
    "PROCESSING_FAILED": FailureCode.PROCESSING_FAILED,
    **dict.fromkeys(
        ("INVALID_IMAGE_ID", "INVALID_VIDEO_ID", "INVALID_CONTENT_OWNERSHIP"), _OUR_FILE
    ),
    "UNSUPPORTED_MEDIA_TYPE": FailureCode.MEDIA_REJECTED,
    "415": FailureCode.MEDIA_REJECTED,
    "EXPIRED_UPLOAD_URL": FailureCode.MEDIA_UNAVAILABLE,
    "413": FailureCode.MEDIA_TOO_LARGE,
    **dict.fromkeys(
        (
            "INVALID_VALUE_FOR_FIELD",
            "MISSING_FIELD",
            "INVALID_URN_TYPE",
            "INVALID_URN_ID",
            "ILLEGAL_ARGUMENT",
        ),
        FailureCode.INVALID_OPTIONS,
    ),
    "EMPTY_ACCESS_TOKEN": ErrorEntry(
        FailureCode.AUTH_EXPIRED,
        "This service sent LinkedIn no sign-in, by its own fault. Retry the post; if that fails,"
        " tell this service's operator.",
        blame=Blame.APPLICATION,
    ),
    "EXPIRED_ACCESS_TOKEN": FailureCode.AUTH_EXPIRED,
    "REVOKED_ACCESS_TOKEN": FailureCode.AUTH_EXPIRED,
    "INVALID_ACCESS_TOKEN": FailureCode.AUTH_EXPIRED,
    "401": FailureCode.AUTH_EXPIRED,
    "said restricted": FailureCode.ACCOUNT_RESTRICTED,
    "said role": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "LinkedIn does not let the person who connected the account post for it. If it is a page,"
        " have its administrator give them a role that may post; then reconnect the account.",
    ),
    "ACCESS_DENIED": FailureCode.PERMISSION_MISSING,
    "403": FailureCode.PERMISSION_MISSING,
    _APPLICATIONS: ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This service has made all the calls that LinkedIn allows its application today. It is no"
        " limit of the account; LinkedIn counts anew from midnight UTC.",
        app_wide=True,
    ),
    "TOO_MANY_REQUESTS": FailureCode.RATE_LIMITED,
    "CONFLICT": _BUSY,
    "409": _BUSY,
    "NONEXISTENT_VERSION": _OLD_VERSION,
    "VERSION_MISSING": _OLD_VERSION,
    "426": _OLD_VERSION,
    "400": FailureCode.UNKNOWN,
    "404": ErrorEntry(
        FailureCode.UNKNOWN,
        "LinkedIn no longer finds the account, or something that the post names. Open the account"
        " on LinkedIn; if it is there, reconnect it.",
        blame=Blame.ACCOUNT,
    ),
    "422": FailureCode.UNKNOWN,
    "999": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "LinkedIn blocks calls for this account for now. Sign in to LinkedIn to see whether it asks"
        " for something, then retry.",
    ),
    PLAIN_NO: FailureCode.UNKNOWN,
}


def error_codes(response: PlatformResponse) -> Iterator[str]:
    """Yield what an answer says no with, most specific first."""
    reasons = response.items("errorDetails", "inputErrors")
    codes = [str(find(reason, "code")) for reason in reasons]
    descriptions = [str(find(reason, "description") or "") for reason in reasons]
    if response.status == _TOO_MANY and "APPLICATION" in str(response.find("message")):
        yield _APPLICATIONS
    said = " ".join([str(response.find("message")), *descriptions]).lower()
    if "FIELD_LENGTH_TOO_LONG" in codes and _OPTIONS.search(said) and _TEXT not in said:
        yield _LONG_OPTION
    yield from (
        key
        for (status, words), key in WORDINGS.items()
        if response.status == status and re.search(words, said)
    )
    yield from codes
    yield str(response.find("code"))
    if response.find("status") == "PROCESSING_FAILED":
        yield "PROCESSING_FAILED"
    yield str(response.status)
