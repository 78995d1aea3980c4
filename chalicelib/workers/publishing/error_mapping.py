"""The one place that turns what a platform call raised into an outcome, and words it for people.

The calling step decides what a missing answer means: on an irreversible step it is a doubt, on any
other a transient failure. What follows an outcome, and when, is decided in
`domain/engine/verdicts.py`.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from chalicelib.connectors.shared.calls.failures import (
    REFUSED,
    ErrorEntry,
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    UnlistedError,
    add_words,
    answer_behind,
    refusal_of,
)
from chalicelib.domain.engine.failures import page_for
from chalicelib.domain.outcome import Checkpoint, Failed, FailureCode, PlatformAnswer, Unanswered
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import NotSentError, PlatformError, UnansweredError
from chalicelib.storage.media.stored_file import MediaUnreadableError

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_UNAVAILABLE = "The platform did not answer."
_SLOW_DOWN = "The platform asks this account to post less often."
_EXPIRED = "The account's sign-in has expired or was revoked. Reconnect the account and retry."
_UNLISTED = "The platform refused for a reason that this service does not know."
_LATER = "Retry it later."
_UNREADABLE = "The file could not be read from storage."


def answer_of(call: Callable[[], T], *, doubt: Checkpoint | None = None) -> T | Failed | Unanswered:
    """Make a call and return its outcome, or what its exception means.

    With `doubt`, the call is irreversible: anything that does not prove a refusal is Unanswered,
    as is a fence that closed between two requests.
    """
    try:
        return call()
    except (MediaUnreadableError, PlatformError) as error:
        return _meaning_of(error, doubt)


def _meaning_of(
    error: MediaUnreadableError | PlatformError, doubt: Checkpoint | None
) -> Failed | Unanswered:
    if isinstance(error, MediaUnreadableError):
        facts = {"action": "media.unavailable"}
        _LOG.warning("A file could not be read from storage: %s.", error, extra=facts)
    answer = answer_behind(error)
    if doubt is None and isinstance(error, UnansweredError) and answer and answer.is_page:
        return page_for(answer)
    if doubt is None or isinstance(error, REFUSED):
        return replace(_failure_of(error), answer=answer)
    if answer is not None:
        _LOG.info("A platform's answer proved nothing.", extra=facts_of(answer))
    return Unanswered(doubt, answer)


def facts_of(answer: PlatformAnswer) -> dict[str, Json]:
    """Return what a platform said, as a log line has it."""
    return {
        "platform_status": answer.status,
        "platform_code": answer.code,
        "platform_subcode": answer.subcode,
        "platform_trace_id": answer.trace_id,
        "platform_sentence": answer.sentence,
    }


def explain(failed: Failed, platform: Platform, follows: str | None = None) -> str:
    """Return a refusal in our words, what follows it, and the platform's words if it said any.

    The refusal itself never says what follows: only who decides about the next try knows. Where
    the platform said why in its own words, nobody is told to try the same again.
    """
    answer = failed.answer
    is_silent = answer is None or answer.sentence is None
    if follows is None and is_silent and failed.message == _UNLISTED:
        follows = _LATER
    ours = failed.message if follows is None else f"{failed.message} {follows}"
    if is_silent and failed.code is FailureCode.UNKNOWN and answer is not None and answer.code:
        code = "/".join(filter(None, (answer.code, answer.subcode)))
        return f"{ours} {FACTS[platform].name}'s code for it is {code}."
    return add_words(ours, platform, answer)


def _failure_of(error: MediaUnreadableError | PlatformError) -> Failed:
    match error:
        case MediaUnreadableError():
            return Failed(code=FailureCode.MEDIA_UNAVAILABLE, message=_UNREADABLE)
        case UnlistedError():
            return Failed(code=FailureCode.UNKNOWN, message=_UNLISTED)
        case RejectedError():
            return refusal_of(error)
        case TokenRejectedError():
            return _by_row(Failed(code=FailureCode.AUTH_EXPIRED, message=_EXPIRED), error.row)
        case RateLimitedError():
            wait = error.retry_after or timedelta(0)
            failed = Failed(code=FailureCode.RATE_LIMITED, message=_SLOW_DOWN, retry_after=wait)
            return _by_row(failed, error.row)
        case NotSentError() | UnansweredError():
            return Failed(code=FailureCode.PLATFORM_UNAVAILABLE, message=_UNAVAILABLE)
        case _:
            raise error


def _by_row(failed: Failed, row: ErrorEntry | None) -> Failed:
    """Return a refusal as the platform's table tells it, if that has a sentence of its own."""
    if row is None:
        return failed
    return replace(failed, message=row.sentence, blame=row.blamed, app_wide=row.app_wide)
