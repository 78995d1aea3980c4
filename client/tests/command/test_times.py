"""Times as people write them: what each means, what is refused, how it is read back."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from goldenhour.spoken.bounds import parse_bound
from goldenhour.spoken.times import (
    UnclearTime,
    find_zone,
    machine_zone,
    parse_dated_time,
    parse_time,
    tell_distance,
    tell_time,
)

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 11, 23, 9, 30, tzinfo=timezone.utc)
"""A Monday, 10:30 in Paris."""


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("tomorrow 09:00", "2026-11-24T08:00+00:00"),
        ("Tomorrow at 9am", "2026-11-24T08:00+00:00"),
        ("tomorrow at 9", "2026-11-24T08:00+00:00"),
        ("friday at 18", "2026-11-27T17:00+00:00"),
        ("tomorrow, 12 am", "2026-11-23T23:00+00:00"),
        ("today 18:30", "2026-11-23T17:30+00:00"),
        ("monday 11:00", "2026-11-23T10:00+00:00"),
        ("monday 10:00", "2026-11-30T09:00+00:00"),
        ("sunday 9:05", "2026-11-29T08:05+00:00"),
        ("in 90 minutes", "2026-11-23T11:00+00:00"),
        ("in 1 day", "2026-11-24T09:30+00:00"),
        ("2027-07-01 09:00", "2027-07-01T07:00+00:00"),
        ("2027-07-01T09:00:30", "2027-07-01T07:00:30+00:00"),
        ("2027-07-01T09:00+09:00", "2027-07-01T00:00+00:00"),
        ("2027-07-01T09:00Z", "2027-07-01T09:00+00:00"),
        ("2026-10-25 02:30", "2026-10-25T00:30+00:00"),
    ],
)
def test_a_time_means_one_moment(text: str, moment: str) -> None:
    assert datetime.fromisoformat(moment) == parse_time(text, PARIS, NOW)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("yesterday", "2026-11-21T23:00+00:00"),
        ("Today", "2026-11-22T23:00+00:00"),
        ("tomorrow", "2026-11-23T23:00+00:00"),
        ("2026-07-01", "2026-06-30T22:00+00:00"),
        ("2026-07-01 09:00", "2026-07-01T07:00+00:00"),
        ("tomorrow 09:00", "2026-11-24T08:00+00:00"),
    ],
)
def test_a_day_alone_bounds_a_list_by_its_beginning(text: str, moment: str) -> None:
    assert datetime.fromisoformat(moment) == parse_bound(text, PARIS, NOW)


def test_a_day_whose_midnight_is_left_out_begins_at_one() -> None:
    at = parse_bound(
        "2026-09-06", ZoneInfo("America/Santiago"), NOW
    )  # tzdata: clocks go on at 24:00

    assert datetime(2026, 9, 6, 4, tzinfo=timezone.utc) == at


@pytest.mark.parametrize("text", ["friday", "2026-7-1", "", "soon"])
def test_a_bound_that_could_be_several_is_refused(text: str) -> None:
    with pytest.raises(UnclearTime, match="is not a time"):
        parse_bound(text, PARIS, NOW)


@pytest.mark.parametrize(
    "text", ["2027-02-30 09:00", "2027-02-30T09:00:00+01:00", "2027-13-01 25:00", "2027-02-30"]
)
def test_a_day_that_no_calendar_has_is_named(text: str) -> None:
    with pytest.raises(UnclearTime, match=f"the calendar has no {text[:10]}"):
        parse_bound(text, PARIS, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "09:00",
        "9",
        "soon",
        "",
        "tomorrow",
        "tomorrow 25:00",
        "tomorrow 13pm",
        "tomorrow 0am",
        "tomorrow 9",
        "tomorrow at 25",
        "next friday 09:00",
        "friday the 13th",
        "01/02/2027 09:00",
        "2027-02-30 09:00",
        "2027-03-28 02:30",
        "in two hours",
        "in 2 months",
        "in 99999 minutes",
    ],
)
def test_what_is_not_certain_is_refused(text: str) -> None:
    with pytest.raises(UnclearTime):
        parse_time(text, PARIS, NOW)


def test_a_plan_takes_only_times_that_mean_the_same_on_every_day() -> None:
    with pytest.raises(UnclearTime, match="has no date"):
        parse_dated_time("tomorrow 09:00", PARIS, NOW)


@pytest.mark.parametrize("name", ["Europe/Pariss", "../etc/passwd", "", "CET+1:00:00"])
def test_a_zone_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(UnclearTime, match="Names look like Europe/Paris"):
        find_zone(name)


def test_a_time_is_read_back_with_its_zone_and_offset() -> None:
    told = tell_time(datetime(2027, 7, 1, 7, tzinfo=timezone.utc), PARIS)

    assert "Thu 1 Jul 2027, 09:00 Europe/Paris (UTC+02:00)" == told


def test_a_machine_without_a_named_zone_is_in_utc_or_says_what_to_give() -> None:
    assert "Europe/Paris" == machine_zone("Europe/Paris", ("CET", "CEST"))
    assert "UTC" == machine_zone(None, ("UTC", "UTC"))
    with pytest.raises(UnclearTime, match="--zone Europe/Paris"):
        machine_zone(None, ("GMT", "BST"))


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2026-11-23T09:30+00:00", "now"),
        ("2026-11-23T10:45+00:00", "in 1 h 15 min"),
        ("2026-11-23T11:30+00:00", "in 2 h"),
        ("2026-11-26T12:31+00:00", "in 3 d 3 h"),
        ("2026-11-23T09:18+00:00", "12 min ago"),
    ],
)
def test_a_distance_is_told_in_words(at: str, told: str) -> None:
    assert told == tell_distance(datetime.fromisoformat(at), NOW)
