"""Which hours of a week are good, by the results of a workspace's own posts.

The results page shows it (docs/results.md). A platform's curve has no weekdays: it says how busy an
hour is, and is adjusted by the results of a weekday's posts in that hour compared with other days.
An hour with few posts stays near its usual, as in `learning`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from chalicelib.domain.analytics.counters import DayCounters, Kind, read_hour_mark
from chalicelib.domain.analytics.learning import (
    ENOUGH_IN_AN_HOUR,
    ENOUGH_TARGETS,
    PRIOR,
    WORTH_TELLING,
)
from chalicelib.domain.analytics.metrics import HourSums, WeekHour

_DAYS = 7
_HOURS = 24
_BEST = 100
_GOLDEN = 92
_BY_DAY = range(6, 23)

Week = tuple[tuple[int, ...], ...]
"""The hours of Monday to Sunday, 100 at the best."""


class BestHour(NamedTuple):
    """A weekday, 0 for Monday, its best hour, and how many times the usual views it has."""

    weekday: int
    hour: int
    times: float


def sums_by_week_hour(days: Iterable[DayCounters]) -> dict[WeekHour, HourSums]:
    """Return the sums of each hour of a week; targets without reported metrics are left out."""
    sums: dict[WeekHour, HourSums] = {}
    for day in days:
        for (kind, mark), views in day.counters.items():
            if kind is Kind.VIEWS:
                place = (day.day.weekday(), read_hour_mark(mark)[1])
                more = HourSums(day.counters[Kind.TARGETS, mark], views)
                sums[place] = sums.get(place, HourSums()) + more
    return sums


def week_activity(activity: Sequence[int], sums: Mapping[WeekHour, HourSums]) -> Week:
    """Return how good each hour of a week is; `activity` is that of any day."""
    usual = [
        sum((of for (_, at), of in sums.items() if at == hour), HourSums())
        for hour in range(_HOURS)
    ]
    moved = [
        [busy * _times(sums.get((day, hour)), usual[hour]) for hour, busy in enumerate(activity)]
        for day in range(_DAYS)
    ]
    best = max(map(max, moved)) or 1
    return tuple(tuple(round(_BEST * one / best) for one in day) for day in moved)


def hours_to_show(week: Week) -> range:
    """Return the hours of the day and evening, or all if one at night is about the best."""
    nights = [one for day in week for hour, one in enumerate(day) if hour not in _BY_DAY]
    return _BY_DAY if max(nights) < _GOLDEN else range(_HOURS)


def best_hour(sums: Mapping[WeekHour, HourSums]) -> BestHour | None:
    """Return the hour of the week that is clearly the best; None with too few results."""
    usual = sum(sums.values(), HourSums())
    if usual.targets < ENOUGH_TARGETS:
        return None
    told = [
        BestHour(*place, _times(of, usual))
        for place, of in sums.items()
        if of.targets >= ENOUGH_IN_AN_HOUR
    ]
    best = max(told, key=lambda one: one.times, default=None)
    return best if best is not None and best.times >= WORTH_TELLING else None


def _times(of: HourSums | None, usual: HourSums) -> float:
    """Return how many times the usual views it had, with PRIOR usual posts added to its own."""
    if of is None or not usual.views or not usual.targets:
        return 1.0
    mean = usual.views / usual.targets
    return (of.views + PRIOR * mean) / ((of.targets + PRIOR) * mean)
