"""What Pinterest says no with, in our words: developers.pinterest.com/docs/api/v5, "Error codes".

An answer is `{"code", "message"}`. A code means something only together with its status: 30 is a
rate limit at 429 and an unknown user at 404. S3, where videos go, answers in XML.
"""

import re
from collections.abc import Iterator, Sequence

from chalicelib.connectors.shared.calls.failures import (
    PLAIN_NO,
    ErrorEntry,
    ErrorTable,
    RejectedError,
)
from chalicelib.connectors.shared.calls.platform_words import read_platform_answer
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

TOO_MANY = 429
_BAD_REQUEST, _FORBIDDEN = 400, 403
_NOT_FOUND = 404
_FOREIGN_BOARD = ErrorEntry(
    FailureCode.PERMISSION_MISSING,
    "This account cannot pin to the board. Check on Pinterest whose board it is.",
    blame=Blame.ACCOUNT,
)
_NO_BOARD = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "This account has no such board. Check the id in `board`."
)
_NO_SECTION = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "The board has no such section. Check the id in `board_section`."
)
_BAD_LINK = ErrorEntry(
    FailureCode.INVALID_OPTIONS, "Pinterest refused the link. Check the address in `link`."
)
_BLOCKED_LINK = (
    "Pinterest blocks the site that `link` leads to. Change the link or leave it out; only the"
    " site's owner can have Pinterest look at it again."
)
_NO_PIN = ErrorEntry(
    FailureCode.UNKNOWN,
    "Pinterest no longer has the pin. Open the account on Pinterest to see whether it was deleted.",
    blame=Blame.ACCOUNT,
)
_NO_USER = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Pinterest does not find the account any more. Sign in to Pinterest to see why.",
)
_BAD_ALT = ErrorEntry(
    FailureCode.CAPTION_REJECTED, "Pinterest refused the alt text. Shorten it or change it."
)
_OUR_CALL = ErrorEntry(
    FailureCode.UNKNOWN,
    "Pinterest no longer answers how this service asked. It is no fault of the post; this service's"
    " operator should update it.",
    ours=True,
)
_DISAPPROVED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Pinterest has disapproved the account. See its business hub for why.",
)
_IN_REVIEW = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Pinterest is reviewing the account. See its business hub, and retry after that.",
)
_TOO_FAST = ErrorEntry(
    FailureCode.RATE_LIMITED,
    "This service asked Pinterest too often within a minute or, with Trial access, a day. It is no"
    " limit of the account.",
    blame=Blame.APPLICATION,
)
_UPLOAD_ENDED = ErrorEntry(
    FailureCode.MEDIA_UNAVAILABLE, "Pinterest's storage did not take the video in time."
)
_SPAM = (
    "Pinterest considers this account's pins spam and blocks them for now. Check Pinterest before"
    " you retry, and pin less often."
)
UNREACHED = "400 unreached"
TRIAL = "403 trial"
SPAM = "403 spam"
BLOCKED_LINK = "blocked link"
_TRIAL = re.compile(r"\btrial access\b", re.IGNORECASE)
"""Code 29 is also that of a foreign board; only the words tell the application's access level."""

ERRORS: ErrorTable = {
    "401 3": FailureCode.PERMISSION_MISSING,
    "401 7": _FOREIGN_BOARD,
    "401 29": FailureCode.PERMISSION_MISSING,
    "401": FailureCode.AUTH_EXPIRED,
    "403 3": FailureCode.PERMISSION_MISSING,
    "403 7": _FOREIGN_BOARD,
    "403 29": _FOREIGN_BOARD,
    TRIAL: ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Pinterest gave this service's application Trial access, which does not let it pin. It is"
        " no fault of the account; this service's operator must apply for Standard access.",
        ours=True,
        app_wide=True,
    ),
    SPAM: ErrorEntry(FailureCode.ACCOUNT_RESTRICTED, _SPAM),
    # The description prints these numbers with no status of their own.
    "code 2625": _DISAPPROVED,
    "code 2626": _IN_REVIEW,
    "code 4197": _OUR_CALL,
    # 2426 stands in no description of Pinterest's, nor in its SDK (2.1.0): its words decide.
    BLOCKED_LINK: ErrorEntry(FailureCode.INVALID_OPTIONS, _BLOCKED_LINK),
    "403 654": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Pinterest wants a business account for this. Convert the account on Pinterest.",
        blame=Blame.ACCOUNT,
    ),
    "403": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Pinterest does not let this account do that. Open the account on Pinterest to see why.",
        blame=Blame.ACCOUNT,
    ),
    "404 40": _NO_BOARD,
    "404 2031": _NO_SECTION,
    "404 30": _NO_USER,
    "404 50": _NO_PIN,
    "404 board": _NO_BOARD,
    "404 section": _NO_SECTION,
    "404 pin": _NO_PIN,
    "404": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Pinterest does not find something that the post names. Check `board` and `board_section`.",
    ),
    "400 board_id": _NO_BOARD,
    "400 board_section_id": _NO_SECTION,
    UNREACHED: FailureCode.MEDIA_UNAVAILABLE,
    "400 link": _BAD_LINK,
    "400 alt_text": _BAD_ALT,
    "400 dominant_color": FailureCode.INVALID_OPTIONS,
    "400 cover_image_key_frame_time": FailureCode.INVALID_OPTIONS,
    "400 title": FailureCode.CAPTION_REJECTED,
    "400 description": FailureCode.CAPTION_REJECTED,
    "400 media_source": FailureCode.MEDIA_REJECTED,
    "400 media_id": FailureCode.MEDIA_REJECTED,
    "400 content_type": FailureCode.MEDIA_REJECTED,
    "400 data": FailureCode.MEDIA_REJECTED,
    "400": FailureCode.UNKNOWN,
    "409": ErrorEntry(
        FailureCode.PLATFORM_UNAVAILABLE,
        "Pinterest was busy with another change of the same board.",
    ),
    "400 8": _TOO_FAST,
    "403 8": _TOO_FAST,
    "429": _TOO_FAST,
    "413": FailureCode.MEDIA_TOO_LARGE,
    "failed": FailureCode.MEDIA_REJECTED,
    "EntityTooLarge": FailureCode.MEDIA_TOO_LARGE,
    "EntityTooSmall": FailureCode.MEDIA_REJECTED,
    "AccessDenied": _UPLOAD_ENDED,
    "ExpiredToken": _UPLOAD_ENDED,
    "InvalidAccessKeyId": _UPLOAD_ENDED,
    "InvalidToken": _UPLOAD_ENDED,
    "RequestTimeout": _UPLOAD_ENDED,
    "SignatureDoesNotMatch": _UPLOAD_ENDED,
    PLAIN_NO: FailureCode.UNKNOWN,
}
_S3_CODE = re.compile(rb"<Code>([A-Za-z]+)</Code>")
_FIELD = re.compile(r"'(?P<named>[a-z_]+)' value '|Parameter '(?P<parameter>[a-z_]+)' ")
"""The two forms in which OpenAPI's examples begin a message that blames a field."""

_ECHO = re.compile(r"""\{\s*["']\w+["']\s*:""")
"""What was sent, repeated whole: that blames no field."""

_LOOSELY = (
    (r"\bunable to reach\b.*\burl\b|\bcould not fetch\b", "unreached"),
    (r"\b(board_section_id|board_id|alt_text|media_id|dominant_color)\b", r"\1"),
    (r"\bmedia_source\b|\bcover_image_|\bcontent_type\b|\bmaxItems\b", "media_source"),
    (r"'(title|description|link|data)'", r"\1"),
    (r"\binvalid (?:url|link)\b|\b(?:url|link) is (?:invalid|blocked|not (?:a )?valid)\b", "link"),
    (r"\b(?:invalid|bad|broken) image\b|\bimage (?:data|is|size|type|format)\b", "media_source"),
    (r"\b(title|description)\b", r"\1"),
)
"""Other words of the same refusals, which change without notice: the first that is found names the
field. Only a 400 is read so, which says nothing else (docs/adr/0008)."""

_BLOCKED = re.compile(
    r"\bblocked (?:this|that|the|your) (?:link|site|url|website)\b"
    r"|\bsite (?:is not|isn't|was not) allowed\b|\bsite doesn't allow\b",
    re.IGNORECASE,
)
"""What is said of a link whatever the number: 429 and 9 come with "We blocked this link because it
may lead to spam" (seen in answers of 2026), which says nothing of the account."""

_MISSING = (("section", "section"), ("board", "board"), ("pin", "pin"))
"""What a 404 without a number of its own says is gone; older endpoints repeat the status."""

_WORD = re.compile(r"[a-z]+")


def error_codes(response: PlatformResponse) -> Iterator[str]:
    """Return what an answer says no with, most specific first."""
    return _codes_of_s3(response) if _is_xml(response) else _error_codes(response)


def token_codes(response: PlatformResponse) -> Sequence[str]:
    """Return what the token address says no with: 400 and 401 mean that the sign-in is over.

    Only the token and the client's credentials differ between calls, and a person brings both anew.
    """
    return (str(response.status),)


def is_gone(response: PlatformResponse) -> bool:
    """Tell whether Pinterest says that it has no such pin; older endpoints repeat the status."""
    return response.status == _NOT_FOUND and response.find("code") in (50, _NOT_FOUND)


def spam_block(response: PlatformResponse) -> RejectedError | None:
    """Return the refusal of a 429 that is about spam, None when it is about the rate.

    Nothing but one word tells them apart; Pinterest's own sample (api-quickstart, api_common.py)
    goes by it.
    """
    said = str(response.find("message_detail") or response.find("message"))
    if response.status != TOO_MANY or not (_names_spam(said) or _BLOCKED.search(said)):
        return None
    refused = (
        RejectedError(FailureCode.INVALID_OPTIONS, _BLOCKED_LINK)
        if _BLOCKED.search(said)
        else RejectedError(FailureCode.ACCOUNT_RESTRICTED, _SPAM)
    )
    refused.answer = read_platform_answer(response)
    return refused


def _names_spam(sentence: str) -> bool:
    return "spam" in _WORD.findall(sentence.lower())


def _error_codes(response: PlatformResponse) -> Iterator[str]:
    if response.find("status") == "failed":
        yield "failed"
    message = str(response.find("message"))
    yield f"{response.status} {message}"
    if response.status in {_BAD_REQUEST, _FORBIDDEN} and _BLOCKED.search(message):
        yield BLOCKED_LINK
    if response.status == _FORBIDDEN and _TRIAL.search(message):
        yield TRIAL
    if response.status == _FORBIDDEN and _names_spam(message):
        yield SPAM
    field = _FIELD.match(message)
    if field is not None:
        yield f"{response.status} {field['named'] or field['parameter']}"
    elif response.status == _BAD_REQUEST and not _ECHO.search(message):
        yield from _loosely_named(message)
    yield f"{response.status} {response.find('code')}"
    yield f"code {response.find('code')}"
    if response.status == _NOT_FOUND:
        words = _WORD.findall(message.lower())
        yield from (f"{_NOT_FOUND} {kind}" for word, kind in _MISSING if word in words)
    yield str(response.status)


def _loosely_named(message: str) -> Iterator[str]:
    for words, field in _LOOSELY:
        found = re.search(words, message, re.IGNORECASE)
        if found is not None:
            yield f"{_BAD_REQUEST} {found.expand(field).lower()}"
            return


def _codes_of_s3(response: PlatformResponse) -> Iterator[str]:
    """Yield S3's own code alone: its statuses say nothing about the account."""
    yield from (code.decode() for code in _S3_CODE.findall(response.body)[:1])


def _is_xml(response: PlatformResponse) -> bool:
    return response.body.lstrip().startswith(b"<")
