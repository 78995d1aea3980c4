"""Queue times as a week: a row for each hour, a place for each weekday, and the golden hours."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.kit.dataclass import dataclass

_SHOWN: Final = range(7, 21)
"""The hours that are shown though no queue time is in them."""
_DAYS: Final = range(7)

WeekHour = tuple[int, int]
"""A weekday, 0 for Monday, and an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One weekday's hour: its queue times, and for which platforms it is golden."""

    weekday: int
    slots: Sequence[QueueSlot]
    golden: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One hour of the week."""

    hour: int
    places: Sequence[Place]


def grid_of(slots: Sequence[QueueSlot], golden: Mapping[WeekHour, Sequence[str]]) -> list[Row]:
    """Return the hours of the day, and those of the night in which a queue time is."""
    held = {
        (day, hour): found
        for day in _DAYS
        for hour in range(24)
        if (found := list(_in(slots, day, hour)))
    }
    hours = {*_SHOWN, *(hour for _, hour in held)}
    return [
        Row(
            hour=hour,
            places=[
                Place(
                    weekday=day,
                    slots=held.get((day, hour), ()),
                    golden=golden.get((day, hour), ()),
                )
                for day in _DAYS
            ],
        )
        for hour in sorted(hours)
    ]


def week_hour(at: datetime, zone: ZoneInfo) -> WeekHour:
    """Return where an instant stands in the week."""
    local = at.astimezone(zone)
    return local.weekday(), local.hour


def _in(slots: Sequence[QueueSlot], day: int, hour: int) -> Iterator[QueueSlot]:
    """Yield the queue times of a weekday's hour, early ones first."""
    for slot in sorted(slots, key=lambda one: one.time):
        if day in slot.weekdays and int(slot.time[:2]) == hour:
            yield slot
