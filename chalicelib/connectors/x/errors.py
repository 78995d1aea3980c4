"""What X says no with, in our words: docs.x.com/x-api/fundamentals/response-codes-and-errors.

X has three shapes: a problem (`type`, `title`, `detail`), parameters (`errors[].parameters`) and
old numbers (`errors[].code`). Some refusals of a post come with no code at all, nothing but a
sentence, which says "Tweet" or "post" by turns: they are told apart by a part of it (WORDINGS,
docs/adr/0008). One cashtag a post is X's rule for applications without a contract since 2026.
"""

from collections.abc import Iterator

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, find

GONE = "resource-not-found"
_OPTIONS = (
    "reply_settings",
    "made_with_ai",
    "paid_partnership",
    "community_id",
    "share_with_followers",
    "for_super_followers_only",
    "media.title",
    "media.description",
    "metadata.alt_text.text",
)

ONE_CASHTAG = "X allows one cashtag ($NAME) per post. Write the others without the sign."

WORDINGS = {
    "duplicate content": "said duplicate",
    "cashtag": "said cashtags",
    "invalid url": "said link",
    "video longer than": "said video length",
    "media ids are invalid": "said files",
    "access this feature": "said feature",
    "not permitted to perform this action": "said action",
}
"""What X says without a code: a part of the sentence in small letters, our key."""

_WORDED = frozenset({400, 403})

ERRORS: ErrorTable = {
    "401": FailureCode.AUTH_EXPIRED,
    "unsupported-authentication": FailureCode.AUTH_EXPIRED,
    "client-forbidden": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "X does not let this application post for the account.",
        ours=True,
    ),
    "oauth1-permissions": FailureCode.PERMISSION_MISSING,
    "not-authorized-for-resource": FailureCode.PERMISSION_MISSING,
    "261": FailureCode.PERMISSION_MISSING,
    "user-suspended": FailureCode.ACCOUNT_RESTRICTED,
    "64": FailureCode.ACCOUNT_RESTRICTED,
    "326": FailureCode.ACCOUNT_RESTRICTED,
    "187": FailureCode.DUPLICATE_CONTENT,
    "said duplicate": FailureCode.DUPLICATE_CONTENT,
    "said cashtags": ErrorEntry(FailureCode.CAPTION_REJECTED, ONE_CASHTAG),
    "said link": ErrorEntry(
        FailureCode.CAPTION_REJECTED, "X refused one of the links in the text."
    ),
    "said video length": ErrorEntry(
        FailureCode.VIDEO_TOO_LONG, "X does not allow this account videos of that length."
    ),
    "said files": ErrorEntry(FailureCode.MEDIA_REJECTED, "X no longer has the file."),
    "said feature": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "The post needs a feature that X does not offer this account or this application.",
    ),
    "said action": FailureCode.CAPTION_REJECTED,
    "186": FailureCode.CAPTION_REJECTED,
    "400 text": FailureCode.CAPTION_REJECTED,
    "324": FailureCode.MEDIA_REJECTED,
    "400 media.media_ids": FailureCode.MEDIA_REJECTED,
    "400 media": FailureCode.MEDIA_REJECTED,
    "400 media_type": FailureCode.MEDIA_REJECTED,
    "400 total_bytes": FailureCode.MEDIA_TOO_LARGE,
    "413": FailureCode.MEDIA_TOO_LARGE,
    **{f"400 {field}": FailureCode.INVALID_OPTIONS for field in _OPTIONS},
    "InvalidMedia": FailureCode.MEDIA_REJECTED,
    "UnsupportedMedia": FailureCode.MEDIA_REJECTED,
    "processing failed": FailureCode.PROCESSING_FAILED,
    "88": FailureCode.RATE_LIMITED,
    "185": FailureCode.RATE_LIMITED,
    "rate-limit-exceeded": FailureCode.RATE_LIMITED,
    "usage-capped": FailureCode.RATE_LIMITED,
    "402": ErrorEntry(
        FailureCode.RATE_LIMITED, "The application has used up its credits at X.", ours=True
    ),
    "400": FailureCode.UNKNOWN,
    "403": FailureCode.PERMISSION_MISSING,
}


def problems(value: Json) -> Iterator[str]:
    """Yield the names of the problems that an error or a whole answer has."""
    kind = find(value, "type")
    if isinstance(kind, str):
        yield kind.rpartition("/")[2]  # X moved them from api.twitter.com


def error_codes(response: PlatformResponse) -> Iterator[str]:
    """Yield what an answer says no with, most specific first."""
    errors = response.items("errors")
    yield from (str(find(error, "code")) for error in errors)
    for error in errors:
        yield from (f"{response.status} {field}" for field in _fields(error))
    for problem in (response.find(), *errors):
        yield from problems(problem)
    if response.find("data", "processing_info", "state") == "failed":
        yield str(response.find("data", "processing_info", "error", "name"))
        yield "processing failed"
    if response.status in _WORDED:
        said = " ".join(_sentences(response)).lower()
        yield from (key for part, key in WORDINGS.items() if part in said)
    yield str(response.status)


def _sentences(response: PlatformResponse) -> Iterator[str]:
    for problem in (response.find(), *response.items("errors")):
        yield from (str(find(problem, name) or "") for name in ("detail", "message"))


def _fields(error: Json) -> Iterator[str]:
    """Yield the parameters that an error blames; a schema's own checks spell them `$.text`."""
    blamed = find(error, "parameters")
    if isinstance(blamed, dict):
        yield from (field.removeprefix("$.") for field in blamed)


def names_of_gone(response: PlatformResponse) -> list[str]:
    """Return the posts that X no longer has."""
    errors = [error for error in response.items("errors") if GONE in problems(error)]
    return [str(find(error, "resource_id") or find(error, "value")) for error in errors]
