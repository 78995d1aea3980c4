"""What follows where a target is claimed again and again without progress, as tables."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.engine.decision import Again, Facts, Over
from chalicelib.domain.engine.failures import WORN_OUT, WORN_OUT_IN_DOUBT
from chalicelib.domain.engine.wear import after_claims, is_claimed_too_often
from chalicelib.domain.outcome import Checkpoint, Sent
from chalicelib.domain.posts.progress import Progress
from chalicelib.domain.posts.target import Target
from tests.support.builders import a_target
from tests.support.frozen_clock import NOON

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
DUE = a_target(scheduled_at=NOON).schedule(NOON, now=NOON - HOUR, lead=timedelta(0))
SENT = Sent(text="Rye", media_ids=(), at=NOON, not_after=NOON + 20 * SECOND)


def claimed(wakes: int, *, in_doubt: bool = False) -> Target:
    """Return a target that was just claimed so often."""
    if not in_doubt:
        return replace(DUE, progress=Progress(wakes=wakes))
    at = Progress(wakes=wakes, checkpoint=Checkpoint("publish"), sent=SENT, unanswered=True)
    return replace(DUE, progress=at)


@pytest.mark.parametrize(("wakes", "is_asked"), [(1, False), (10, False), (11, True)])
def test_ten_claims_are_nothing_to_ask_about(wakes: int, is_asked: bool) -> None:  # noqa: FBT001 - a column
    assert is_claimed_too_often(claimed(wakes)) is is_asked


@pytest.mark.parametrize(
    ("wakes", "late"),
    [
        (11, timedelta(0)),
        (12, MINUTE),
        (13, 3 * MINUTE),
        (14, 7 * MINUTE),
        (15, 15 * MINUTE),
        (16, 30 * MINUTE),
        (17, HOUR),
        (18, 2 * HOUR),
        (39, 23 * HOUR),
        (11, 24 * HOUR - SECOND),
    ],
)
def test_it_is_worked_on_where_enough_time_has_passed(wakes: int, late: timedelta) -> None:
    assert after_claims(claimed(wakes), Facts(now=NOON + late)) is None


@pytest.mark.parametrize(
    ("wakes", "late", "spread", "rests_until"),
    [
        (11, -10 * MINUTE, 1.0, timedelta(0)),
        (12, MINUTE - SECOND, -1.0, MINUTE),
        (12, timedelta(0), 1.0, MINUTE + 15 * SECOND),
        (13, 2 * MINUTE, 0.0, 3 * MINUTE + 15 * SECOND),
        (15, 15 * MINUTE - SECOND, -1.0, 15 * MINUTE),
        (16, 16 * MINUTE, -1.0, 30 * MINUTE),
        (17, 31 * MINUTE, 1.0, HOUR + 7.5 * MINUTE),
        (18, HOUR + SECOND, 1.0, 2 * HOUR + 15 * MINUTE),
        (39, 22 * HOUR, 0.0, 23 * HOUR + 7.5 * MINUTE),
        (40, 23 * HOUR, 1.0, 24 * HOUR),
    ],
)
def test_what_comes_too_early_rests_and_the_claim_does_not_count(
    wakes: int, late: timedelta, spread: float, rests_until: timedelta
) -> None:
    follows = after_claims(claimed(wakes), Facts(now=NOON + late, spread=spread))

    assert isinstance(follows, Again)
    progress = follows.waiting.progress
    assert (progress.wake_at, progress.wakes) == (NOON + rests_until, wakes - 1)
    assert follows.until == NOON + 24 * HOUR
    assert follows.waiting.is_cancellable or follows.waiting.status == "scheduled"


@pytest.mark.parametrize(
    ("wakes", "late", "counted", "rests_until"),
    [
        (40, 43 * MINUTE, 16, 43 * MINUTE),
        (99, MINUTE, 12, MINUTE),
        (40, 22 * HOUR, 38, 22 * HOUR),
        (13, -MINUTE, 11, timedelta(0)),
    ],
)
def test_claims_that_nobody_could_ask_about_do_not_put_it_off(
    wakes: int, late: timedelta, counted: int, rests_until: timedelta
) -> None:
    """Where a partition could not be read for 43 minutes, a target had 40 claims and was given up.

    Found by a run of the simulation without reads of a quarter of the keys.
    """
    follows = after_claims(claimed(wakes), Facts(now=NOON + late, spread=-1.0))

    assert isinstance(follows, Again)
    progress = follows.waiting.progress
    assert (progress.wake_at, progress.wakes) == (NOON + rests_until, counted - 1)


@pytest.mark.parametrize("wakes", [11, 17, 99])
@pytest.mark.parametrize("in_doubt", [False, True])
def test_a_day_after_its_second_it_fails(wakes: int, in_doubt: bool) -> None:  # noqa: FBT001 - a column
    target = claimed(wakes, in_doubt=in_doubt)

    follows = after_claims(target, Facts(now=NOON + 24 * HOUR))

    assert follows == Over(target=target, failed=WORN_OUT_IN_DOUBT if in_doubt else WORN_OUT)


def test_what_is_in_doubt_rests_in_doubt() -> None:
    target = claimed(12, in_doubt=True)

    follows = after_claims(target, Facts(now=NOON))

    assert isinstance(follows, Again)
    progress = follows.waiting.progress
    assert (progress.sent, progress.unanswered) == (SENT, True)
    assert not follows.waiting.is_cancellable
