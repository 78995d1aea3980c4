"""What X says no with, in our words: docs.x.com/x-api/fundamentals/response-codes-and-errors.

X has three shapes: a problem (`type`, `title`, `detail`), parameters (`errors[].parameters`) and
old numbers (`errors[].code`). Some refusals of a post come with no code at all, nothing but a
sentence, which says "Tweet" or "post" by turns: they are told apart by a part of it (WORDINGS,
docs/adr/0008). One cashtag a post is X's rule for applications without a contract since 2026.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode
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
    "reply.in_reply_to_tweet_id",
    "quote_tweet_id",
)

ONE_CASHTAG = "X allows one cashtag ($NAME) per post. Write the others without the sign."

WORDINGS = {
    "reply or quote posts where you are mentioned": "said reply rule",
    "reply to or quote posts where you are mentioned": "said reply rule",
    "reply to this conversation is not allowed": "said reply rule",
    "quoting this post is not allowed": "said reply rule",
    "deleted or not visible": "said parent",
    "account is suspended": "user-suspended",
    "account is temporarily locked": "user-suspended",
    "account is locked": "user-suspended",
    "account has been locked": "user-suspended",
    "phone number": "user-suspended",
    "application has been suspended": "261",
    "application has been restricted": "261",
    "app has been suspended": "261",
    "app has been restricted": "261",
    "might be automated": "said automated",
    "text is too long": "said length",
    "be a bit shorter": "said length",
    "too many mentions": "said mentions",
    "duplicate content": "said duplicate",
    "cashtag": "said cashtags",
    "invalid url": "said link",
    "video longer than": "said video length",
    "videos longer than": "said video length",
    "maximum of 4 items": "said too many files",
    "restricted who can reply": "said closed",
    "media ids are invalid": "said files",
    "access this feature": "said feature",
    "user context on this endpoint": "client-forbidden",
    "user context is forbidden": "client-forbidden",
    "write limit": "said write limit",
    "usage cap": "usage-capped",
    "spend cap": "said spend cap",
    "spend limit": "said spend cap",
    "creditsdepleted": "402",
    "credits depleted": "402",
    "does not have any credits": "402",
    "not permitted to perform this action": "said action",
}
"""What X says without a code: a part of the sentence in small letters, our key."""

_TOO_MANY = 429
_WINDOWS = ("x-app-limit-24hour", "x-user-limit-24hour", "x-rate-limit")
_APPLICATIONS_DAY = "x-app-limit-24hour-reset"
_WORDED = frozenset({400, 402, 403, 429})
_DAYS_LIMIT = timedelta(hours=1)
"""With a wait that is asked for, tries go on for a day (`domain/engine/verdicts.py`)."""

ERRORS: ErrorTable = {
    "401": FailureCode.AUTH_EXPIRED,
    "89": FailureCode.AUTH_EXPIRED,
    "unsupported-authentication": FailureCode.AUTH_EXPIRED,
    "client-forbidden": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "X does not let this application post for the account. Its operator must give it the access"
        " at X's developer portal that posting needs.",
        ours=True,
    ),
    "oauth1-permissions": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "X gave this service's application no right to post, or gave it after the account was"
        " connected. Its operator must allow it at X; reconnect the account after that.",
        ours=True,
    ),
    "not-authorized-for-resource": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "X does not let this account use something that the post names, such as the one that it"
        " answers or quotes. Take it out.",
        blame=Blame.ACCOUNT,
    ),
    "disallowed-resource": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "X gives out nothing about something that the post names, such as the one that it answers"
        " or quotes. Take it out.",
    ),
    **dict.fromkeys(
        ("field-unauthorized", "not-authorized-for-field"),
        ErrorEntry(
            FailureCode.PERMISSION_MISSING,
            "X does not let this service's application use one of the fields of the post. It is no"
            " fault of the account; this service's operator must ask X for the access.",
            ours=True,
        ),
    ),
    "said reply rule": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "X lets this application answer or quote only posts that mention this account or are its"
        " own. Take out reply_to_post_id or quote_post_id.",
        blame=Blame.PLATFORM,
    ),
    GONE: ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "X does not find something that the post names, such as the one that it answers or quotes."
        " Take it out.",
    ),
    "said parent": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "The post that is answered or quoted was deleted, or X does not show it to this account."
        " Take out reply_to_post_id or quote_post_id.",
    ),
    **dict.fromkeys(
        ("said closed", "433"),
        ErrorEntry(
            FailureCode.INVALID_OPTIONS,
            "Whoever wrote that post lets only some people answer it. Take out reply_to_post_id.",
        ),
    ),
    "said automated": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "X takes this account's posts for automated ones. Sign in to X to see why, and post less.",
    ),
    "226": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "X takes this account's posts for automated ones. Sign in to X to see why, and post less.",
    ),
    "said length": ErrorEntry(
        FailureCode.CAPTION_REJECTED, "X counts the text as too long. Shorten it."
    ),
    "said mentions": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "X allows fewer mentions in a post than this one has. Take some out.",
    ),
    **dict.fromkeys(
        ("261", "416", "453"),
        ErrorEntry(
            FailureCode.PERMISSION_MISSING,
            "X does not let this service's application post. It is no fault of the account; this"
            " service's operator must settle it with X.",
            ours=True,
            app_wide=True,
        ),
    ),
    "user-suspended": FailureCode.ACCOUNT_RESTRICTED,
    "64": FailureCode.ACCOUNT_RESTRICTED,
    "326": FailureCode.ACCOUNT_RESTRICTED,
    "187": FailureCode.DUPLICATE_CONTENT,
    "said duplicate": FailureCode.DUPLICATE_CONTENT,
    "said cashtags": ErrorEntry(FailureCode.CAPTION_REJECTED, ONE_CASHTAG),
    "said link": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "X refused one of the links in the text. Change it or leave it out.",
    ),
    "said video length": ErrorEntry(
        FailureCode.VIDEO_TOO_LONG,
        "X does not allow this account videos of that length. Shorten it.",
        blame=Blame.ACCOUNT,
    ),
    **dict.fromkeys(
        ("said too many files", "386"),
        ErrorEntry(
            FailureCode.MEDIA_REJECTED,
            "X takes fewer files in a post than this one has. Take some out.",
        ),
    ),
    "said files": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "X no longer has the file, or does not take it for a post. Retry the post; if that fails"
        " too, upload the file in another format.",
    ),
    "said feature": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "The post needs something that X does not offer this account, as long texts and videos are"
        " for its subscribers. Make it shorter, or subscribe at X.",
    ),
    "said action": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "X refused the post and did not name the cause. It can be a text that is too long, a link,"
        " several cashtags or a post that is quoted. Change that, then retry.",
    ),
    "186": FailureCode.CAPTION_REJECTED,
    "400 text": FailureCode.CAPTION_REJECTED,
    "323": FailureCode.MEDIA_REJECTED,
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
    **dict.fromkeys(
        ("185", "344"),
        ErrorEntry(
            FailureCode.RATE_LIMITED,
            "The account has made as many posts as X lets it make in a day or a part of it. Spread"
            " its posts over more time.",
            wait=_DAYS_LIMIT,
        ),
    ),
    "rate-limit-exceeded": FailureCode.RATE_LIMITED,
    "application's day": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This service's application has used up its posts at X for 24 hours. It is no limit of the"
        " account.",
        app_wide=True,
    ),
    "usage-capped": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This service's application has used up its calls at X for this month. It is no limit of"
        " the account; only this service's operator can have it raised.",
        ours=True,
        app_wide=True,
    ),
    "said write limit": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This service's application has made all the posts that its plan at X allows for now. It is"
        " no limit of the account; only this service's operator can have it raised.",
        ours=True,
        app_wide=True,
    ),
    # Of the type `credits`, which comes with 402 and with 403.
    "said spend cap": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This service's application has spent as much at X as its operator allows in a billing"
        " period. It is no limit of the account; only this service's operator can raise it.",
        ours=True,
        app_wide=True,
    ),
    **dict.fromkeys(
        ("402", "credits"),
        ErrorEntry(
            FailureCode.RATE_LIMITED,
            "The application has used up its credits at X. It is no limit of the account; only this"
            " service's operator can buy more.",
            ours=True,
            app_wide=True,
        ),
    ),
    "HTTP 431": ErrorEntry(
        FailureCode.UNKNOWN,
        "X did not read what this service sent, because the head of the call was too long. It is no"
        " fault of the post; tell this service's operator.",
        blame=Blame.APPLICATION,
    ),
    "400": FailureCode.UNKNOWN,
    "403": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "X refused the post. Sign in to X to see whether it asks the account for something; if it"
        " does not, reconnect the account.",
        blame=Blame.ACCOUNT,
    ),
    PLAIN_NO: FailureCode.UNKNOWN,
}


def problems(value: Json) -> Iterator[str]:
    """Yield the names of the problems that an error or a whole answer has."""
    kind = find(value, "type")
    if isinstance(kind, str):
        yield kind.rpartition("/")[2]  # X moved them from api.twitter.com


def error_codes(response: PlatformResponse) -> Iterator[str]:
    """Yield what an answer says no with, most specific first."""
    if response.status == _TOO_MANY and spent_window(response.headers) == _APPLICATIONS_DAY:
        yield "application's day"
    errors = response.items("errors")
    yield from (str(find(error, "code")) for error in errors)
    if response.status in _WORDED:
        # Before the problem's type: one type stands for several causes.
        said = " ".join(_sentences(response)).lower()
        yield from (key for part, key in WORDINGS.items() if part in said)
    for error in errors:
        yield from (f"{response.status} {field}" for field in _fields(error))
    for problem in (response.find(), *errors):
        yield from problems(problem)
    if response.find("data", "processing_info", "state") == "failed":
        yield str(response.find("data", "processing_info", "error", "name"))
        yield "processing failed"
    yield f"HTTP {response.status}"
    yield str(response.status)


def _sentences(response: PlatformResponse) -> Iterator[str]:
    for problem in (response.find(), *response.items("errors")):
        yield from (str(find(problem, name) or "") for name in ("detail", "message"))


def _fields(error: Json) -> Iterator[str]:
    """Yield the parameters that an error blames; a schema's own checks spell them `$.text`."""
    blamed = find(error, "parameters")
    if isinstance(blamed, dict):
        yield from (field.removeprefix("$.") for field in blamed)


def spent_window(headers: Mapping[str, str]) -> str:
    """Return the header that names when the limit ends that is used up.

    Of the windows that an answer tells of, that is the one of which nothing remains.
    """
    spent = (f"{window}-reset" for window in _WINDOWS if headers.get(f"{window}-remaining") == "0")
    return next(spent, "x-rate-limit-reset")


def names_of_gone(response: PlatformResponse) -> list[str]:
    """Return the posts that X no longer has."""
    errors = [error for error in response.items("errors") if GONE in problems(error)]
    return [str(find(error, "resource_id") or find(error, "value")) for error in errors]
