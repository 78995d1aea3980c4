"""The dates of a repetition: by a table read by hand, and as `dateutil`'s RFC 5545 rules say."""

import random
from datetime import date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import DAILY, MO, MONTHLY, WEEKLY, rrule

from chalicelib.domain.times.recurrence import Every, Rule, at_clock, dates

FRIDAY = date(2026, 11, 20)


def first(rule: Rule, begin: date, count: int = 4) -> list[str]:
    return [f"{day:%m-%d}" for day in islice(dates(rule, begin, after=begin), count)]


@pytest.mark.parametrize(
    ("rule", "begin", "expected"),
    [
        (Rule(every=Every.DAY), FRIDAY, "11-21 11-22 11-23 11-24"),
        (Rule(every=Every.DAY, interval=12), FRIDAY, "12-02 12-14 12-26 01-07"),
        (Rule(every=Every.WEEK), FRIDAY, "11-27 12-04 12-11 12-18"),
        (Rule(every=Every.WEEK, interval=2), FRIDAY, "12-04 12-18 01-01 01-15"),
        (Rule(every=Every.WEEK, weekdays=(0, 4)), FRIDAY, "11-23 11-27 11-30 12-04"),
        (Rule(every=Every.WEEK, weekdays=(4, 6, 4)), FRIDAY, "11-22 11-27 11-29 12-04"),
        (Rule(every=Every.WEEK, interval=2, weekdays=(0, 6)), FRIDAY, "11-22 11-30 12-06 12-14"),
        (Rule(every=Every.MONTH), FRIDAY, "12-20 01-20 02-20 03-20"),
        (Rule(every=Every.MONTH), date(2027, 10, 31), "11-30 12-31 01-31 02-29"),
        (Rule(every=Every.MONTH, interval=12), date(2028, 2, 29), "02-28 02-28 02-28 02-29"),
        (Rule(every=Every.DAY, until=date(2026, 11, 22)), FRIDAY, "11-21 11-22"),
        (Rule(every=Every.WEEK, until=FRIDAY), FRIDAY, ""),
        (Rule(every=Every.MONTH), date(9999, 11, 30), "12-30"),
    ],
)
def test_the_dates_that_follow(rule: Rule, begin: date, expected: str) -> None:
    assert first(rule, begin) == expected.split()


def test_what_is_done_is_left_out() -> None:
    rule = Rule(every=Every.WEEK)

    assert next(dates(rule, FRIDAY, after=date(2027, 1, 1))) == date(2027, 1, 8)


def _oracle(rule: Rule, begin: date) -> rrule:
    start = datetime(begin.year, begin.month, begin.day)  # noqa: DTZ001 - a date
    match rule.every:
        case Every.DAY:
            return rrule(DAILY, start, interval=rule.interval)
        case Every.WEEK:
            days = list(rule.weekdays) or None
            return rrule(WEEKLY, start, interval=rule.interval, wkst=MO, byweekday=days)
        case Every.MONTH:
            last = list(range(28, begin.day + 1)) or [begin.day]
            return rrule(MONTHLY, start, interval=rule.interval, bymonthday=last, bysetpos=-1)


def test_every_rule_goes_as_dateutils_rules_go() -> None:
    chance = random.Random(7)
    for _ in range(400):
        every = chance.choice(list(Every))
        days = tuple(chance.sample(range(7), chance.randrange(4))) if every is Every.WEEK else ()
        rule = Rule(every=every, interval=chance.randint(1, 12), weekdays=days)
        begin = date(2024, 1, 1) + timedelta(days=chance.randrange(1500))

        ours = list(islice(dates(rule, begin, after=begin), 60))
        theirs = (one.date() for one in _oracle(rule, begin))

        assert ours == list(islice((day for day in theirs if day > begin), 60)), (rule, begin)


@pytest.mark.parametrize(
    ("zone", "clock", "day", "expected"),
    [
        ("Europe/Berlin", "2026-10-20T09:00", "2026-10-26", "2026-10-26T08:00"),
        ("Europe/Berlin", "2026-03-20T02:30", "2026-03-29", "2026-03-29T01:00"),
        ("Europe/Berlin", "2026-10-20T02:30", "2026-10-25", "2026-10-25T00:30"),
        ("Pacific/Apia", "2011-12-20T09:00", "2011-12-30", "2011-12-30T10:00"),
    ],
    ids=["the clock stays", "a skipped hour", "the first of two", "a skipped day"],
)
def test_a_wall_clock_goes_through_changes_of_clocks(
    zone: str, clock: str, day: str, expected: str
) -> None:
    wall = datetime.fromisoformat(clock)

    at = at_clock(wall, wall.date(), date.fromisoformat(day), ZoneInfo(zone))

    assert f"{at:%Y-%m-%dT%H:%M}" == expected
