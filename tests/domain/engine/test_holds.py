"""What holds up a whole application: who waits until when, and who tries."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.engine.holds import (
    TURN,
    Holds,
    Whose,
    begin,
    describe_hold,
    end,
    find_hold,
    take_turn,
    wait_for,
    without_old,
)
from chalicelib.domain.outcome import Blame, Failed, FailureCode, PlatformAnswer
from chalicelib.domain.platforms.platform import Platform
from tests.support.frozen_clock import NOON

OURS = Whose(platform=Platform.X, application="client-1")
THEIRS = Whose(platform=Platform.X, application="client-2", workspace_id="a")
SPENT = Failed(code=FailureCode.RATE_LIMITED, message="Spent.", app_wide=True)
HOUR = timedelta(hours=1)


def test_a_time_that_the_platform_names_is_waited_for() -> None:
    asked = replace(SPENT, retry_after=timedelta(hours=7))

    hold = find_hold(begin((), OURS, asked, NOON), OURS)

    assert hold is not None
    waits = wait_for(hold, NOON + HOUR)
    assert (waits.retry_after, waits.own_pace) == (timedelta(hours=6), False)
    assert (waits.code, waits.blame, waits.app_wide) == ("rate_limited", Blame.APPLICATION, False)


def test_without_a_time_somebody_tries_after_waits_that_grow() -> None:
    holds: Holds = ()
    waits = []
    for _ in range(8):
        holds = begin(holds, OURS, SPENT, NOON)
        waits.append((holds[0].until - NOON).total_seconds())

    assert waits == [5, 15, 45, 120, 300, 600, 600, 600]
    assert holds[0].since == NOON


def test_whose_turn_it_is_has_a_minute_for_itself() -> None:
    holds = take_turn(begin((), OURS, SPENT, NOON), OURS, NOON + HOUR)

    assert holds[0].until == NOON + HOUR + TURN


@pytest.mark.parametrize(
    ("asked_s", "waits_s", "is_named"),
    [(None, 5, False), (4, 5, False), (5, 5, False), (6, 6, True)],
)
def test_a_time_is_the_platforms_only_where_it_is_longer_than_ours(
    asked_s: int | None,
    waits_s: int,
    is_named: bool,  # noqa: FBT001 - a column of the table
) -> None:
    asked = None if asked_s is None else timedelta(seconds=asked_s)

    (hold,) = begin((), OURS, replace(SPENT, retry_after=asked), NOON)

    assert (hold.until, hold.is_named) == (NOON + timedelta(seconds=waits_s), is_named)


def test_an_application_is_known_again_by_what_it_is() -> None:
    assert find_hold(begin((), OURS, SPENT, NOON), replace(OURS)) is not None


def test_one_applications_hold_is_nobody_elses() -> None:
    holds = begin(begin((), OURS, SPENT, NOON), THEIRS, SPENT, NOON)

    assert find_hold(end(holds, OURS), THEIRS) is not None
    assert find_hold(end(holds, OURS), OURS) is None


@pytest.mark.parametrize(("after_h", "left"), [(23, 1), (25, 0)])
def test_what_nobody_has_tried_for_a_day_is_no_hold_any_more(after_h: int, left: int) -> None:
    holds = begin((), OURS, SPENT, NOON)

    assert len(without_old(holds, NOON + after_h * HOUR)) == left


def test_an_operator_reads_from_when_posts_are_tried_and_the_platforms_words_last() -> None:
    """True also once that time is over, and whatever the words end with."""
    said = PlatformAnswer(status=403, sentence="Apps with Trial access may not https://x.test/")
    refused = replace(SPENT, answer=said, retry_after=HOUR)

    told = describe_hold(begin((), OURS, refused, NOON)[0])

    assert told == (
        "X holds up the application client-1 since 2026-11-20 12:00 UTC: Spent. From 2026-11-20"
        " 13:00 UTC on, one post at a time is tried. X said: Apps with Trial access may not"
        " https://x.test/"
    )
