"""A day's chart: a curve shows when an account's audience is active, a sun marks the time.

Posts are below the curve at their times, and free queue times between them. An entry too near to
another one is counted with that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from chalicelib.kit.dataclass import dataclass
from chalicelib.web.forms.agenda import Entry
from chalicelib.web.forms.drawn import smooth_line

_HOURS = 24
_HOUR_WIDTH = 20
_TOP, _BOTTOM = 20, 102
_APART = 4
"""Half hours between two pictures: any closer, they would overlap on a phone."""


@dataclass(slots=True, kw_only=True)
class Mark:
    """A position in the day, in half hours from midnight: entries, or a free queue time."""

    at: datetime
    place: int
    entries: list[Entry] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ribbon:
    """A day's curve with its entries; `golden` are hours, from and to."""

    line: str
    now: int
    sun: tuple[str, int]
    golden: Sequence[tuple[int, int]]
    hazes: Sequence[int]
    marks: Sequence[Mark]


def ribbon(
    activity: Sequence[int],
    golden: Iterable[int],
    entries: Iterable[Entry],
    free: Iterable[datetime],
    *,
    now: datetime,
    zone: ZoneInfo,
) -> Ribbon:
    """Draw the day of `now`; hours are of its zone's clock."""
    hours, local = sorted(set(golden)), now.astimezone(zone)
    marks = _with_free(_entries(entries, zone), free, zone, local.date())
    spans = list(_spans(hours))
    return Ribbon(
        line=smooth_line(_points(activity)),
        now=_place(local),
        sun=(f"{(local.hour * 60 + local.minute) / 14.4:.1f}%", round(_height_at(activity, local))),
        golden=spans,
        hazes=[first + last for first, last in spans],
        marks=marks,
    )


def in_zone(hours: Sequence[int], told_in: ZoneInfo, zone: ZoneInfo, now: datetime) -> list[int]:
    """Convert values for each hour of one zone's clock to the hours of another's."""
    ahead = _hours_ahead(told_in, zone, now)
    return [hours[(hour - ahead) % _HOURS] for hour in range(_HOURS)]


def hour_in_zone(hour: int, told_in: ZoneInfo, zone: ZoneInfo, now: datetime) -> int:
    """Return the hour on another zone's clock at that time."""
    return (hour + _hours_ahead(told_in, zone, now)) % _HOURS


def _hours_ahead(told_in: ZoneInfo, zone: ZoneInfo, now: datetime) -> int:
    there, here = (now.astimezone(one).utcoffset() or timedelta() for one in (told_in, zone))
    return round((here - there) / timedelta(hours=1))


def _place(local: datetime) -> int:
    return local.hour * 2 + (local.minute >= 30)  # noqa: PLR2004 - half an hour


def _entries(entries: Iterable[Entry], zone: ZoneInfo) -> list[Mark]:
    marks: list[Mark] = []
    for at, found in groupby(entries, lambda entry: entry.at):
        place = _place(at.astimezone(zone))
        if marks and place - marks[-1].place < _APART:
            marks[-1].entries += found
        else:
            marks.append(Mark(at=at, place=place, entries=list(found)))
    return marks


def _with_free(
    marks: list[Mark], free: Iterable[datetime], zone: ZoneInfo, today: date
) -> list[Mark]:
    for at in free:
        local = at.astimezone(zone)
        place = _place(local)
        if local.date() == today and all(abs(place - one.place) >= _APART for one in marks):
            marks.append(Mark(at=at, place=place))
    return sorted(marks, key=lambda mark: mark.place)


def _spans(hours: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield runs of consecutive hours as first and end."""
    for _, run in groupby(enumerate(hours), lambda pair: pair[1] - pair[0]):
        found = [hour for _, hour in run]
        yield found[0], found[-1] + 1


def _points(activity: Sequence[int]) -> list[tuple[float, float]]:
    """Return the curve's points: an hour's activity is at its middle."""
    ends = [(-0.5, activity[-1]), *((n + 0.5, one) for n, one in enumerate(activity))]
    return [
        (hour * _HOUR_WIDTH, _BOTTOM - (_BOTTOM - _TOP) * one / 100)
        for hour, one in [*ends, (_HOURS + 0.5, activity[0])]
    ]


def _height_at(activity: Sequence[int], local: datetime) -> float:
    """Return the curve's height at a time, as `smooth_line` draws it."""
    hour = local.hour + local.minute / 60 - 0.5
    first = int(hour // 1)
    part = hour - first
    before, start, end, after = (activity[(first + n) % _HOURS] for n in (-1, 0, 1, 2))
    rise, fall = (end - before) / 2, (after - start) / 2
    value = (
        (2 * part**3 - 3 * part**2 + 1) * start
        + (part**3 - 2 * part**2 + part) * rise
        + (3 * part**2 - 2 * part**3) * end
        + (part**3 - part**2) * fall
    )
    return _BOTTOM - (_BOTTOM - _TOP) * value / 100
