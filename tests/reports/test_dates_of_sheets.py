"""Sheets whose dates were called unclear though they name one day: a whole plan was refused.

The forms are those of spreadsheets' locales (Unicode CLDR, dateFormats short and medium, and the
clocks of Finnish and French): nobody writes a thirty-first month.
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.spoken.times import UnclearTime, parse_dated_time

ZONE, NOW = ZoneInfo("Europe/Berlin"), datetime(2026, 11, 25, tzinfo=UTC)
AT = datetime(2026, 12, 31, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "31/12/2026 09:00",
        "31/12/2026 9:00:00",
        "31-12-2026 09:00",
        "12/31/2026 9:00 AM",
        "12/31/2026, 9:00\u202fAM",
        "31/12/2026\u00a009:00",
        "31. 12. 2026 9:00",
        "31.12.2026 9.00",
        "31/12/2026 09h00",
        "2026-12-31 9:00",
        "2026/12/31 9:00",
        "2026. 12. 31. 9:00",
        "2026年12月31日 9:00",
    ],
)
def test_a_date_that_can_be_one_day_only_is_that_day(text: str) -> None:
    assert parse_dated_time(text, ZONE, NOW) == AT


def test_the_same_number_twice_is_the_same_day_both_ways() -> None:
    assert parse_dated_time("05/05/2027 09:00", ZONE, NOW) == datetime(2027, 5, 5, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("5/6/2027 09:00", "could begin with the day or the month"),
        ("1-12-2027 09:00", "could begin with the day or the month"),
        ("31/12/26 09:00", "could begin with the day or the month"),
        ("31/12-2026 09:00", "could begin with the day or the month"),
        ("32/12/2026 09:00", "the calendar has no"),
        ("31/31/2026 09:00", "the calendar has no"),
        ("31/11/2026 09:00", "the calendar has no"),
        ("0/31/2026 09:00", "the calendar has no"),
        ("31/12/2026", "has no time of day"),
        ("31.12.2026", "has no time of day"),
        ("2026-12-31", "has no time of day"),
        ("31/12/2026 25:00", "is not a time of day"),
        ("0001-01-01 00:00:00", "is not between 1970 and 2999"),
        ("9999-12-31T23:59:59-23:59", "is not between 1970 and 2999"),
        ("9999-12-31 23:59:59", "is not between 1970 and 2999"),
    ],
)
def test_any_other_is_refused_with_what_is_unclear(text: str, told: str) -> None:
    """The first moment of year 1 is .NET's empty date (github.com/dotnet/runtime/issues/41823).

    East of Greenwich it is none in UTC, and the whole plan ended with it. The last of year 9999, an
    end that never comes, passed as a time, and ended the making of the plan.
    """
    with pytest.raises(UnclearTime, match=told):
        parse_dated_time(text, ZONE, NOW)
