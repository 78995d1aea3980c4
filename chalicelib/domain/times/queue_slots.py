"""Queue times: the weekly times at which a workspace's queued posts are published.

A slot is wall-clock time in the workspace's zone; `upcoming` turns slots into instants, by the rule
of `local_time`: a time skipped in spring moves to the end of the gap, of one repeated in autumn the
first is taken (docs/api.md "Queue slot").
"""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.ids import new_id
from chalicelib.domain.times.local_time import first_instant
from chalicelib.kit.dataclass import dataclass

HORIZON = timedelta(days=60)
MOST_SLOTS = 400

_MILLISECOND = timedelta(milliseconds=1)
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSlot:
    """A time of day, `HH:MM`, on some weekdays (0 is Monday), in the workspace's zone."""

    id: str
    weekdays: tuple[int, ...]
    time: str
    label: str = ""


DEFAULTS: tuple[tuple[tuple[int, ...], str], ...] = (
    ((0, 1, 2, 3, 4), "09:00"),
    ((0, 1, 2, 3, 4, 5, 6), "19:00"),
    ((5,), "10:00"),
)
"""Weekdays and time of the slots that a new workspace starts with (docs/api.md "Queue slot")."""


TIME_OF_DAY: Final = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
"""The form of a queue time."""

Moment = tuple[int, str]
"""A weekday, 0 for Monday, and a time, `HH:MM`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rearranged:
    """The slots to add and to remove, so that a workspace has the wanted times."""

    new: Sequence[QueueSlot]
    gone: Sequence[QueueSlot]


def rearrange(
    slots: Iterable[QueueSlot],
    now: datetime,
    *,
    added: Collection[Moment],
    removed: Collection[Moment],
    label: str = "",
) -> Rearranged:
    """Return how to add times and remove others; existing ones stay as they are.

    Moments with one time and one label become one slot. Changes that others made meanwhile are
    kept.
    """
    held: dict[tuple[str, str], list[QueueSlot]] = {}
    for slot in slots:
        held.setdefault((slot.time, slot.label), []).append(slot)
    before = {key: {day for slot in of for day in slot.weekdays} for key, of in held.items()}
    after = {
        (time_of_day, named): {day for day in days if (day, time_of_day) not in removed}
        for (time_of_day, named), days in before.items()
    }
    kept = {(day, time_of_day) for (time_of_day, _), days in after.items() for day in days}
    for day, time_of_day in added:
        if (day, time_of_day) not in kept:
            after.setdefault((time_of_day, label), set()).add(day)
    changed = sorted(key for key, days in after.items() if days != before.get(key))
    return Rearranged(
        new=[
            QueueSlot(
                id=new_id(now + place * _MILLISECOND),
                weekdays=tuple(sorted(after[key])),
                time=key[0],
                label=key[1],
            )
            for place, key in enumerate(changed)
            if after[key]
        ],
        gone=[slot for key in changed for slot in held.get(key, ())],
    )


def default_slots(now: datetime) -> tuple[QueueSlot, ...]:
    """Return the slots of a new workspace; their ids sort in docs/api.md's order."""
    return tuple(
        QueueSlot(id=new_id(now + place * _MILLISECOND), weekdays=weekdays, time=time_of_day)
        for place, (weekdays, time_of_day) in enumerate(DEFAULTS)
    )


def upcoming(
    slots: Iterable[QueueSlot], timezone: str, now: datetime, horizon: timedelta = HORIZON
) -> Iterator[datetime]:
    """Yield each queue time (UTC) after `now`, up to `now + horizon`, once and in order.

    Lazy: a day's times are computed when they are needed. Raises ZoneInfoNotFoundError for a zone
    that does not exist.
    """
    zone = ZoneInfo(timezone)
    times = _times_by_weekday(slots)
    end = now + horizon
    latest = now
    for day in _days(now.astimezone(zone).date(), horizon):
        for time_of_day in times.get(day.weekday(), ()):
            instant = first_instant(datetime.combine(day, time_of_day), zone)
            if instant > end:
                return
            if instant > latest:
                latest = instant
                yield instant


def next_free(
    slots: Iterable[QueueSlot], timezone: str, now: datetime, taken: Container[datetime]
) -> datetime | None:
    """Return the first upcoming queue time that is not taken, None when the horizon has none."""
    return next((at for at in upcoming(slots, timezone, now) if at not in taken), None)


def _times_by_weekday(slots: Iterable[QueueSlot]) -> dict[int, list[time]]:
    """Return each weekday's distinct times, earliest first."""
    found: dict[int, set[time]] = {}
    for slot in slots:
        for weekday in slot.weekdays:
            found.setdefault(weekday, set()).add(time.fromisoformat(slot.time))
    return {weekday: sorted(times) for weekday, times in found.items()}


def _days(first: date, horizon: timedelta) -> Iterator[date]:
    """Yield local days from the first one until surely past the horizon, in any zone."""
    for place in range(horizon.days + 4):
        yield first + place * _ONE_DAY
