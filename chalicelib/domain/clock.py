"""Time is passed in: services and workers get a Clock, the domain gets `now` as an argument.

Every instant in this code base is an aware datetime in UTC unless its name says otherwise.
"""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """Return the present moment by this machine's clock, in UTC."""
    return datetime.now(UTC)
