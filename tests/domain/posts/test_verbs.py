"""The table of verbs in `domain/posts/verbs`, read from its page and played.

Each cell is one case: a target at that moment, alone on a post, and the verb asked about it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import (
    AccountRemoved,
    NothingToCancel,
    NothingToPublish,
    NothingToRetry,
    NothingToSchedule,
    NotLive,
    QueueFull,
    TargetNotInPost,
)
from chalicelib.domain.posts import verbs
from chalicelib.domain.posts.erasing import target_without_words
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.reviewing import Decision, approve, reject
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.posts.verbs import Facts, Update
from tests.domain.posts.moments import MOMENTS, TEN, TWO
from tests.support.builders import a_post, a_target
from tests.support.callers import a_caller
from tests.support.frozen_clock import NOON

GOLDEN = NOON + timedelta(hours=7)
ROWS: Mapping[str, str] = {
    "a draft": "draft",
    "a draft with a time of its own": "draft",
    "publishing, a step runs": "publishing",
    "publishing, the visible call runs": "publishing",
    "publishing, waiting for the platform": "publishing",
    "publishing, waiting for a retry": "publishing, would retry",
    "publishing, to be looked for": "publishing",
    "published": "published",
    "failed, refused": "failed",
    "failed, in doubt": "failed, in doubt",
    "cancelled": "cancelled",
    "cancelled, in doubt": "cancelled, in doubt",
    "removed": "removed",
}
"""The row of the table that each moment of a target's life stands in; others are scheduled."""
ASK: Mapping[str, Callable[[Post, Facts], Update]] = {
    "schedule": lambda post, facts: verbs.schedule(post, facts, at=TWO),
    "queue": lambda post, facts: verbs.queue(post, facts, at=TWO),
    "publish_now": verbs.publish_now,
    "retry": verbs.retry,
    "cancel": verbs.cancel,
    "dismiss": verbs.dismiss,
    "unpublish": lambda post, facts: verbs.unpublish(post, facts, post.targets[0].id),
}
REFUSED: Mapping[str, type[ServiceError]] = {
    "schedule": NothingToSchedule,
    "queue": NothingToSchedule,
    "publish_now": NothingToPublish,
    "retry": NothingToRetry,
    "cancel": NothingToCancel,
    "dismiss": NothingToRetry,
    "unpublish": NotLive,
}


def _row(moment: str) -> str:
    return ROWS.get(moment, "scheduled")


def _cells() -> Iterator[tuple[str, str, str]]:
    """Yield the page's table: a row's name, a verb, and what becomes of the target."""
    table = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (verbs.__doc__ or "").splitlines()
        if line.startswith("|")
    ]
    (_, *heads), _, *rows = table
    for row, *cells in rows:
        for head, cell in zip(heads, cells, strict=True):
            yield from ((row, verb, cell) for verb in head.split(", "))


CALLS: Mapping[str, str] = {
    "`/schedule`": "schedule",
    "`/queue`": "queue",
    "`/publish-now`": "publish_now",
    "`/cancel`": "cancel",
    "`/retry`": "retry",
    "`…/unpublish`": "unpublish",
}
WORDED = {"waiting for a retry with nothing in doubt": "publishing, would retry"}
TABLE = {(row, verb): becomes for row, verb, becomes in _cells()}
CASES = [(moment, verb) for moment in MOMENTS for verb in ASK]
LEFT = [(moment, verb) for moment, verb in CASES if TABLE[_row(moment), verb] == "-"]


def _facts(*targets: Target) -> Facts:
    accounts: dict[str, tuple[str, ...]] = {one.account_id: () for one in targets}
    golden = dict.fromkeys(accounts, GOLDEN)
    return Facts(caller=a_caller(accounts=accounts), now=NOON, golden=golden)


def _asked(verb: str, *targets: Target, approval: Approval | None = None) -> Update:
    return ASK[verb](a_post(targets=targets, approval=approval), _facts(*targets))


def test_every_verb_has_a_column_and_every_moment_a_row() -> None:
    rows = {_row(moment) for moment in MOMENTS}

    assert set(TABLE) == {(row, verb) for row in rows for verb in ASK}


def test_the_table_takes_what_the_contract_says_that_each_call_takes() -> None:
    text = (Path(__file__).parents[3] / "docs/api.md").read_text(encoding="utf-8")
    section = text.split("## States and transitions")[1].split("## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]

    said = {
        (status.removeprefix("or "), CALLS[call.strip()])
        for statuses, call, *_ in rows
        if call.strip() in CALLS
        for status in statuses.strip().split(", ")
    }

    takes = {(row, verb) for (row, verb), becomes in TABLE.items() if becomes != "-"}
    plain = {(row, verb) for row, verb in takes if not row.endswith("in doubt")}
    assert {(WORDED.get(status, status), verb) for status, verb in said} == {
        (row, verb) for row, verb in plain if verb != "dismiss"
    }


@pytest.mark.parametrize(("moment", "verb"), CASES, ids=str)
def test_a_verb_makes_of_a_target_what_the_table_says(moment: str, verb: str) -> None:
    target = MOMENTS[moment]
    becomes = TABLE[_row(moment), verb]

    if becomes == "-":
        with pytest.raises(REFUSED[verb]):
            _asked(verb, target)
        return
    update = _asked(verb, target)

    assert update.after.targets[0].status == becomes
    assert len(update.events) == 1


@pytest.mark.parametrize(("moment", "verb"), LEFT, ids=str)
def test_what_a_verb_does_not_take_stays_as_it_is_beside_what_it_takes(
    moment: str, verb: str
) -> None:
    target = replace(MOMENTS[moment], id="b" * 32)
    taken = next(MOMENTS[name] for name in MOMENTS if (name, verb) not in LEFT)

    update = _asked(verb, taken, target)

    assert update.after.targets[1] == target


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("verb", ["delete", "reject"])
def test_deleting_and_rejecting_stop_what_cancel_stops(verb: str, moment: str) -> None:
    target = MOMENTS[moment]
    post = a_post(targets=[target], approval=Approval.PENDING)
    stops = TABLE[_row(moment), "cancel"] == "cancelled"

    if verb == "delete":
        after = verbs.delete(post, _facts(target)).after
    else:
        after = reject(post, Decision(), now=NOON).after

    left = target.cancel(now=NOON) if stops else target
    if verb == "delete" and left.status is not TargetStatus.PUBLISHING:
        left = target_without_words(left)
    assert after.targets[0] == left
    assert (after.deleted_at, after.approval) == (
        (NOON, Approval.PENDING) if verb == "delete" else (None, Approval.REJECTED)
    )


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish_now", "retry"])
def test_nothing_of_a_rejected_post_is_set_in_motion(verb: str) -> None:
    draft, failed = MOMENTS["a draft"], MOMENTS["failed, refused"]

    with pytest.raises(REFUSED[verb]):
        _asked(verb, draft, failed, approval=Approval.REJECTED)


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish_now", "retry"])
def test_only_targets_whose_account_is_there_are_set_in_motion(verb: str) -> None:
    status = TargetStatus.FAILED if verb == "retry" else TargetStatus.DRAFT
    there, gone = a_target(status=status), a_target(status=status)
    post = a_post(targets=[there, gone])

    update = ASK[verb](post, _facts(there))

    assert update.after.targets[0].status is TargetStatus.SCHEDULED
    assert update.after.targets[1] == gone
    with pytest.raises(AccountRemoved):
        ASK[verb](post, _facts())


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish_now", "retry"])
def test_what_waits_for_approval_is_scheduled_and_does_not_wake(verb: str) -> None:
    status = TargetStatus.FAILED if verb == "retry" else TargetStatus.DRAFT

    moved = _asked(verb, a_target(status=status), approval=Approval.PENDING).after.targets[0]

    assert (moved.status, moved.progress.wake_at) == (TargetStatus.SCHEDULED, None)


@pytest.mark.parametrize(
    ("own", "at", "goes"),
    [(None, None, GOLDEN), (TWO, None, TWO), (TEN, None, GOLDEN), (TWO, GOLDEN, GOLDEN)],
)
def test_schedule_takes_the_asked_time_else_its_own_to_come_else_the_golden_hour(
    own: datetime | None, at: datetime | None, goes: datetime
) -> None:
    target = a_target(scheduled_at=own)

    update = verbs.schedule(a_post(targets=[target]), _facts(target), at=at)

    assert update.after.targets[0].scheduled_at == goes


def test_the_best_time_is_the_golden_hour_whatever_time_is_named() -> None:
    target = a_target(scheduled_at=TWO)

    update = verbs.schedule_at_best(a_post(targets=[target]), _facts(target))

    assert update.after.targets[0].scheduled_at == GOLDEN


def test_a_post_scheduled_as_written_names_each_time_itself() -> None:
    named, unnamed = a_target(scheduled_at=TWO), a_target()
    past = a_target(scheduled_at=TEN)

    update = verbs.schedule_as_written(a_post(targets=[named]), _facts(named))

    assert update.after.targets[0].scheduled_at == TWO
    for target in (unnamed, past):
        with pytest.raises(InvalidInput):
            verbs.schedule_as_written(a_post(targets=[target]), _facts(target))


def test_a_post_of_which_all_is_scheduled_stays_as_the_edit_made_it() -> None:
    post = a_post(targets=[MOMENTS["scheduled"]])

    assert verbs.schedule_as_written(post, _facts(*post.targets)) == Update(after=post)


def test_a_queued_post_holds_its_time_and_none_is_free_in_a_full_queue() -> None:
    target = a_target()
    post = a_post(targets=[target])

    queued = verbs.queue(post, _facts(target), at=TWO)

    assert (queued.after.queued_at, queued.events[0].action) == (TWO, Action.QUEUED)
    with pytest.raises(QueueFull):
        verbs.queue(post, _facts(target), at=None)


def test_cancel_may_be_about_one_instant() -> None:
    first, second = MOMENTS["scheduled"], replace(MOMENTS["scheduled"], id="b" * 32)
    later = replace(second, scheduled_at=GOLDEN)
    post = a_post(targets=[first, later])

    update = verbs.cancel(post, _facts(first), at=GOLDEN)

    assert [one.status for one in update.after.targets] == ["scheduled", "cancelled"]
    assert update.events[0].detail["targets"] == 1


def test_an_approved_post_goes_as_scheduled_and_at_once_if_its_time_has_passed() -> None:
    waiting = MOMENTS["scheduled, waiting for approval"]
    late = replace(waiting, id="b" * 32, scheduled_at=TEN, due_at=TEN)
    post = a_post(targets=[waiting, late], approval=Approval.PENDING)

    update = approve(post, Decision(by="Eve"), now=NOON)

    assert [one.progress.wake_at for one in update.after.targets] == [TWO, NOON]
    assert [(one.action, one.by) for one in update.events] == [(Action.APPROVED, "Eve")]


def test_an_approval_sets_the_times_that_are_asked_for_if_its_button_says_so() -> None:
    post = a_post(targets=[a_target(scheduled_at=TWO)], approval=Approval.PENDING)

    kept = approve(post, Decision(), now=NOON)
    update = approve(post, Decision(schedules=True), now=NOON)

    assert kept.after.targets[0].status is TargetStatus.DRAFT
    assert update.after.targets[0].status is TargetStatus.SCHEDULED
    assert [one.action for one in update.events] == [Action.APPROVED, Action.SCHEDULED]


def test_what_its_platform_has_no_more_is_noted_once_and_by_nobody() -> None:
    live, other = MOMENTS["published"], MOMENTS["removed"]
    post = a_post(targets=[live, replace(other, id="b" * 32)])

    update = verbs.note_gone(post, [live.id, "b" * 32], now=NOON)

    assert [one.status for one in update.after.targets] == ["removed", "removed"]
    assert [(one.by, one.detail["found"]) for one in update.events] == [("system", "gone")]


def test_only_a_target_of_the_post_can_be_unpublished() -> None:
    live = MOMENTS["published"]

    with pytest.raises(TargetNotInPost):
        verbs.unpublish(a_post(targets=[live]), _facts(live), "c" * 32)


def test_decisions_in_turn_are_each_about_what_those_before_lead_to() -> None:
    target = a_target()
    post, facts = a_post(targets=[target]), _facts(target)

    update = verbs.in_turn(
        lambda before: verbs.schedule(before, facts, at=TWO),
        lambda before: verbs.cancel(before, facts),
    )(post)

    assert update.after.targets[0].status is TargetStatus.CANCELLED
    assert [one.action for one in update.events] == [Action.SCHEDULED, Action.CANCELLED]
    assert verbs.in_turn()(post) == Update(after=post)
