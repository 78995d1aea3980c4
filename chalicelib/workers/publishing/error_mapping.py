"""One place that makes outcomes of what a platform call raised.

The calling step decides what a missing answer means: on an irreversible step it is a doubt, on
any other a transient failure.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from chalicelib.connectors.shared.transport.failures import (
    NotSentError,
    PlatformError,
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    UnansweredError,
    UnlistedError,
)
from chalicelib.domain.outcome import Checkpoint, Failed, FailureCode, Unanswered
from chalicelib.storage.media.source import MediaUnreadableError

T = TypeVar("T")

_UNAVAILABLE = "The platform did not answer. The service tries again by itself."
_SLOW_DOWN = "The platform asks to post less often. The service tries again by itself."
_EXPIRED = "The account's sign-in has expired or was withdrawn. Reconnect the account and retry."
_UNLISTED = "The platform refused for a reason that this service does not know. Retry it later."
_UNREADABLE = "The file could not be read from storage. The service tries again by itself."


def answer_of(call: Callable[[], T], *, doubt: Checkpoint | None = None) -> T | Failed | Unanswered:
    """Make a call and return its outcome, or what its exception means.

    With `doubt`, the call is irreversible: anything that does not prove a refusal is Unanswered.
    """
    try:
        return call()
    except (MediaUnreadableError, UnansweredError) as error:
        if doubt is not None:
            return Unanswered(doubt)
        return _undone(error)
    except PlatformError as error:
        return _failed(error)


def _undone(error: MediaUnreadableError | UnansweredError) -> Failed:
    match error:
        case MediaUnreadableError():
            return Failed(code=FailureCode.MEDIA_UNAVAILABLE, message=_UNREADABLE)
        case UnlistedError():
            return Failed(code=FailureCode.UNKNOWN, message=_UNLISTED)
        case _:
            return Failed(code=FailureCode.PLATFORM_UNAVAILABLE, message=_UNAVAILABLE)


def _failed(error: PlatformError) -> Failed:
    match error:
        case RejectedError():
            return Failed(code=error.code, message=error.message)
        case TokenRejectedError():
            return Failed(code=FailureCode.AUTH_EXPIRED, message=_EXPIRED)
        case RateLimitedError():
            wait = error.retry_after or timedelta(0)
            return Failed(code=FailureCode.RATE_LIMITED, message=_SLOW_DOWN, retry_after=wait)
        case NotSentError():
            return Failed(code=FailureCode.PLATFORM_UNAVAILABLE, message=_UNAVAILABLE)
        case _:
            raise error
