"""Hours of a week: what posts brought in them moves what the platforms' curves say."""

from collections import Counter
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.analytics.counters import (
    DayCounters,
    Kind,
    WentLive,
    days_of_fresh,
    hour_mark,
)
from chalicelib.domain.analytics.metrics import HourSums
from chalicelib.domain.analytics.week import (
    best_hour,
    hours_to_show,
    sums_by_week_hour,
    week_activity,
)
from chalicelib.domain.platforms.platform import Platform
from tests.support.frozen_clock import NOON

MONDAY = date(2026, 11, 23)
THURSDAY = 3
FLAT = [50] * 24


def a_day(day: date, *hours: tuple[Platform, int, int, int]) -> DayCounters:
    counters: Counter[tuple[Kind, str]] = Counter()
    for platform, hour, targets, views in hours:
        counters[Kind.TARGETS, hour_mark(platform, hour)] = targets
        counters[Kind.VIEWS, hour_mark(platform, hour)] = views
    return DayCounters(day=day, counters=counters)


def test_what_went_live_is_counted_by_weekday_and_hour_on_all_platforms() -> None:
    week = timedelta(days=7)
    days = [
        a_day(MONDAY, (Platform.X, 9, 2, 100), (Platform.LINKEDIN, 9, 1, 30)),
        a_day(MONDAY + week, (Platform.X, 9, 1, 20), (Platform.X, 18, 1, 7)),
    ]

    assert sums_by_week_hour(days) == {(0, 9): HourSums(4, 150), (0, 18): HourSums(1, 7)}


def test_what_nobody_has_reported_of_yet_counts_in_no_hour() -> None:
    fresh = WentLive(post_id="p", target_id="t", platform=Platform.X, at=NOON, first=True)

    assert sums_by_week_hour(days_of_fresh([fresh], MONDAY, NOON.date(), ZoneInfo("UTC"))) == {}


def test_without_results_every_day_is_as_the_curves_say() -> None:
    curve = [*range(4, 100, 4)]

    week = week_activity(curve, {})

    assert len(set(week)) == 1
    assert (week[0][0], week[0][-1]) == (4, 100)


def test_an_hour_of_a_weekday_stands_beside_the_same_hour_of_other_days() -> None:
    """Twenty posts of a Thursday had three times what twenty of a Friday had."""
    sums = {(THURSDAY, 18): HourSums(20, 6_000), (4, 18): HourSums(20, 2_000)}

    week = week_activity(FLAT, sums)

    assert week[THURSDAY][18] == 100
    assert week[4][18] == 43
    assert week[0][18] == week[THURSDAY][17] == 71


@pytest.mark.parametrize(("busy", "shown"), [(18, range(6, 23)), (2, range(24)), (23, range(24))])
def test_nights_are_shown_where_one_is_about_the_best(busy: int, shown: range) -> None:
    curve = [100 if hour == busy else 50 for hour in range(24)]

    assert hours_to_show(week_activity(curve, {})) == shown


def test_the_best_hour_says_how_many_times_the_usual_it_brings() -> None:
    sums = {
        (THURSDAY, 18): HourSums(15, 45_000),
        (0, 9): HourSums(30, 15_000),
        (1, 9): HourSums(2, 9_999),
    }

    best = best_hour(sums)

    assert best is not None
    assert best[:2] == (THURSDAY, 18)
    assert best.times == pytest.approx((45_000 + 5 * 69_999 / 47) / (20 * 69_999 / 47))


@pytest.mark.parametrize(
    "sums",
    [
        pytest.param({(0, 9): HourSums(29, 900), (1, 9): HourSums(0, 0)}, id="too few posts"),
        pytest.param({(0, 9): HourSums(40, 4_000), (1, 9): HourSums(40, 4_400)}, id="too near"),
        pytest.param({(0, 9): HourSums(40, 0)}, id="nobody looked"),
        pytest.param({(0, 9): HourSums(2, 90), (1, 9): HourSums(40, 40)}, id="two lucky posts"),
    ],
)
def test_nothing_is_said_where_it_is_not_known(sums: dict[tuple[int, int], HourSums]) -> None:
    assert best_hour(sums) is None
