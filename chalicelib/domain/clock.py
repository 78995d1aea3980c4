"""Time is passed in: services and workers get a Clock, the domain gets `now` as an argument.

Every instant in this code base is an aware datetime in UTC unless its name says otherwise.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]

LOOKED_AT_EVERY = timedelta(seconds=1)
"""How often the clock is read again during a wait: it may be set, forward or back."""


def system_clock() -> datetime:
    """Return the present moment by this machine's clock, in UTC."""
    return datetime.now(UTC)


def nap_s(left: timedelta) -> float:
    """Return for how long to wait before the clock is read again, with this much left."""
    return max(min(left, LOOKED_AT_EVERY), timedelta(0)).total_seconds()
