"""Queue times as a week: a row for each hour, a place for each weekday, and the golden hours."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.times.queue_slots import TIME_OF_DAY, Moment, QueueSlot
from chalicelib.kit.dataclass import dataclass

_SHOWN: Final = range(7, 21)
"""The hours that are shown even without a queue time."""
_DAYS: Final = range(7)
_DAY_DIGITS: Final = frozenset(map(str, _DAYS))
_TIME: Final = re.compile(TIME_OF_DAY)

WeekHour = tuple[int, int]
"""A weekday, 0 for Monday, and an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A time that can be ticked: whether it is ticked, whether it is saved so, and its labels."""

    time: str
    is_on: bool
    was_on: bool
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One weekday's hour: its times to tick, and the platforms for which it is golden."""

    weekday: int
    ticks: Sequence[Tick]
    golden: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One hour of the week."""

    hour: int
    places: Sequence[Place]


def grid_of(
    slots: Sequence[QueueSlot],
    ticked: Collection[Moment],
    golden: Mapping[WeekHour, Sequence[str]],
) -> list[Row]:
    """Return the hours of the day, and those of the night in which a queue time is or was."""
    labels: dict[Moment, list[str]] = {}
    for slot in slots:
        for day in slot.weekdays:
            labels.setdefault((day, slot.time), []).append(slot.label)
    held: dict[WeekHour, list[Tick]] = {}
    for day, time in sorted({*labels, *ticked}):
        known = labels.get((day, time), ())
        tick = Tick(
            time=time,
            is_on=(day, time) in ticked,
            was_on=(day, time) in labels,
            label=", ".join(filter(None, known)),
        )
        held.setdefault((day, int(time[:2])), []).append(tick)
    hours = {*_SHOWN, *(hour for _, hour in held)}
    return [
        Row(
            hour=hour,
            places=[
                Place(
                    weekday=day,
                    ticks=held.get((day, hour)) or [_free(hour)],
                    golden=golden.get((day, hour), ()),
                )
                for day in _DAYS
            ],
        )
        for hour in sorted(hours)
    ]


def week_hour(at: datetime, zone: ZoneInfo) -> WeekHour:
    """Return an instant's hour of the week."""
    local = at.astimezone(zone)
    return local.weekday(), local.hour


def moments_of(slots: Iterable[QueueSlot]) -> set[Moment]:
    """Return the moments of the week that slots have."""
    return {(day, slot.time) for slot in slots for day in slot.weekdays}


def words_of(moments: Iterable[Moment]) -> str:
    """Return moments as a form sends them, `0 09:00,2 18:30`."""
    return ",".join(f"{day} {time}" for day, time in sorted(moments))


def moment_from(text: str) -> Moment | None:
    """Return the moment that a form names, `0 09:00`, None if it is none."""
    day, _, time = text.partition(" ")
    return (int(day), time) if day in _DAY_DIGITS and _TIME.fullmatch(time) else None


def _free(hour: int) -> Tick:
    return Tick(time=f"{hour:02}:00", is_on=False, was_on=False, label="")
