"""From a wall clock to an instant, in zones that skip hours in spring and repeat them in autumn.

`queue_slots` and `golden_hour` use it. A local time means the first instant at which the zone's
clock shows it or a later one, so the order of local times is the order of instants.
"""

from bisect import bisect_left
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_SECOND = timedelta(seconds=1)


def first_instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the first instant (UTC) at which the zone's clock shows this naive time or later.

    A skipped time becomes the end of the gap, of a repeated one the first is taken.
    """
    instant = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if wall_clock(instant, zone) == local:
        return instant
    # PEP 495: in a gap, fold 1 is before the change and fold 0 after it.
    before = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    seconds = range(int((instant - before) / _SECOND) + 1)
    to_change = bisect_left(
        seconds, 1, key=lambda second: wall_clock(before + second * _SECOND, zone) >= local
    )
    return before + to_change * _SECOND


def exists(local: datetime, zone: ZoneInfo) -> bool:
    """Tell whether the zone's clock ever shows this naive time."""
    return wall_clock(first_instant(local, zone), zone) == local


def wall_clock(instant: datetime, zone: ZoneInfo) -> datetime:
    """Return what the zone's clock shows at an instant, naive."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)
