"""What own results teach about hours: of all days, and of a weekday where they can tell."""

from datetime import UTC, date, datetime, timedelta

import pytest

from chalicelib.domain.analytics.counters import Counters, DayCounters, Kind, hour_mark
from chalicelib.domain.analytics.learning import (
    ENOUGH_IN_AN_HOUR,
    ENOUGH_ON_A_WEEKDAY,
    NEUTRAL,
    learn,
)
from chalicelib.domain.platforms.platform import Platform

MONDAY = date(2026, 11, 16)
THURSDAY = date(2026, 11, 19)
DAY = MONDAY


def evidence(by_hour: dict[int, tuple[int, int]], day: date = DAY) -> list[DayCounters]:
    """Return a day's sums: at each hour so many targets, each with 100 log2(1 + views) of that."""
    counters = Counters()
    for hour, (targets, strength) in by_hour.items():
        counters[Kind.GROWN, hour_mark(Platform.X, hour)] = targets
        counters[Kind.STRENGTH, hour_mark(Platform.X, hour)] = targets * strength
    return [DayCounters(day=day, counters=counters)]


@pytest.mark.parametrize(
    "by_hour",
    [{9: (20, 700)}, {9: (100, 700)}, {9: (9, 7), 10: (9, 7), 11: (9, 7), 12: (2, 7)}],
    ids=["few targets", "one hour only", "too few hours tried"],
)
def test_little_evidence_teaches_nothing(by_hour: dict[int, tuple[int, int]]) -> None:
    assert {} == learn(evidence(by_hour), "UTC").lifts


def test_an_hour_with_twice_the_views_is_lifted_and_an_untried_one_is_not() -> None:
    days = evidence({8: (15, 600), 9: (15, 700), 10: (15, 600), 11: (15, 600)})

    lift = learn(days, "UTC").lifts[Platform.X]

    assert NEUTRAL == lift[20]
    assert lift[8] < NEUTRAL < lift[9]
    assert 1.6 < lift[9] / lift[8] < 2


def test_a_single_post_at_an_hour_hardly_lifts_it() -> None:
    days = evidence({8: (15, 600), 9: (15, 600), 10: (15, 600), 11: (15, 600), 3: (1, 900)})

    lift = learn(days, "UTC").lifts[Platform.X]

    assert lift[3] < 1.5 * NEUTRAL


def test_a_lift_is_looked_up_on_the_clock_it_was_learned_on() -> None:
    days = evidence({8: (15, 600), 9: (15, 900), 10: (15, 600), 11: (15, 600)})
    learned = learn(days, "Europe/Paris")

    nine_in_paris = datetime(2026, 7, 1, 7, 30, tzinfo=UTC)

    assert max(learned.lifts[Platform.X]) == learned.lift(Platform.X, nine_in_paris)
    assert NEUTRAL == learned.lift(Platform.LINKEDIN, nine_in_paris)


def on_thursday(hour: int) -> datetime:
    """Return an hour of the next Thursday."""
    return datetime(2026, 11, 26, hour, 15, tzinfo=UTC)


OTHER_DAYS = evidence({9: (15, 600), 12: (15, 600), 15: (15, 600), 18: (15, 600)})
"""As much on a Monday as teaches, and every hour of it like the others."""


@pytest.mark.parametrize(
    ("posts", "usual"),
    [
        pytest.param(ENOUGH_ON_A_WEEKDAY, "usual Thursday", id="enough"),
        pytest.param(ENOUGH_ON_A_WEEKDAY - 1, "usual", id="one too few on that weekday"),
    ],
)
def test_an_hour_is_told_beside_its_weekday_where_that_has_posts_enough(
    posts: int, usual: str
) -> None:
    thursday = evidence({9: (posts - 4, 600), 18: (4, 1_200)}, THURSDAY)

    found = learn([*OTHER_DAYS, *thursday], "UTC").beside_usual(Platform.X, on_thursday(18))

    assert found is not None
    assert found.usual == usual


def test_a_weekday_is_compared_with_itself_alone() -> None:
    """Thursdays do four times as well as Mondays, but at no hour better than at another."""
    thursday = evidence({9: (10, 800), 18: (10, 800)}, THURSDAY)

    learned = learn([*OTHER_DAYS, *thursday], "UTC")

    assert learned.on_weekdays[Platform.X, THURSDAY.weekday()][18] == NEUTRAL
    assert learned.beside_usual(Platform.X, on_thursday(18)) is None


def test_an_hour_with_too_few_posts_on_its_weekday_is_told_beside_all_days() -> None:
    better_at_six = evidence({9: (15, 600), 12: (15, 600), 15: (15, 600), 18: (15, 900)})
    few = ENOUGH_IN_AN_HOUR - 1
    thursday = evidence({9: (10, 600), 18: (few, 600)}, THURSDAY)

    found = learn([*better_at_six, *thursday], "UTC").beside_usual(Platform.X, on_thursday(18))

    assert found is not None
    assert found.weekday is None
    assert found.usual == "usual"


def test_a_weekday_is_that_of_the_clock_it_was_learned_on() -> None:
    thursday = evidence({9: (10, 600), 0: (5, 900)}, THURSDAY)
    learned = learn([*OTHER_DAYS, *thursday], "Europe/Paris")
    midnight_in_paris = on_thursday(23) - timedelta(days=1)

    found = learned.beside_usual(Platform.X, midnight_in_paris)

    assert found is not None
    assert found.usual == "usual Thursday"
    assert learned.beside_usual(Platform.X, on_thursday(0)) is None


def test_little_in_all_tells_nothing_of_a_weekday_either() -> None:
    thursday = evidence({9: (10, 600), 18: (10, 900)}, THURSDAY)

    assert learn(thursday, "UTC").beside_usual(Platform.X, on_thursday(18)) is None
