"""The dates of a repetition, and their instants: pure, by the workspace's calendar.

Dates are counted from the first one, which is the post's own. A week begins on Monday. A month that
lacks the first one's day takes its last: a post of the 31st is repeated on 30 April. The wall clock
becomes an instant by the rule of `local_time`. docs/api.md "Series" is for callers.
"""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from chalicelib.domain.times.local_time import first_instant
from chalicelib.kit.dataclass import dataclass

_MONTHS = 12
_WEEK = 7


class Every(StrEnum):
    """The unit of a repetition."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Every `interval` days, weeks or months; with weeks on these weekdays (0 is Monday).

    Without weekdays a week's is the first date's. `until` is the last possible date.
    """

    every: Every
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    until: date | None = None


def dates(rule: Rule, first: date, *, after: date) -> Iterator[date]:
    """Yield the dates of a repetition that come after the first one and after `after`, in order."""
    latest = max(first, after)
    for day in _all_dates(rule, first):
        if rule.until is not None and day > rule.until:
            return
        if day > latest:
            yield day


def at_clock(clock: datetime, first: date, day: date, zone: ZoneInfo) -> datetime:
    """Return the instant at which a date shows the clock that the first one showed.

    A clock's day may differ from the first date: the difference in days is kept.
    """
    return first_instant(clock + (day - first), zone)


def _all_dates(rule: Rule, first: date) -> Iterator[date]:
    """Yield the first date and all that follow, up to the year 9999."""
    try:
        match rule.every:
            case Every.DAY:
                yield from _by_days(first, rule.interval)
            case Every.WEEK:
                yield from _by_weeks(first, rule.interval, rule.weekdays or (first.weekday(),))
            case Every.MONTH:
                yield from _by_months(first, rule.interval)
    except (OverflowError, ValueError):
        return  # after the year 9999


def _by_days(first: date, interval: int) -> Iterator[date]:
    day = first
    while True:
        yield day
        day += timedelta(days=interval)


def _by_weeks(first: date, interval: int, weekdays: tuple[int, ...]) -> Iterator[date]:
    monday = first - timedelta(days=first.weekday())
    while True:
        for weekday in sorted(set(weekdays)):
            day = monday + timedelta(days=weekday)
            if day >= first:
                yield day
        monday += timedelta(days=interval * _WEEK)


def _by_months(first: date, interval: int) -> Iterator[date]:
    month = first.year * _MONTHS + first.month - 1
    while True:
        year, place = divmod(month, _MONTHS)
        last = monthrange(year, place + 1)[1]
        yield date(year, place + 1, min(first.day, last))
        month += interval
