"""What Google says no with, in our words: developers.google.com/my-business/content/basic-setup.

A refused field comes with its name and a number (Shared.Types/ErrorCode): 1000 to 1099 are about
the photo, 1300 to 1399 about the operation, of which 1300 tells nothing, 1301 is the account's
condition and 1302 a location that is closed to this API, in the order of that page. Other refusals
name a reason. Before a request reaches the API, Google's front door may answer with a page of HTML:
then there is only a status.
"""

import re
from collections.abc import Iterator

from chalicelib.connectors.shared.auth.google import reasons
from chalicelib.connectors.shared.auth.google_errors import errors_of_project
from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, find

NOT_SET_UP = ErrorEntry(
    FailureCode.PLATFORM_UNAVAILABLE,
    "This service's Google project is not approved for the Business Profile APIs. Its"
    " operator must request approval and enable each API.",
    ours=True,
    app_wide=True,
)
_UNVERIFIED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Google does not accept posts for this location. Check on business.google.com that "
    "it is verified and not suspended.",
)
_NOT_AS_IT_IS = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Google does not take this post while the location's account is as it is. Look on"
    " business.google.com what it asks for.",
)
_CLOSED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Google has closed this location to posts by services. Post there on business.google.com, or"
    " ask Google's support to open it.",
)
_NO_LOCATION = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Google no longer knows this location. Connect it again.",
)
_TOPIC = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "Google does not accept this topic_type here. Choose another."
)
_BUTTON = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "Google refused the button. Check options.call_to_action."
)
_SCHEDULE = ErrorEntry(
    FailureCode.INVALID_OPTIONS,
    "Google refused the event's dates. Check options.event.start and options.event.end.",
)
_OFFER_LINK = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "Google refused the link in options.offer.url. Change it."
)
_LANGUAGE = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "Google does not know the language in options.language. Change it."
)

_TOO_FAST = ErrorEntry(
    FailureCode.RATE_LIMITED,
    "This service asked Google too often within a minute, for all its locations or for this one."
    " Google does not raise what it takes for one location.",
    blame=Blame.APPLICATION,
)

_WRONG, _FORBIDDEN, _NOT_FOUND = 400, 403, 404
_PAGE = "404 page"
_ITS_PAGE = b"Error 404 (Not Found)"
"""In the page with which Google's front door answers what is no address of the API."""

_LISTING = re.compile(
    r"\b(?:location|listing|profile)\b.*"
    r"\b(?:unverified|(?:not (?:yet )?(?:been )?|must be )verified|suspended)\b"
    r"|\b(?:unverified|suspended) (?:location|listing|profile)\b",
    re.IGNORECASE,
)
FETCH_FAILED, PHOTO, LOCATION = "error 1000", "photo error", "location error"
NO_QUOTA, _TWIN = "no quota", "409"
_OF_LOCATIONS = range(1301, 1400)  # 1300 is any failure of an operation
_OF_PHOTOS = range(1001, 1100)

ERRORS: ErrorTable = {
    # What is wrong with the body, most specific first in `codes`.
    FETCH_FAILED: FailureCode.MEDIA_UNAVAILABLE,
    **dict.fromkeys(
        ("PHOTO_FETCH_FAILED", "PHOTO_UPLOAD_FAILED", "field media.source_url"),
        FailureCode.MEDIA_UNAVAILABLE,
    ),
    PHOTO: FailureCode.MEDIA_REJECTED,
    **dict.fromkeys(("field media", "field size", "field format"), FailureCode.MEDIA_REJECTED),
    "error 1301": _NOT_AS_IT_IS,
    "error 1302": _CLOSED,
    LOCATION: _UNVERIFIED,
    "field summary": FailureCode.CAPTION_REJECTED,
    "field event.title": FailureCode.CAPTION_REJECTED,
    "field event": _SCHEDULE,
    "field offer.redeem_online_url": _OFFER_LINK,
    "field offer": FailureCode.CAPTION_REJECTED,
    "field topic_type": _TOPIC,
    "field call_to_action": _BUTTON,
    "field language_code": _LANGUAGE,
    # Reasons.
    NO_QUOTA: NOT_SET_UP,
    **errors_of_project("Business Profile"),
    "UNVERIFIED_LOCATION": _UNVERIFIED,
    "OPERATION_UNSUPPORTED_UNDER_ACCOUNT_CONDITION": _NOT_AS_IT_IS,
    "LOCATION_DISABLED_FOR_LOCAL_POST_API": _CLOSED,
    "SERVICE_DISABLED": NOT_SET_UP,
    "accessNotConfigured": NOT_SET_UP,
    "rateLimitExceeded": _TOO_FAST,
    "userRateLimitExceeded": _TOO_FAST,
    "quotaExceeded": _TOO_FAST,
    "ABORTED": FailureCode.RATE_LIMITED,  # two edits of a location at once: 409 like a duplicate
    # Bare statuses.
    "400": FailureCode.UNKNOWN,
    "401": FailureCode.AUTH_EXPIRED,
    "403": FailureCode.PERMISSION_MISSING,
    _PAGE: ErrorEntry(
        FailureCode.UNKNOWN,
        "Google does not know the address that this service called. Its operator should update it.",
        ours=True,
    ),
    "404": _NO_LOCATION,
    _TWIN: FailureCode.DUPLICATE_CONTENT,
    "429": _TOO_FAST,
    PLAIN_NO: FailureCode.UNKNOWN,
}


def error_codes(response: PlatformResponse) -> list[str]:
    """Return what an answer says no with, most specific first."""
    return [*_of_fields(response), *_of_words(response), *reasons(response)]


def has_no_quota(response: PlatformResponse) -> bool:
    """Tell a quota of nothing, as projects have before their approval."""
    limits = [
        find(detail, "metadata", "quota_limit_value")
        for detail in response.items("error", "details")
    ]
    return "0" in limits


def _of_words(response: PlatformResponse) -> Iterator[str]:
    """Yield what is told beside a reason (docs/adr/0008): a listing's state, a wrong address."""
    if response.status == _NOT_FOUND and _ITS_PAGE in response.body:
        yield _PAGE
    said = str(response.find("error", "message"))
    if response.status == _FORBIDDEN and has_no_quota(response):
        yield NO_QUOTA
    if response.status == _FORBIDDEN and _LISTING.search(said):
        yield LOCATION
    if response.status == _WRONG and "duplicate" in said.lower():
        yield _TWIN


def _of_fields(response: PlatformResponse) -> Iterator[str]:
    for detail in response.items("error", "details"):
        named = find(detail, "errorDetails") or find(detail, "fieldViolations")
        for each in named if isinstance(named, list) else []:
            yield from _of_number(find(each, "code"))
            field = find(each, "field")
            yield from _of_field(field) if isinstance(field, str) else ()


def _of_number(number: Json) -> Iterator[str]:
    if isinstance(number, str):
        yield number
    elif isinstance(number, int):
        yield f"error {number}"
        if number in _OF_PHOTOS:
            yield PHOTO
        elif number in _OF_LOCATIONS:
            yield LOCATION


def _of_field(field: str) -> Iterator[str]:
    """Yield a field's path and those above it: media[0].sourceUrl, media.source_url, media."""
    snake = re.sub(r"(?<=[a-z])[A-Z]", lambda letter: f"_{letter[0]}", field).lower()
    steps = [step for step in re.split(r"[.\[\]]+", snake) if step and not step.isdigit()]
    if steps[:1] == ["local_post"]:
        steps = steps[1:]
    while steps:
        yield f"field {'.'.join(steps)}"
        steps = steps[:-1]
