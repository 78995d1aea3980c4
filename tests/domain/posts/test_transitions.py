"""Every moment of a target's life, every verb (docs/api.md "States and transitions")."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Done
from chalicelib.domain.posts.post import PostStatus, status_of
from chalicelib.domain.posts.progress import AT_REST, TAKEOVER_GRACE
from chalicelib.domain.posts.target import PREPARE_AHEAD, Target, TargetStatus
from tests.domain.posts.moments import CALL, LEASE, MOMENTS, SENT, TEN, TWO
from tests.support.frozen_clock import NOON

IN_DOUBT = {
    "publishing, the visible call runs",
    "publishing, to be looked for",
    "failed, in doubt",
    "cancelled, in doubt",
}
ASKED: dict[str, tuple[Callable[[Target], bool], set[str]]] = {
    "went out": (lambda one: one.is_live, {"published", "removed"}),
    "is in doubt": (lambda one: one.is_in_doubt, IN_DOUBT),
    "is taken by /schedule and /queue": (
        lambda one: one.is_unscheduled,
        {"a draft", "a draft with a time of its own", "cancelled", "cancelled, in doubt"},
    ),
    "is taken by /publish-now": (
        lambda one: one.is_sendable,
        {
            name
            for name in MOMENTS
            if name.startswith(("a draft", "scheduled", "failed", "cancelled"))
        },
    ),
    "is taken by /cancel": (
        lambda one: one.is_cancellable,
        {name for name in MOMENTS if name.startswith("scheduled")}
        | {"publishing, waiting for a retry"},
    ),
    "may be named by a PATCH": (
        lambda one: one.is_editable,
        {
            name
            for name in MOMENTS
            if name.startswith(("a draft", "scheduled", "failed", "cancelled"))
        }
        - IN_DOUBT,
    ),
    "makes its first visible call next": (
        lambda one: one.fires_next,
        {"scheduled", "scheduled, prepared"},
    ),
    "is tried again or looked for": (
        lambda one: one.is_tried_again,
        IN_DOUBT | {"publishing, waiting for a retry"},
    ),
}


def moments(*, but: AbstractSet[str] = frozenset()) -> pytest.MarkDecorator:
    """Run a test for every moment of a target's life."""
    names = [name for name in MOMENTS if name not in but]
    return pytest.mark.parametrize("target", [MOMENTS[name] for name in names], ids=names)


@pytest.mark.parametrize(
    ("moment", "question"),
    [(moment, question) for question in ASKED for moment in MOMENTS],
    ids=str,
)
def test_what_may_be_done_with_a_target_at_each_moment(moment: str, question: str) -> None:
    ask, those = ASKED[question]

    assert (moment in those) is ask(MOMENTS[moment])


@moments()
def test_scheduling_names_a_time_and_leaves_no_error(target: Target) -> None:
    after = target.schedule(TWO, now=NOON, lead=timedelta(0))

    assert (after.scheduled_at, after.due_at) == (TWO, TWO)
    assert (after.error_code, after.error_message) == (None, None)


@moments(but=IN_DOUBT)
def test_what_was_not_sent_is_scheduled_and_begins_anew(target: Target) -> None:
    after = target.schedule(TWO, now=NOON, lead=PREPARE_AHEAD)

    assert after.status is TargetStatus.SCHEDULED
    assert after.progress.wake_at == TWO - PREPARE_AHEAD
    assert after.progress.checkpoint is None
    assert after.progress.lease is None


@pytest.mark.parametrize("moment", sorted(IN_DOUBT))
def test_what_may_be_out_already_counts_as_posting_until_somebody_has_looked(moment: str) -> None:
    after = MOMENTS[moment].schedule(TWO, now=NOON, lead=PREPARE_AHEAD)

    assert after.status is TargetStatus.PUBLISHING
    assert after.progress.wake_at == TWO
    assert after.progress.unanswered
    assert (after.progress.sent, after.progress.checkpoint) == (SENT, CALL)
    assert not after.is_cancellable


@pytest.mark.parametrize("moment", sorted(IN_DOUBT))
def test_what_may_be_out_stays_as_it_is_while_approval_is_missing(moment: str) -> None:
    target = MOMENTS[moment]

    assert target.schedule(TWO, now=NOON, lead=None) is target


@moments()
def test_nothing_is_scheduled_for_a_time_that_has_passed(target: Target) -> None:
    after = target.schedule(TEN, now=NOON, lead=timedelta(0))

    assert (after.scheduled_at, after.progress.wake_at) == (NOON, NOON)
    assert after == target.send_now(now=NOON, lead=timedelta(0))


@moments(but=IN_DOUBT)
def test_a_target_sleeps_while_its_post_waits_for_approval(target: Target) -> None:
    waiting = target.schedule(TWO, now=NOON, lead=None)

    assert waiting.progress == AT_REST
    assert waiting.release(now=NOON, lead=PREPARE_AHEAD).progress.wake_at == TWO - PREPARE_AHEAD


def test_an_approval_after_its_time_lets_a_target_go_at_once() -> None:
    late = TWO + timedelta(hours=1)

    after = MOMENTS["scheduled, waiting for approval"].release(now=late, lead=PREPARE_AHEAD)

    assert (after.due_at, after.progress.wake_at) == (late, late)
    assert after.scheduled_at == TWO


@moments()
def test_an_edit_drops_the_preparation_of_what_is_scheduled_and_of_nothing_else(
    target: Target,
) -> None:
    after = target.rearm(now=NOON, lead=PREPARE_AHEAD)

    if target.status is TargetStatus.SCHEDULED:
        assert after.progress.checkpoint is None
        assert after.progress.wake_at == TWO - PREPARE_AHEAD
        assert (after.status, after.scheduled_at) == (target.status, target.scheduled_at)
    else:
        assert after is target


@moments()
def test_cancelling_keeps_the_time_and_what_may_have_been_sent(target: Target) -> None:
    after = target.cancel(now=NOON)

    assert after.status is TargetStatus.CANCELLED
    assert after.scheduled_at == target.scheduled_at
    assert (after.progress.wake_at, after.progress.lease) == (None, None)
    assert after.progress.sent == target.progress.sent


@moments()
def test_failing_tells_why_and_keeps_what_may_have_been_sent(target: Target) -> None:
    after = target.fail("too_late", "It was found a day late.", now=NOON)

    assert after.status is TargetStatus.FAILED
    assert (after.error_code, after.error_message) == ("too_late", "It was found a day late.")
    assert (after.progress.wake_at, after.progress.lease) == (None, None)
    assert after.progress.sent == target.progress.sent


@moments()
def test_going_live_settles_everything(target: Target) -> None:
    after = target.publish(Done(remote_id="7", url="https://social.example/7"), now=TWO)

    assert after.status is TargetStatus.PUBLISHED
    assert (after.remote_id, after.url) == ("7", "https://social.example/7")
    assert (after.error_code, after.error_message) == (None, None)
    assert after.progress == AT_REST
    assert after.is_live


def test_a_removed_target_keeps_its_address_and_counts_as_live() -> None:
    live = MOMENTS["published"]

    after = live.remove()

    assert (after.status, after.url) == (TargetStatus.REMOVED, live.url)
    assert after.is_live


@moments()
def test_a_held_target_wakes_by_itself_if_its_holder_dies(target: Target) -> None:
    after = target.hold(LEASE)

    assert after.progress.wake_at == LEASE.until + TAKEOVER_GRACE
    assert after.status is target.status


@moments(but=IN_DOUBT)
def test_what_is_about_to_be_sent_can_no_longer_be_stopped(target: Target) -> None:
    after = target.hold(LEASE).doubt(CALL, SENT, now=TWO)

    assert after.status is TargetStatus.PUBLISHING
    assert after.is_in_doubt
    assert not after.is_cancellable
    assert not after.is_editable


@moments(but=IN_DOUBT)
def test_a_call_of_which_no_byte_was_written_leaves_no_doubt(target: Target) -> None:
    doubted = target.doubt(CALL, SENT, now=TWO)

    after = doubted.take_back_doubt(target.progress)

    assert not after.is_in_doubt
    assert not after.progress.unanswered


def test_a_refusal_clears_the_doubt_and_a_retry_may_then_be_cancelled() -> None:
    refused = MOMENTS["publishing, the visible call runs"].clear_doubt()
    waiting = refused.retry_at(TWO + timedelta(seconds=5), now=TWO)

    assert not waiting.is_in_doubt
    assert waiting.is_cancellable
    assert waiting.progress.tries == 1


def test_a_retry_keeps_its_wait_out_of_the_time_of_its_step() -> None:
    begun = MOMENTS["publishing, waiting for the platform"]
    since = begun.progress.checkpoint_since
    assert since is not None

    after = begun.retry_at(TWO + timedelta(minutes=10), now=TWO)

    assert after.progress.checkpoint_since == since + timedelta(minutes=10)


def test_the_turn_that_a_late_target_waits_for_keeps_out_of_the_time_of_its_step_too() -> None:
    begun = MOMENTS["publishing, waiting for the platform"]

    after = begun.queue_up(TWO + timedelta(minutes=20), now=TWO)

    assert after.progress.checkpoint_since == NOON + timedelta(minutes=20)


def test_the_time_of_a_step_counts_from_when_it_was_entered() -> None:
    entered = MOMENTS["publishing, waiting for the platform"]
    later = NOON + timedelta(minutes=5)

    same = entered.resume_at(CALL, TWO, now=later)
    other = entered.resume_at(type(CALL)("next_step"), TWO, now=later)

    assert same.progress.checkpoint_since == NOON
    assert other.progress.checkpoint_since == later


LIVE, GONE = TargetStatus.PUBLISHED, TargetStatus.REMOVED
FAILED, STOPPED = TargetStatus.FAILED, TargetStatus.CANCELLED
DRAFT, WAITS, SENDS = TargetStatus.DRAFT, TargetStatus.SCHEDULED, TargetStatus.PUBLISHING


@pytest.mark.parametrize(
    ("targets", "post"),
    [
        ([DRAFT], PostStatus.DRAFT),
        ([DRAFT, DRAFT], PostStatus.DRAFT),
        ([DRAFT, WAITS], PostStatus.SCHEDULED),
        ([LIVE, WAITS], PostStatus.SCHEDULED),
        ([GONE, WAITS], PostStatus.SCHEDULED),
        ([FAILED, WAITS], PostStatus.SCHEDULED),
        ([WAITS, WAITS], PostStatus.SCHEDULED),
        ([WAITS, SENDS], PostStatus.PUBLISHING),
        ([SENDS, DRAFT], PostStatus.PUBLISHING),
        ([SENDS, LIVE], PostStatus.PUBLISHING),
        ([SENDS, GONE], PostStatus.PUBLISHING),
        ([SENDS, FAILED], PostStatus.PUBLISHING),
        ([SENDS, STOPPED], PostStatus.PUBLISHING),
        ([LIVE, SENDS, FAILED], PostStatus.PUBLISHING),
        ([LIVE, LIVE], PostStatus.PUBLISHED),
        ([LIVE, GONE], PostStatus.PUBLISHED),
        ([GONE], PostStatus.PUBLISHED),
        ([GONE, GONE], PostStatus.PUBLISHED),
        ([GONE, DRAFT], PostStatus.PUBLISHED),
        ([LIVE, DRAFT], PostStatus.PUBLISHED),
        ([LIVE, FAILED], PostStatus.PARTIAL),
        ([LIVE, STOPPED], PostStatus.PARTIAL),
        ([GONE, FAILED], PostStatus.PARTIAL),
        ([GONE, STOPPED], PostStatus.PARTIAL),
        ([FAILED, STOPPED], PostStatus.FAILED),
        ([FAILED, DRAFT], PostStatus.FAILED),
        ([STOPPED, STOPPED], PostStatus.CANCELLED),
        ([STOPPED, DRAFT], PostStatus.CANCELLED),
    ],
    ids=str,
)
def test_a_post_is_the_sum_of_its_targets(targets: list[TargetStatus], post: PostStatus) -> None:
    assert post is status_of(targets)
    assert post is status_of(reversed(targets))


def test_what_gets_no_place_while_it_waits_for_a_retry_is_tried_again() -> None:
    waiting = MOMENTS["publishing, waiting for a retry"]

    assert waiting.postpone(TWO).is_tried_again


def test_what_went_on_after_a_retry_is_tried_again_no_more() -> None:
    """Its first visible call must not wait behind what a platform refuses."""
    waiting = MOMENTS["publishing, waiting for a retry"]

    assert not waiting.resume_at(CALL, TWO, now=TWO).is_tried_again
