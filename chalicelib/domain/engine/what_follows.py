"""What a person reads after a refusal about what follows: another try by itself, or what to do."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.outcome import TRANSIENT, Failed, FailureCode

_RETRIES = "The service retries by itself."
DELETED = "The post was deleted, so the service does not retry it."

_ONCE_GONE = "Retry once the cause is gone."
_NO_RETRY = f"The service does not retry this by itself. {_ONCE_GONE}"
_GAVE_UP = "The service gave up."
_WHAT_TO_DO: Final[Mapping[str, str]] = {
    FailureCode.RATE_LIMITED: "Wait until the platform takes more posts, then retry.",
    FailureCode.PLATFORM_UNAVAILABLE: "Retry when the platform works again.",
    FailureCode.MEDIA_UNAVAILABLE: (
        "Retry later. If that fails too, upload the file again and make a new post."
    ),
}
_ONCE_SETTLED = "Retry once this service's operator has settled it with the platform."
_LATER = "Retry later."
_MINUTE = timedelta(minutes=1)
_TO_THE_MINUTE = "%Y-%m-%d %H:%M"


def after_the_last_try(failed: Failed, *, now: datetime, tries: int = 0) -> str | None:
    """Return what follows a refusal that the service does not try again, if that is to be said.

    `tries` came before. A refusal for good needs no such words unless its code is one that the
    service mostly retries.
    """
    if not failed.is_transient:
        never = f"{_GAVE_UP} {_ONCE_GONE}" if tries else _NO_RETRY
        return never if failed.code in TRANSIENT else None
    if failed.own_pace:
        return f"{_GAVE_UP} {_ONCE_SETTLED}"
    if failed.retry_after is not None and failed.retry_after >= _MINUTE:
        return f"{_GAVE_UP} {_once_allowed(now + failed.retry_after)}"
    return f"{_GAVE_UP} {_WHAT_TO_DO.get(failed.code, _LATER)}"


def before_the_next_try(at: datetime, until: datetime, *, now: datetime) -> str:
    """Return what follows a refusal that the service tries again: when, and how long it goes on."""
    next_try = f" The next try is at {at:{_TO_THE_MINUTE}} UTC." if at - now >= _MINUTE else ""
    return f"{_RETRIES}{next_try} It goes on until {until:{_TO_THE_MINUTE}} UTC at the latest."


def before_the_next_look(until: datetime) -> str:
    """Return what follows an answer that proves nothing: a look first, and how long it goes on."""
    return (
        "The service looks whether the post is out and sends it if it is not. It goes on by itself"
        f" until {until:{_TO_THE_MINUTE}} UTC at the latest."
    )


def _once_allowed(allowed: datetime) -> str:
    return f"Retry after {allowed + _MINUTE:{_TO_THE_MINUTE}} UTC, as the platform asks."
