"""Every change of every zone's clock from 2024 to 2036, for properties that must hold around them.

`SOME_ZONES` is a seeded sample with the zones known to be odd; `ALL_ZONES` is for the long proof.
"""

import functools
import random
from bisect import bisect_left
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

ALL_ZONES = sorted(available_timezones())
ODD_ZONES = (
    "Africa/Cairo",  # changes at midnight
    "Africa/Casablanca",  # winter time in Ramadan
    "America/Havana",  # repeats midnight
    "America/Santiago",  # skips midnight
    "America/Scoresbysund",
    "Antarctica/Troll",  # moves by two hours
    "Asia/Beirut",  # falls back into the day before
    "Asia/Kathmandu",  # 5:45
    "Asia/Kolkata",  # 5:30
    "Australia/Lord_Howe",  # moves by half an hour
    "Pacific/Chatham",  # 12:45
    "Pacific/Kiritimati",  # 14:00
)
SOME_ZONES = sorted({*ODD_ZONES, *random.Random(36).sample(ALL_ZONES, 4)})

_FIRST = datetime(2024, 1, 1, tzinfo=UTC)
_DAYS = (datetime(2037, 1, 1, tzinfo=UTC) - _FIRST).days
_MINUTES_A_DAY = 24 * 60


def check_every_change(check: Callable[[datetime, ZoneInfo, random.Random], None]) -> str:
    """Check around every change in all zones; return how many there were, to be printed."""
    checked = 0
    for name in ALL_ZONES:
        zone, luck = ZoneInfo(name), random.Random(name)
        for change in changes(zone):
            check(change, zone, luck)
            checked += 1
    return f"{checked} clock changes in {len(ALL_ZONES)} zones"


@functools.cache
def changes(zone: ZoneInfo) -> list[datetime]:
    """Return the instants at which the zone's offset changes, or any one if it never does."""
    offsets = [(_FIRST + timedelta(days=day)).astimezone(zone).utcoffset() for day in range(_DAYS)]
    found = [
        _change_after(_FIRST + timedelta(days=day), zone)
        for day in range(_DAYS - 1)
        if offsets[day] != offsets[day + 1]
    ]
    return found or [datetime(2026, 11, 20, 12, 0, tzinfo=UTC)]


def _change_after(start: datetime, zone: ZoneInfo) -> datetime:
    before = start.astimezone(zone).utcoffset()
    minute = bisect_left(
        range(_MINUTES_A_DAY),
        1,
        key=lambda m: (start + timedelta(minutes=m)).astimezone(zone).utcoffset() != before,
    )
    return start + timedelta(minutes=minute)
