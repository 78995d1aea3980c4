"""When a morning's letter is due: once a day of the workspace's zone, over clock changes."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.workspace.notices import is_digest_due

PARIS, QUARTER = ZoneInfo("Europe/Paris"), timedelta(minutes=15)


def mornings(zone: ZoneInfo, begin: datetime, days: int, *, step: timedelta) -> list[datetime]:
    """Return when letters are written by rounds that come so often."""
    last, written, now = None, [], begin
    while now < begin + timedelta(days=days):
        if is_digest_due(last, now, zone):
            last = now
            written.append(now.astimezone(zone))
        now += step
    return written


@pytest.mark.parametrize(
    "name", ["Europe/Paris", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]
)
def test_each_day_of_a_year_has_one_at_eight(name: str) -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)

    found = mornings(ZoneInfo(name), begin, 365, step=QUARTER)

    assert len({one.date() for one in found}) == len(found)
    assert abs(len(found) - 365) <= 1
    assert {(one.hour, one.minute) for one in found[1:]} == {(8, 0)}


@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
def test_days_on_which_clocks_change_have_one(day: date) -> None:
    begin = datetime(day.year, day.month, day.day, tzinfo=PARIS)

    found = mornings(PARIS, begin.astimezone(UTC), 1, step=timedelta(minutes=1))

    assert [(one.date(), one.hour, one.minute) for one in found] == [(day, 8, 0)]


def test_what_was_missed_comes_in_the_morning_and_never_at_night() -> None:
    yesterday = datetime(2026, 11, 19, 8, tzinfo=UTC)

    due = {
        hour: is_digest_due(yesterday, datetime(2026, 11, 20, hour, tzinfo=UTC), ZoneInfo("UTC"))
        for hour in range(24)
    }

    assert [hour for hour, is_due in due.items() if is_due] == [8, 9, 10, 11]


def test_a_zone_that_is_changed_brings_no_second_letter_within_half_a_day() -> None:
    told = datetime(2026, 11, 20, 8, tzinfo=ZoneInfo("America/Los_Angeles"))

    soon = told + timedelta(hours=8)
    later = told + timedelta(hours=24)

    assert not is_digest_due(told, soon, ZoneInfo("Pacific/Auckland"))
    assert is_digest_due(told, later, ZoneInfo("America/Los_Angeles"))
