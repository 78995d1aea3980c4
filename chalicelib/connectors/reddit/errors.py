"""What Reddit says no with, in our words: github.com/reddit-archive/reddit, `r2/lib/errors.py`.

Recorded answers have the rest. Three shapes: `json.errors` with status 200, a `reason` beside a
4xx, and bare numbers or pages. A list of errors is made before anything else is done, so that even
an unknown one proves a refusal.
"""

import re
from collections.abc import Iterator
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorEntry, ErrorTable
from chalicelib.connectors.shared.calls.waits import span
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse, find

_NOT_HERE = ErrorEntry(
    FailureCode.PERMISSION_MISSING,
    "Reddit does not let this account post to the community. Open the community on Reddit to see"
    " who may.",
    blame=Blame.ACCOUNT,
)
_NO_COMMUNITY = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "Reddit has no such community. Check its name in subreddit."
)
_NOT_SUCH = ErrorEntry(
    FailureCode.INVALID_OPTIONS,
    "This Reddit community does not accept posts of this kind. Choose"
    " another kind, or another community.",
)
_BAD_LINK = ErrorEntry(
    FailureCode.INVALID_OPTIONS,
    "Reddit or the community refused the link. Change it or leave it out.",
)
_BAD_FLAIR = ErrorEntry(
    FailureCode.INVALID_OPTIONS,
    "This Reddit community has no such flair. Choose one that it offers.",
)
_FLAIR_WANTED = ErrorEntry(
    FailureCode.INVALID_OPTIONS,
    "This Reddit community requires a flair: set flair_id.",
)
_BAD_TITLE = ErrorEntry(
    FailureCode.CAPTION_REJECTED,
    "The title breaks a rule of the community on Reddit. Read its rules"
    " there, and change the title.",
)
_BAD_BODY = ErrorEntry(
    FailureCode.CAPTION_REJECTED,
    "The text breaks a rule of the community on Reddit. Read its rules there, and change the text.",
)
_BAD_POST = ErrorEntry(
    FailureCode.CAPTION_REJECTED,
    "The post breaks a rule of the community on Reddit. Read its rules there, and change the post.",
)
_REPOST = ErrorEntry(
    FailureCode.DUPLICATE_CONTENT,
    "This Reddit community does not take a link again that was posted there lately. Choose another"
    " link, or another community.",
)
_UNVERIFIED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Reddit requires the account's e-mail address to be verified first. Verify it in Reddit's"
    " settings.",
)
_TURNED_AWAY = ErrorEntry(
    FailureCode.PERMISSION_MISSING,
    "Reddit refused the application. It may lack Reddit's approval; its operator must look.",
    ours=True,
)

_OUR_REQUEST = ErrorEntry(
    FailureCode.INVALID_OPTIONS,
    "Reddit did not take a field of what this service sent for the post. Its operator should update"
    " it.",
    blame=Blame.APPLICATION,
)
_OUR_ADDRESS = ErrorEntry(
    FailureCode.PLATFORM_UNAVAILABLE,
    "Reddit has barred the address from which this service calls. Its operator must settle it with"
    " Reddit.",
    ours=True,
    app_wide=True,
)
_OUR_KEYS = ErrorEntry(
    FailureCode.PLATFORM_UNAVAILABLE,
    "Reddit does not accept the application's keys, or not as it is set up here. This service's"
    " operator must look at it at Reddit.",
    ours=True,
    app_wide=True,
)
_PARENT = ErrorEntry(
    FailureCode.UNKNOWN,
    "What was to be commented on is deleted or archived on Reddit. Open the post there to see.",
    blame=Blame.ACCOUNT,
)

_ANY_RULE = "SUBMIT_VALIDATION"
_ABOUT_TEXT = "errors in the text"
"""Of an error that no row lists: its third part names the field of the form that is at fault."""

ERRORS: ErrorTable = {
    "invalid_token": FailureCode.AUTH_EXPIRED,
    "USER_REQUIRED": FailureCode.AUTH_EXPIRED,
    "401": FailureCode.AUTH_EXPIRED,
    "insufficient_scope": FailureCode.PERMISSION_MISSING,
    "VERIFIED_USER_REQUIRED": _UNVERIFIED,
    "SUBREDDIT_NOTALLOWED": _NOT_HERE,
    "SUBREDDIT_REQUIRED": ErrorEntry(
        FailureCode.INVALID_OPTIONS, "Reddit misses the community: set subreddit."
    ),
    "BANNED_FROM_SUBREDDIT": _NOT_HERE,
    "SUBREDDIT_NOEXIST": _NO_COMMUNITY,
    "BAD_SR_NAME": _NO_COMMUNITY,
    **dict.fromkeys(
        ("INVALID_OPTION", "JSON_INVALID", "JSON_PARSE_ERROR", "JSON_MISSING_KEY"), _OUR_REQUEST
    ),
    "OAUTH2_INVALID_REFRESH_TOKEN": FailureCode.AUTH_EXPIRED,
    **dict.fromkeys(
        ("OAUTH2_INVALID_CLIENT", "OAUTH2_INVALID_REDIRECT_URI", "OAUTH2_INVALID_SCOPE"), _OUR_KEYS
    ),
    "BANNED_IP": _OUR_ADDRESS,
    **dict.fromkeys(("DELETED_LINK", "DELETED_COMMENT", "TOO_OLD"), _PARENT),
    "NOT_AUTHOR": ErrorEntry(
        FailureCode.UNKNOWN,
        "Reddit says that the post is not this account's. Open it on Reddit to see whose it is.",
        blame=Blame.APPLICATION,
    ),
    "CONFLICT": ErrorEntry(
        FailureCode.PLATFORM_UNAVAILABLE, "Reddit could not save the post just now."
    ),
    **dict.fromkeys(
        ("NO_SELFS", "NO_LINKS", "NO_IMAGES", "NO_VIDEOS", "GALLERIES_DISABLED"), _NOT_SUCH
    ),
    **dict.fromkeys(("NO_URL", "BAD_URL", "DOMAIN_BANNED", "SUBMIT_VALIDATION_LINK"), _BAD_LINK),
    "BAD_FLAIR_TEMPLATE_ID": _BAD_FLAIR,
    "SUBMIT_VALIDATION_FLAIR_REQUIRED": _FLAIR_WANTED,
    "SUBMIT_VALIDATION_FLAIR": _BAD_FLAIR,
    "SUBMIT_VALIDATION_TITLE": _BAD_TITLE,
    "SUBMIT_VALIDATION_BODY": _BAD_BODY,
    "SUBMIT_VALIDATION_REPOST": _REPOST,
    _ANY_RULE: _BAD_POST,
    "POST_GUIDANCE_VALIDATION_FAILED": _BAD_POST,
    "IN_TIMEOUT": FailureCode.ACCOUNT_RESTRICTED,
    **dict.fromkeys(
        ("NO_TEXT", "TOO_LONG", "BAD_STRING", "INVALID_SELFPOST"), FailureCode.CAPTION_REJECTED
    ),
    "ALREADY_SUB": _REPOST,
    **dict.fromkeys(("RATELIMIT", "SUBREDDIT_RATELIMIT", "QUOTA_FILLED"), FailureCode.RATE_LIMITED),
    **dict.fromkeys(("MISSING_VIDEO_URLS", "BAD_IMAGE"), FailureCode.MEDIA_REJECTED),
    "413": FailureCode.MEDIA_TOO_LARGE,
    # It counts the calls of a client id; a limit on somebody's posts is RATELIMIT.
    "429": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This service has made all the calls that Reddit allows its application for now. It is no"
        " limit of the account.",
        app_wide=True,
    ),
    # A page of Reddit's own comes from in front of its API: a bad agent, an unapproved app.
    "403 page": _TURNED_AWAY,
    "403": _NOT_HERE,
    "404": _NOT_HERE,
    _ABOUT_TEXT: FailureCode.CAPTION_REJECTED,
    "errors": FailureCode.UNKNOWN,
    "400": FailureCode.UNKNOWN,
    PLAIN_NO: FailureCode.UNKNOWN,
}

_OWN_PAGES = (b"whoa there, pardner", b"log in to your reddit account or use your developer token")
"""What Reddit's pages say, the older one and that of 2026, unlike one of a network in between."""

_OF_A_KIND = re.compile(r"(?:n't|not) allow (?:videos|images|links|galleries)\b", re.IGNORECASE)
"""Of communities that take no videos Reddit was seen to say so under ALREADY_SUB."""

_FAMILY = re.compile(r"SUBMIT_VALIDATION_[A-Z]+")
_CHALLENGE = re.compile(r'\berror="(\w+)"')
_PAUSE = re.compile(r"(\d{1,4}) (millisecond|second|minute|hour)s?\b")
_UNITS = {
    "millisecond": timedelta(milliseconds=1),
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
}
_FORBIDDEN = 403
_TEXTS = frozenset({"title", "text", "body"})


def pause_asked(response: PlatformResponse) -> timedelta | None:
    """Return how long Reddit asks to wait with the next post, None if it does not say.

    `json.ratelimit` has the seconds, but mostly the sentence alone tells: "Take a break for 9
    minutes before trying again." So of refusals whose code says RATELIMIT, and of no others, the
    number is read from the sentence, as every client of Reddit does it.
    """
    asked = span(response.find("json", "ratelimit"))
    if asked is not None:
        return asked
    for error in response.items("json", "errors"):
        told = _PAUSE.search(str(find(error, 1)))
        if str(find(error, 0)) in {"RATELIMIT", "SUBREDDIT_RATELIMIT"} and told is not None:
            return int(told[1]) * _UNITS[told[2]]
        if find(error, 0) == "QUOTA_FILLED":  # "Please try again in an hour."
            return _UNITS["hour"]
    return None


def error_codes(response: PlatformResponse) -> Iterator[str]:
    """Yield what an answer says no with, most specific first."""
    errors = response.items("json", "errors")
    sentences = " ".join(str(find(error, 1)) for error in errors)
    for name in (*(find(error, 0) for error in errors), response.find("reason")):
        if isinstance(name, str):
            if name == "ALREADY_SUB" and _OF_A_KIND.search(sentences):
                yield "NO_VIDEOS"
            yield name
            yield from _FAMILY.findall(name)
            yield from [_ANY_RULE] if name.startswith(_ANY_RULE) else ()
    if any(str(find(error, 2)) in _TEXTS for error in errors):
        yield _ABOUT_TEXT
    if errors:
        yield "errors"
    yield from _CHALLENGE.findall(response.headers.get("WWW-Authenticate") or "")
    if response.status == _FORBIDDEN and any(
        words in response.body.lower() for words in _OWN_PAGES
    ):
        yield "403 page"
    yield str(response.status)
