"""Golden hours: whole hours of the audience's clock, at which most of it is there."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import Audience, Region, audience_of
from chalicelib.domain.times.golden_hour import (
    GoldenHour,
    golden_hour,
    golden_hours,
    next_best_hour,
)
from chalicelib.domain.times.local_time import exists
from tests.domain.times.zone_changes import SOME_ZONES, changes, check_every_change

FRIDAY_NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ONLY_AT_TWO = tuple(100 if hour == 2 else 1 for hour in range(24))
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("timezone", "now", "expected"),
    [
        pytest.param("UTC", "2026-11-20T08:59:59Z", "2026-11-20T09:00+00:00", id="today"),
        pytest.param("UTC", "2026-11-20T09:00Z", "2026-11-21T09:00+00:00", id="now-is-too-late"),
        pytest.param("Asia/Kolkata", "2026-11-20T00:00Z", "2026-11-20T09:00+05:30", id="half-hour"),
        pytest.param("Asia/Kathmandu", "2026-11-20T03:15Z", "2026-11-21T09:00+05:45", id="quarter"),
        pytest.param("America/New_York", "2026-03-08T04:00Z", "2026-03-08T09:00-04:00", id="gap"),
        pytest.param("America/New_York", "2026-11-01T03:00Z", "2026-11-01T09:00-05:00", id="twice"),
        pytest.param("Pacific/Kiritimati", "2026-11-20T12:00Z", "2026-11-21T09:00+14:00", id="+14"),
    ],
)
def test_the_golden_hour_is_the_next_best_hour_of_the_audiences_clock(
    timezone: str, now: str, expected: str
) -> None:
    audience = Audience(timezone=timezone)

    at = golden_hour(Platform.FACEBOOK, audience, datetime.fromisoformat(now))

    assert at.isoformat(timespec="minutes") == expected


@pytest.mark.parametrize(
    ("timezone", "now", "expected"),
    [
        pytest.param("Europe/Paris", "2026-03-28T12:00Z", "2026-03-29T00:00+01:00", id="skipped"),
        pytest.param("Europe/Paris", "2026-10-25T00:00Z", "2026-10-26T02:00+01:00", id="twice"),
        pytest.param(
            "Australia/Lord_Howe", "2026-10-03T12:00Z", "2026-10-04T00:00+10:30", id="half-gone"
        ),
    ],
)
def test_an_hour_that_is_skipped_is_not_golden_and_one_shown_twice_only_once(
    timezone: str, now: str, expected: str
) -> None:
    at = next_best_hour(
        ONLY_AT_TWO, Audience(timezone=timezone), datetime.fromisoformat(now) + MINUTE
    )

    assert at.isoformat(timespec="minutes") == expected


def test_two_regions_are_weighed_together_on_the_heavier_ones_clock() -> None:
    """Facebook's best is 9 in either place; New York's 9 is London's 14."""
    mostly_british = audience_of({"a": ("UK",), "b": ("UK",), "c": ("United States",)}, "UTC")
    torn = audience_of({"a": ("UK", "United States")}, "UTC")

    british = golden_hour(Platform.FACEBOOK, mostly_british, FRIDAY_NOON)
    shared = golden_hour(Platform.FACEBOOK, torn, FRIDAY_NOON)

    assert british.isoformat() == "2026-11-20T14:00:00+00:00"
    curve = FACTS[Platform.FACEBOOK].activity
    expected = max(range(24), key=lambda hour: (curve[hour] + curve[hour - 5], -hour))
    assert shared.hour == expected == 14


def test_a_region_far_away_hardly_moves_a_heavy_one() -> None:
    accounts = {f"account {number}": ("Australia",) for number in range(9)}
    audience = audience_of({**accounts, "last": ("Latin America",)}, "UTC")

    at = golden_hour(Platform.PINTEREST, audience, FRIDAY_NOON)

    assert (at.hour, str(at.tzinfo)) == (21, "Australia/Sydney")


def test_a_difference_of_half_an_hour_counts_half_of_each_hour() -> None:
    """At 7:00 in Dubai it is 8:30 in India."""
    audience = audience_of({"a": ("Middle East",), "b": ("Middle East", "India")}, "UTC")

    result = golden_hours([Platform.FACEBOOK], audience, FRIDAY_NOON)

    curve = FACTS[Platform.FACEBOOK].activity
    twice = [2 * 2 * curve[h] + curve[(h + 1) % 24] + curve[(h + 2) % 24] for h in range(24)]
    assert list(result.activity) == [round(100 * value / max(twice)) for value in twice]


def test_the_clocks_difference_is_that_of_the_very_day() -> None:
    """Three weeks a year New York is four hours behind London, not five."""
    audience = audience_of({"a": ("UK", "United States")}, "UTC")
    only_at_nine = tuple(100 if hour == 9 else 50 if hour == 13 else 1 for hour in range(24))

    in_winter = next_best_hour(only_at_nine, audience, datetime(2026, 3, 2, tzinfo=UTC))
    in_between = next_best_hour(only_at_nine, audience, datetime(2026, 3, 9, tzinfo=UTC))

    assert (in_winter.hour, in_between.hour) == (9, 13)


def test_the_result_has_every_platform_asked_for_and_its_hour() -> None:
    audience = audience_of({"a": ("India", "UK")}, "UTC")

    result = golden_hours([Platform.X, Platform.TIKTOK, Platform.X], audience, FRIDAY_NOON)

    assert list(result.platforms) == [Platform.X, Platform.TIKTOK]
    for platform, (at, hour) in result.platforms.items():
        assert GoldenHour(at, hour) == (golden_hour(platform, audience, FRIDAY_NOON), at.hour)
    assert result.audience_regions == (Region.INDIA, Region.UK)
    assert result.timezone == "Asia/Kolkata"


def test_without_regions_the_fallback_zone_counts_and_activity_is_the_curve() -> None:
    audience = audience_of({}, "Australia/Lord_Howe")

    result = golden_hours([Platform.X], audience, FRIDAY_NOON)

    assert result.audience_regions == ()
    assert result.timezone == "Australia/Lord_Howe"
    assert result.activity == FACTS[Platform.X].activity


def test_activity_sums_the_platforms_up() -> None:
    audience = Audience(timezone="UTC")

    result = golden_hours([Platform.X, Platform.PINTEREST], audience, FRIDAY_NOON)

    both = [
        x + p
        for x, p in zip(FACTS[Platform.X].activity, FACTS[Platform.PINTEREST].activity, strict=True)
    ]
    assert max(result.activity) == 100
    assert list(result.activity) == [int(100 * value / max(both) + 0.5) for value in both]


@pytest.mark.parametrize("name", SOME_ZONES)
def test_golden_hours_around_a_change_are_right_in_some_zones(name: str) -> None:
    zone, luck = ZoneInfo(name), random.Random(name)

    for change in luck.sample(changes(zone), 1):
        check_around(change, zone, luck)


@pytest.mark.prove
def test_golden_hours_around_every_change_are_right_in_all_zones() -> None:
    checked = check_every_change(check_around)

    print(f"golden hours: {checked}")  # noqa: T201


def check_around(change: datetime, zone: ZoneInfo, luck: random.Random) -> None:
    """Any curve's next best hour is a whole one, to come, and missed only if it is skipped."""
    best = luck.randrange(24)
    curve = tuple(100 if hour == best else luck.randrange(100) for hour in range(24))
    now = change + luck.randrange(-2880, 1440) * MINUTE + timedelta(seconds=luck.randrange(60))

    at = next_best_hour(curve, Audience(timezone=zone.key), now)

    assert now < at <= now + timedelta(hours=50)
    assert at.tzinfo is zone
    assert (at.minute, at.second, at.microsecond) == (0, 0, 0)
    asked = at.replace(tzinfo=None, hour=best, fold=0)
    assert at.hour == best or not exists(asked, zone)


@pytest.mark.parametrize(
    "seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(5, 20))]
)
def test_any_audience_gets_the_hour_in_which_its_minutes_add_up_to_most(seed: int) -> None:
    luck = random.Random(seed)
    curve = tuple(luck.randrange(1, 100) for _ in range(24))
    accounts = {str(n): tuple(luck.sample(list(Region), luck.randrange(1, 4))) for n in range(5)}
    audience = audience_of(accounts, "UTC")

    at = next_best_hour(curve, audience, FRIDAY_NOON)

    day = at.replace(hour=0).astimezone(UTC)
    hours = [minutes_of(day + timedelta(hours=hour), curve, audience) for hour in range(24)]
    assert at.hour == hours.index(max(hours))


def minutes_of(start: datetime, curve: tuple[int, ...], audience: Audience) -> int:
    minutes = [start + minute * MINUTE for minute in range(60)]
    return sum(
        weight * curve[instant.astimezone(zone).hour]
        for zone, weight in audience.zones
        for instant in minutes
    )
