"""Around every change of a clock, queue times are what a minute-by-minute look at it finds."""

import random
from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate, pairwise
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.times.queue_slots import QueueSlot, upcoming
from tests.domain.times.zone_changes import SOME_ZONES, changes, check_every_change

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


@pytest.mark.parametrize("name", SOME_ZONES)
def test_times_around_a_change_are_right_in_some_zones(name: str) -> None:
    zone = ZoneInfo(name)
    luck = random.Random(name)

    for change in luck.sample(changes(zone), 1):
        check_around(change, zone, luck)


@pytest.mark.prove
def test_times_around_every_change_are_right_in_all_zones() -> None:
    checked = check_every_change(check_around)

    print(f"queue times: {checked}")  # noqa: T201


def check_around(change: datetime, zone: ZoneInfo, luck: random.Random) -> None:
    """Compare slots near the change with what the clock shows minute by minute."""
    now = change - timedelta(minutes=luck.randrange(36 * 60), seconds=luck.randrange(60))
    horizon = timedelta(hours=luck.randrange(1, 72), minutes=luck.randrange(60))
    slots = some_slots(change.astimezone(zone), luck)

    found = list(upcoming(slots, zone.key, now, horizon))

    assert all(earlier < later for earlier, later in pairwise(found))
    assert all(now < instant <= now + horizon for instant in found)
    assert all(instant.tzinfo is UTC for instant in found)
    assert set(found) == seen_on_the_clock(slots, zone, now, horizon)


def some_slots(local: datetime, luck: random.Random) -> list[QueueSlot]:
    """Return slots within two hours of the change's local time, and two at any time."""
    near = [local + luck.randrange(-120, 121) * MINUTE for _ in range(6)]
    anywhen = [local + luck.randrange(24 * 60) * MINUTE for _ in range(2)]
    return [
        QueueSlot(
            id=str(place),
            weekdays=tuple(luck.sample(range(7), luck.randrange(1, 8))),
            time=f"{when:%H:%M}",
        )
        for place, when in enumerate([local, *near, *anywhen])
    ]


def seen_on_the_clock(
    slots: list[QueueSlot], zone: ZoneInfo, now: datetime, horizon: timedelta
) -> set[datetime]:
    """Return the first minute at which the clock has reached each slot's local times."""
    start = (now - 2 * DAY).replace(second=0)
    minutes = [start + minute * MINUTE for minute in range((horizon + 4 * DAY) // MINUTE)]
    shown = [instant.astimezone(zone).replace(tzinfo=None, fold=0) for instant in minutes]
    reached = list(accumulate(shown, max))
    days = [shown[0].date() + days * DAY for days in range(1, horizon.days + 4)]
    wanted = (asked for day in days for asked in times_of(slots, day))
    instants = (minutes[bisect_left(reached, asked)] for asked in wanted if asked <= reached[-1])
    return {instant for instant in instants if now < instant <= now + horizon}


def times_of(slots: list[QueueSlot], day: date) -> list[datetime]:
    return [
        datetime.combine(day, time.fromisoformat(slot.time))
        for slot in slots
        if day.weekday() in slot.weekdays
    ]
