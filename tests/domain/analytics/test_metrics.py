"""Results as pure values: snapshots in any order, shares of days and polls."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.domain.analytics.counters import (
    MOST_STANDINGS,
    DayCounters,
    share_of,
)
from chalicelib.domain.analytics.metrics import Counts, Metrics
from chalicelib.domain.analytics.polling_schedule import next_poll, planned_poll
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics, StoredTargetMetrics
from chalicelib.domain.platforms.platform import Platform
from tests.support.builders import WORKSPACE
from tests.support.frozen_clock import NOON

PARIS = ZoneInfo("Europe/Paris")
DAY = NOON.date()
HOUR = timedelta(hours=1)


def a_target(*, removed: bool = False) -> StoredTargetMetrics:
    return StoredTargetMetrics(platform=Platform.X, live_at=NOON, hour=12, removed=removed)


def a_post(views: int | None = None, *, number: int = 1) -> StoredPostMetrics:
    target = a_target()
    if views is not None:
        target = target.add_answers(Metrics(views=views), at=NOON + HOUR, day=DAY)
    return StoredPostMetrics(post_id=f"{number:032x}", live_day=DAY, targets={"t": target})


def told(target: StoredTargetMetrics, due_polls: Sequence[tuple[int, int]]) -> StoredTargetMetrics:
    """Report views at hours after noon, in the order given."""
    for hours, views in due_polls:
        at = NOON + hours * HOUR
        target = target.add_answers(Metrics(views=views, likes=hours), at=at, day=at.date())
    return target


def test_nothing_is_known_before_the_first_report() -> None:
    assert a_target().counts is None


def test_a_platform_that_reports_nothing_stays_unreported() -> None:
    target = a_target().add_answers(Metrics(), at=NOON, day=DAY)

    assert target.counts is None


def test_the_latest_snapshot_of_a_day_counts() -> None:
    target = told(a_target(), [(1, 10), (3, 30), (2, 20)])

    assert Counts(views=30, likes=3) == target.counts
    assert {DAY: 30} == target.gained


def test_a_day_that_is_reported_late_takes_its_views_from_the_days_after_it() -> None:
    target = told(a_target(), [(1, 10), (49, 90)])
    between = told(target, [(25, 40)])

    assert [10, 40, 40] == list(target.gained.values())
    assert [10, 30, 50] == [between.gained[day] for day in sorted(between.gained)]


def test_views_seen_days_later_are_shared_out_over_the_days_between_without_losing_one() -> None:
    target = told(a_target(), [(1, 10), (73, 30)])

    assert [10, 6, 7, 7] == [target.gained[DAY + n * timedelta(days=1)] for n in range(4)]


def test_what_is_not_told_this_time_stays_as_it_was_known() -> None:
    target = a_target().add_answers(Metrics(views=5, comments=2), at=NOON, day=DAY)
    target = target.add_answers(Metrics(views=9), at=NOON + HOUR, day=DAY)

    assert Counts(views=9, comments=2) == target.counts


def test_views_never_fall() -> None:
    target = told(a_target(), [(1, 50), (30, 0)])

    counts = target.counts
    assert counts is not None
    assert (50, [50, 0]) == (counts.views, list(target.gained.values()))


@given(st.lists(st.integers(min_value=0, max_value=400), min_size=1, max_size=30), st.randoms())
def test_order_and_repetition_of_snapshots_do_not_matter(
    hours: list[int], shuffler: random.Random
) -> None:
    due_polls = [(hour, 7 * hour) for hour in sorted(hours)]
    in_disorder = due_polls + due_polls
    shuffler.shuffle(in_disorder)

    in_order = told(a_target(), due_polls)

    assert in_order == told(a_target(), in_disorder)
    assert 7 * max(hours) == sum(in_order.gained.values())


def test_the_first_day_is_what_was_seen_when_it_was_over() -> None:
    early = told(a_target(), [(8, 10), (23, 20)])
    target = told(early, [(30, 40), (24, 30), (48, 70)])

    assert early.first_day_views is None
    assert 30 == target.first_day_views


def test_a_first_day_that_nobody_looked_at_in_time_stays_unknown() -> None:
    assert told(a_target(), [(37, 40)]).first_day_views is None


def test_a_change_of_a_post_changes_its_day_by_the_difference() -> None:
    day = DayCounters(day=DAY).with_change(None, a_post(10)).with_change(None, a_post(5, number=2))

    day = day.with_change(a_post(10), a_post(30))

    assert share_of(a_post(30)) + share_of(a_post(5, number=2)) == day.counters
    assert [30, 5] == [standing.views for standing in day.top]


def test_a_day_forgets_a_deleted_post() -> None:
    day = DayCounters(day=DAY).with_change(None, a_post(10))

    assert DayCounters(day=DAY) == day.with_change(a_post(10), None)


def test_the_five_best_of_a_day_stay_right_while_fifteen_go() -> None:
    posts = [a_post(views, number=views) for views in range(1, 101)]
    day = DayCounters(day=DAY)
    for post in random.Random(7).sample(posts, len(posts)):
        day = day.with_change(None, post)

    for gone in posts[-15:]:
        day = day.with_change(gone, None)

    assert MOST_STANDINGS - 15 == len(day.top)
    assert [85, 84, 83, 82, 81] == [standing.views for standing in day.top]


def polled_ages(
    views_at: Callable[[timedelta], int | None], until: timedelta = timedelta(days=365)
) -> list[timedelta]:
    """Return the ages at which a target is polled whose views at an age are these."""
    target, ages = a_target(), [timedelta(0)]
    while (at := planned_poll(target, WORKSPACE, NOON + ages[-1])) and at <= NOON + until:
        ages.append(at - NOON)
        views = views_at(ages[-1])
        if views is not None:
            target = target.add_answers(Metrics(views=views), at=at, day=at.date())
    return ages[1:]


def days_of(ages: list[timedelta]) -> list[int]:
    """Return on which day of its life each poll after the first day is, about."""
    return [round(age / timedelta(days=1)) for age in ages[4:]]


def test_the_polls_of_the_first_day_are_the_same_for_every_post() -> None:
    for views_at in (lambda _: 0, lambda _: None, lambda age: int(age.total_seconds())):
        first = polled_ages(views_at)[:4]

        assert [10, 60, 360, 1440] == [age / timedelta(minutes=1) for age in first]


def test_a_post_that_is_seen_evenly_is_asked_about_ever_more_rarely() -> None:
    polls = days_of(polled_ages(lambda age: int(age.total_seconds())))

    assert [2, 3, 5, 8, 13, 21, 34] == pytest.approx(polls[:7], abs=1)
    assert polls[-1] in {90, 91}
    assert len(polls) <= 12


def test_a_post_that_rests_is_asked_about_after_twice_the_time_up_to_two_weeks() -> None:
    polls = days_of(polled_ages(lambda _: 500))

    gaps = [later - earlier for earlier, later in pairwise(polls)]
    assert [2, 4, 8, 14, 14] == pytest.approx(gaps[:5], abs=1)
    assert len(polls) <= 10


def test_a_post_that_doubles_every_day_is_asked_about_every_day() -> None:
    polls = polled_ages(lambda age: 2 ** (age // timedelta(days=1)), timedelta(days=30))

    assert {timedelta(days=1)} == {later - earlier for earlier, later in pairwise(polls[4:])}


def test_a_post_that_moves_again_after_weeks_of_rest_is_asked_about_the_next_day() -> None:
    moved = timedelta(days=20)
    ages = polled_ages(lambda age: 10 if age < moved else 500 * 2 ** (age // timedelta(days=1)))

    seen = next(n for n, age in enumerate(ages) if age > moved)
    assert ages[seen] - ages[seen - 1] > timedelta(days=7)
    assert timedelta(days=1) == ages[seen + 1] - ages[seen]


def test_a_poll_without_an_answer_is_made_again_the_next_day_and_then_ever_later() -> None:
    down = timedelta(days=6)
    ages = polled_ages(lambda age: int(age.total_seconds()) if age < down else None)

    unanswered = [age for age in ages if age > down]
    gaps = [round((b - a) / timedelta(days=1)) for a, b in pairwise(unanswered)]
    assert [1, 1] == gaps[:2]
    assert sorted(gaps[:-1]) == gaps[:-1]
    assert len(unanswered) < 12


def test_no_post_is_followed_for_longer_than_its_ninety_days() -> None:
    for views_at in (lambda _: 0, lambda _: None, lambda age: int(age.total_seconds())):
        last = polled_ages(views_at)[-1]

        assert timedelta(days=90) <= last <= timedelta(days=91)


def test_old_posts_of_a_workspace_are_looked_at_in_the_same_moment() -> None:
    now = NOON + timedelta(days=20)
    targets = [replace(a_target(), live_at=now - hours * HOUR) for hours in range(25, 300)]

    due_polls = {planned_poll(target, WORKSPACE, now) for target in targets}

    assert 1 == len({at.time() for at in due_polls if at is not None})


def test_a_post_without_live_targets_is_not_looked_at() -> None:
    removed = StoredPostMetrics(
        post_id="1" * 32, live_day=DAY, targets={"t": a_target(removed=True)}
    )

    assert next_poll(removed, WORKSPACE, NOON) is None


def test_days_are_those_of_the_workspaces_clock() -> None:
    late = datetime(2026, 10, 24, 22, 30, tzinfo=UTC)
    post = StoredPostMetrics(
        post_id="1" * 32, live_day=date(2026, 10, 24), targets={"t": a_target()}
    )

    post = post.add_answers({"t": Metrics(views=3)}, at=late, zone=PARIS)

    assert {date(2026, 10, 25): 3} == post.targets["t"].gained
