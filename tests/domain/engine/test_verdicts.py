"""What a target does next and what follows the outcome, as tables: docs/engine.md "Never twice"."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from chalicelib.domain.engine.decision import (
    Again,
    Facts,
    GoOn,
    Live,
    Move,
    Over,
    Reconcile,
    Remind,
    Rest,
    Start,
    Step,
    Verdict,
    VisibleStep,
)
from chalicelib.domain.engine.failures import (
    DELETED,
    KEPT_REFUSING,
    NEVER_BUT_PAGES,
    NEVER_REACHED,
    NEVER_TOOK,
    NOT_THERE,
    PAGE_BETWEEN,
    PAGE_OF_A_FAULT,
    TIMED_OUT,
    UNACCOUNTED,
    UNTOLD,
)
from chalicelib.domain.engine.verdicts import (
    after,
    after_adoption,
    after_reconciliation,
    after_visible,
    next_move,
    next_try,
    postpone,
    reminder,
    wait_for_look,
)
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    PlatformAnswer,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.domain.posts.progress import Progress
from chalicelib.domain.posts.target import Reminder, Target
from tests.support.builders import a_target
from tests.support.frozen_clock import NOON

SECOND, MINUTE, HOUR, DAY = (
    timedelta(seconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)
NOTHING = timedelta(0)
UPLOAD, PUBLISH = Checkpoint("upload"), Checkpoint("publish")
DONE = Done(remote_id="r1", url=None)
SENT = Sent(text="Rye", media_ids=(), at=NOON, not_after=NOON + 20 * SECOND)
CERTAIN = NOON + 60 * SECOND
"""20 s in which the call may begin, 10 s of clock skew, and 30 s that it may take."""
DRAFT = a_target(scheduled_at=NOON)
RESTORED = replace(SENT, not_after=NOON + 2 * HOUR)
UNAVAILABLE = Failed(code=FailureCode.PLATFORM_UNAVAILABLE, message="No answer.")
REFUSED = Failed(code=FailureCode.CAPTION_REJECTED, message="No.")
EXPIRED = Failed(code=FailureCode.AUTH_EXPIRED, message="Sign in.")


def limited(wait: timedelta) -> Failed:
    return Failed(code=FailureCode.RATE_LIMITED, message="Slow down.", retry_after=wait)


def due(progress: Progress | None = None) -> Target:
    """Return a target due at noon with this much progress."""
    target = DRAFT.schedule(NOON, now=NOON - DAY, lead=NOTHING)
    return target if progress is None else replace(target, progress=progress)


def at(checkpoint: Checkpoint | None, since: datetime = NOON) -> Target:
    return due(Progress(checkpoint=checkpoint, checkpoint_since=since))


def doubtful(sent: Sent = SENT, checkpoint: Checkpoint = PUBLISH) -> Target:
    progress = Progress(checkpoint=checkpoint, checkpoint_since=NOON, sent=sent, unanswered=True)
    return due(progress)


def facts(now: datetime = NOON, *, spread: float = 0.0, is_deleted: bool = False) -> Facts:
    return Facts(
        now=now,
        irreversible=frozenset({"publish"}),
        step_timeout=HOUR,
        spread=spread,
        is_deleted=is_deleted,
    )


@pytest.mark.parametrize(
    ("target", "now", "move"),
    [
        (at(None), NOON, Start()),
        (at(UPLOAD), NOON, Step(UPLOAD)),
        (at(UPLOAD), NOON - MINUTE, Step(UPLOAD)),
        (at(PUBLISH), NOON, VisibleStep(PUBLISH)),
        (doubtful(), NOON, Reconcile(PUBLISH, SENT)),
        (doubtful(), NOON + 2 * DAY, Reconcile(PUBLISH, SENT)),
        (at(UPLOAD), NOON + HOUR, Step(UPLOAD)),
        (at(UPLOAD), NOON + HOUR + SECOND, Over(target=at(UPLOAD), failed=TIMED_OUT)),
        (at(UPLOAD, NOON - HOUR), NOON + HOUR, Step(UPLOAD)),
        (at(UPLOAD, NOON - 3 * HOUR), NOON - MINUTE, Step(UPLOAD)),
        (at(UPLOAD, NOON + 25 * HOUR), NOON + 26 * HOUR, Step(UPLOAD)),
    ],
    ids=[
        "nothing reached: prepare",
        "an invisible step",
        "an invisible step before its time",
        "the visible step at its second",
        "an answer is missing: reconcile",
        "and reconcile however late it is",
        "a step has its whole timeout",
        "and no second more",
        "time before it was due does not count",
        "nothing times out before it is due",
        "a step that began late has a day and two hours in all",
    ],
)
def test_the_next_call(target: Target, now: datetime, move: Move | Verdict) -> None:
    assert next_move(target, facts(now)) == move


def test_the_visible_step_waits_for_its_second() -> None:
    early = next_move(at(PUBLISH), facts(NOON - MINUTE))

    assert isinstance(early, Rest)
    assert early.target.progress.wake_at == NOON


def test_steps_that_change_end_26_hours_after_the_second() -> None:
    target = at(UPLOAD, NOON + 25 * HOUR + 59 * MINUTE)

    verdict = next_move(target, facts(NOON + 26 * HOUR + SECOND))

    assert verdict == Over(target=target, failed=TIMED_OUT)


@pytest.mark.parametrize("step", [after, after_visible])
def test_what_is_there_is_live_since_the_answer_was_in_hand(step: object) -> None:
    told = replace(facts(NOON + MINUTE), answered_at=NOON + SECOND)
    target = at(PUBLISH)

    verdict = after(target, DONE, told) if step is after else after_visible(target, DONE, told)

    assert verdict == Live(target=target, done=DONE, at=NOON + SECOND)


@pytest.mark.parametrize(
    ("before", "then", "now", "is_kept"),
    [
        (None, UPLOAD, NOON, False),
        (UPLOAD, Checkpoint("attach"), NOON, True),
        (UPLOAD, PUBLISH, NOON, False),
        (UPLOAD, PUBLISH, NOON - MINUTE, True),
    ],
    ids=[
        "what start prepared is cheap to make again",
        "a step's progress is kept",
        "the doubt is saved next and keeps it",
        "the visible step waits: its checkpoint is kept",
    ],
)
def test_a_step_at_once(
    before: Checkpoint | None, then: Checkpoint, now: datetime, *, is_kept: bool
) -> None:
    verdict = after(at(before), Wait(then), facts(now))

    assert isinstance(verdict, GoOn)
    assert (verdict.target.progress.checkpoint, verdict.is_kept) == (then, is_kept)


def test_a_step_after_a_while() -> None:
    verdict = after(at(UPLOAD), Wait(UPLOAD, 5 * SECOND), facts())

    assert isinstance(verdict, Rest)
    assert verdict.target.progress.wake_at == NOON + 5 * SECOND


def test_a_missing_answer_is_reconciled_after_a_second_and_nothing_is_sent() -> None:
    """What follows a 500 from X at its second: the worker reads it as unanswered."""
    verdict = after_visible(doubtful(), Unanswered(PUBLISH), facts())

    assert isinstance(verdict, Rest)
    progress = verdict.target.progress
    assert (progress.wake_at, progress.unanswered, progress.sent) == (NOON + SECOND, True, SENT)


@pytest.mark.parametrize(
    ("tries", "failed", "now", "spread", "again"),
    [
        (0, UNAVAILABLE, NOON, 0, NOON + 5 * SECOND),
        (1, UNAVAILABLE, NOON, 0, NOON + 15 * SECOND),
        (2, UNAVAILABLE, NOON, 0, NOON + 45 * SECOND),
        (3, UNAVAILABLE, NOON, 0, NOON + 2 * MINUTE),
        (4, UNAVAILABLE, NOON, 0, NOON + 5 * MINUTE),
        (5, UNAVAILABLE, NOON, 0, NOON + 10 * MINUTE),
        (9, UNAVAILABLE, NOON, 0, NOON + 10 * MINUTE),
        (0, UNAVAILABLE, NOON, 1, NOON + 6 * SECOND),
        (0, UNAVAILABLE, NOON, -1, NOON + 4 * SECOND),
        (5, UNAVAILABLE, NOON + 50 * MINUTE, 0, NOON + HOUR),
        (5, UNAVAILABLE, NOON + 50 * MINUTE + SECOND, 0, None),
        (0, UNAVAILABLE, NOON - 3 * MINUTE, 0, NOON - 3 * MINUTE + 5 * SECOND),
        (4, UNAVAILABLE, NOON - 3 * MINUTE, 0, NOON),
        (0, limited(10 * MINUTE), NOON - 3 * MINUTE, 0, NOON + 7 * MINUTE),
        (0, limited(SECOND), NOON, 0, NOON + 5 * SECOND),
        (0, limited(24 * HOUR), NOON, 0, NOON + 24 * HOUR),
        (0, limited(24 * HOUR + SECOND), NOON, 0, None),
        (0, REFUSED, NOON, 0, None),
        (0, EXPIRED, NOON, 0, None),
        (0, replace(UNAVAILABLE, final=True), NOON, 0, None),
    ],
)
def test_when_a_failure_is_tried_again(
    tries: int, failed: Failed, now: datetime, spread: float, again: datetime | None
) -> None:
    target = due(Progress(tries=tries))

    assert next_try(failed, target, facts(now, spread=spread)) == again


def test_a_transient_failure_waits_for_its_next_try() -> None:
    verdict = after(at(UPLOAD), UNAVAILABLE, facts())

    assert isinstance(verdict, Again)
    progress = verdict.waiting.progress
    assert (progress.wake_at, progress.tries) == (NOON + 5 * SECOND, 1)
    assert progress.retries


@pytest.mark.parametrize(
    ("failed", "keeps_doubt"),
    [(REFUSED, False), (replace(UNAVAILABLE, final=True), False), (EXPIRED, True)],
    ids=["the platform judged the post", "a refusal for good", "a sign-in proves nothing"],
)
def test_a_failure_for_good_after_something_was_sent(failed: Failed, *, keeps_doubt: bool) -> None:
    verdict = after(doubtful(), failed, facts())

    assert isinstance(verdict, Over)
    assert (verdict.target.progress.sent is not None) == keeps_doubt


@pytest.mark.parametrize("failed", [UNAVAILABLE, REFUSED, EXPIRED], ids=lambda one: one.code)
def test_a_refusal_of_the_visible_step_proves_that_nothing_was_taken(failed: Failed) -> None:
    verdict = after_visible(doubtful(), failed, facts())

    assert isinstance(verdict, Again | Over)
    assert verdict.target.progress.sent is None
    if isinstance(verdict, Again):
        assert verdict.waiting.progress.sent is None


@pytest.mark.parametrize(
    ("finding", "delay"),
    [
        (Wait(PUBLISH, 7 * SECOND), 7 * SECOND),
        (UNAVAILABLE, 30 * SECOND),
        (limited(90 * SECOND), 90 * SECOND),
        (Unanswered(PUBLISH), 10 * SECOND),
        (Absent(), 60 * SECOND),
        (Absent(is_idempotent=True), SECOND),
    ],
    ids=[
        "the platform wants time",
        "it could not be asked",
        "it says when to ask",
        "it did not answer",
        "absent, but its call may not have ended",
        "absent, and both calls come to one post",
    ],
)
def test_a_reconciliation_that_settles_nothing_is_repeated(
    finding: Reconciliation | Outcome, delay: timedelta
) -> None:
    assert not isinstance(finding, Done)
    verdict = after_reconciliation(doubtful(), finding, facts())

    assert isinstance(verdict, Rest)
    assert verdict.target.progress.wake_at == NOON + delay
    assert verdict.target.is_in_doubt


def test_a_post_that_is_found_goes_on_with_what_belongs_beside_it() -> None:
    comment = Checkpoint("comment", {"key": "3k"})

    verdict = after_reconciliation(doubtful(), replace(DONE, then=comment), facts())

    assert isinstance(verdict, GoOn)
    assert (verdict.target.progress.checkpoint, verdict.is_kept) == (comment, True)
    assert not verdict.target.progress.unanswered


@pytest.mark.parametrize(
    ("finding", "sent", "now", "is_deleted", "end"),
    [
        (DONE, SENT, NOON, False, "published"),
        (Unknown(), SENT, NOON, False, UNTOLD),
        (Unknown(), RESTORED, NOON, False, UNACCOUNTED),
        (Wait(PUBLISH, SECOND), SENT, CERTAIN + HOUR, False, UNTOLD),
        (UNAVAILABLE, SENT, CERTAIN + HOUR, False, UNTOLD),
        (Absent(), SENT, CERTAIN, True, DELETED),
        (Absent(is_idempotent=True), SENT, CERTAIN, True, DELETED),
        (Absent(), SENT, NOON + HOUR + SECOND, False, NEVER_TOOK),
        (Absent(), RESTORED, NOON + 3 * HOUR, True, DELETED),
    ],
)
def test_a_reconciliation_that_ends_a_target(
    finding: Reconciliation | Failed,
    sent: Sent,
    now: datetime,
    is_deleted: bool,  # noqa: FBT001 - a column of the table
    end: Failed | str,
) -> None:
    verdict = after_reconciliation(doubtful(sent), finding, facts(now, is_deleted=is_deleted))

    if isinstance(end, str):
        assert verdict == Live(target=doubtful(sent), done=DONE, at=now, found=end)
    else:
        assert isinstance(verdict, Over)
        assert verdict.failed is end
        assert verdict.target.is_in_doubt == (verdict.found == "cannot tell")


@pytest.mark.parametrize(
    ("finding", "outage", "now", "follows"),
    [
        (Absent(), 3 * HOUR, NOON + 3 * HOUR, GoOn),
        (Absent(), 3 * HOUR, NOON + 4 * HOUR, GoOn),
        (Absent(), 3 * HOUR, NOON + 4 * HOUR + SECOND, Over),
        (Absent(), 30 * HOUR, NOON + 24 * HOUR, GoOn),
        (Absent(), 30 * HOUR, NOON + 24 * HOUR + SECOND, Over),
        (Wait(PUBLISH, SECOND), 3 * HOUR, NOON + 3 * HOUR, Rest),
        (UNAVAILABLE, 30 * HOUR, NOON + 30 * HOUR, Rest),
    ],
)
def test_an_outage_while_a_call_was_in_doubt_takes_no_try_from_it(
    finding: Reconciliation | Failed, outage: timedelta, now: datetime, follows: type[Verdict]
) -> None:
    """The power that ends a call often stays away for hours."""
    facts_then = replace(facts(now), outage=outage)

    verdict = after_reconciliation(doubtful(), finding, facts_then)

    assert isinstance(verdict, follows)


@pytest.mark.parametrize(
    ("status", "finding", "end"),
    [
        (418, Absent(), KEPT_REFUSING),
        (503, Absent(), NEVER_TOOK),
        (418, Unknown(), UNTOLD),
    ],
)
def test_what_a_platform_said_to_a_call_in_doubt_is_told_in_the_end(
    status: int, finding: Reconciliation, end: Failed
) -> None:
    """A refusal that no table lists proves nothing; whoever waited an hour still reads why."""
    said = PlatformAnswer(status=status, sentence="No teapots here.")
    heard = after(doubtful(), Unanswered(PUBLISH, said), facts())
    assert isinstance(heard, Rest)
    silent = after(heard.target, Unanswered(PUBLISH), facts())
    assert isinstance(silent, Rest)

    verdict = after_reconciliation(silent.target, finding, facts(NOON + HOUR + SECOND))

    assert isinstance(verdict, Over)
    assert verdict.failed == replace(end, answer=said)


@pytest.mark.parametrize(
    ("status", "meanwhile", "end"),
    [(403, PAGE_BETWEEN, NEVER_REACHED), (503, PAGE_OF_A_FAULT, NEVER_BUT_PAGES)],
)
def test_a_page_of_a_network_on_the_way_is_told_as_one(
    status: int, meanwhile: Failed, end: Failed
) -> None:
    """HTML is no platform's refusal; whoever waits reads what came, once, and for how long yet."""
    page = PlatformAnswer(status=status, is_page=True)
    first = after(doubtful(), Unanswered(PUBLISH, page), facts())
    assert isinstance(first, Again)
    assert (first.failed, first.until) == (replace(meanwhile, answer=page), NOON + HOUR)
    assert "until 2026-11-20 13:00 UTC" in first.follows
    assert first.waiting.is_in_doubt
    assert first.waiting.progress.unanswered

    second = after(first.waiting, Unanswered(PUBLISH, page), facts())
    assert second == Rest(first.waiting)
    absent = after_reconciliation(first.waiting, Absent(), facts(CERTAIN))
    assert isinstance(absent, GoOn)
    verdict = after_reconciliation(first.waiting, Absent(), facts(NOON + HOUR + SECOND))

    assert isinstance(verdict, Over)
    assert verdict.failed == replace(end, answer=page)


@pytest.mark.parametrize(
    ("checkpoint", "sent", "absent", "now", "then"),
    [
        (PUBLISH, SENT, Absent(), CERTAIN, PUBLISH),
        (PUBLISH, SENT, Absent(), NOON + HOUR, PUBLISH),
        (PUBLISH, SENT, Absent(is_idempotent=True), NOON + SECOND, PUBLISH),
        (Checkpoint("finish"), SENT, Absent(), CERTAIN, None),
        (PUBLISH, RESTORED, Absent(), NOON + 3 * HOUR, PUBLISH),
    ],
    ids=[
        "once its call must have ended, the same step",
        "for an hour, and no less",
        "at once where both calls come to one post",
        "a step that shows nothing: from the start",
        "after a restore, however late it is",
    ],
)
def test_what_is_absent_is_sent_again(
    checkpoint: Checkpoint, sent: Sent, absent: Absent, now: datetime, then: Checkpoint | None
) -> None:
    verdict = after_reconciliation(doubtful(sent, checkpoint), absent, facts(now))

    assert isinstance(verdict, GoOn)
    assert (verdict.target.progress.checkpoint, verdict.is_kept) == (then, True)
    assert not verdict.target.is_in_doubt


def test_the_first_answer_that_proved_nothing_is_told_once_the_post_is_absent() -> None:
    heard = doubtful().hear(PlatformAnswer(status=503))

    first = after_reconciliation(heard, Absent(), facts(CERTAIN))

    assert isinstance(first, Again)
    assert first.failed == replace(NOT_THERE, answer=PlatformAnswer(status=503))
    assert first.until == NOON + HOUR
    assert first.waiting.progress.wake_at == CERTAIN
    assert not first.waiting.is_in_doubt
    told = replace(heard, progress=replace(heard.progress, tries=1))
    assert isinstance(after_reconciliation(told, Absent(), facts(CERTAIN)), GoOn)


def test_where_no_answer_came_the_post_is_sent_again_at_once_without_a_word() -> None:
    verdict = after_reconciliation(doubtful(), Absent(), facts(CERTAIN))

    assert isinstance(verdict, GoOn)
    assert not verdict.target.is_in_doubt


def test_what_only_a_backup_suspects_is_sent_without_a_word() -> None:
    suspected = doubtful(RESTORED)
    heard = replace(suspected.progress, said=PlatformAnswer(status=503))

    verdict = after_reconciliation(
        replace(suspected, progress=heard), Absent(), facts(NOON + 3 * HOUR)
    )

    assert isinstance(verdict, GoOn)


def test_a_step_of_one_post_is_made_again_ever_less_often() -> None:
    late = replace(SENT, at=NOON + 8 * SECOND, not_after=NOON + 28 * SECOND)
    later = replace(SENT, at=NOON + 10 * MINUTE, not_after=NOON + 11 * MINUTE)

    waits = [
        after_reconciliation(doubtful(sent), Absent(is_idempotent=True), facts(sent.at))
        for sent in (late, later)
    ]

    wakes = [one.target.progress.wake_at for one in waits if isinstance(one, Rest)]
    assert wakes == [late.at + 2 * SECOND, later.at + 30 * SECOND]


def test_a_deleted_post_waits_for_the_end_of_its_call() -> None:
    absent = Absent(is_idempotent=True)

    verdict = after_reconciliation(doubtful(), absent, facts(NOON + SECOND, is_deleted=True))

    assert isinstance(verdict, Rest)
    assert verdict.target.progress.wake_at == CERTAIN


def test_a_post_that_another_target_has_is_looked_for_again() -> None:
    verdict = after_adoption(doubtful(), facts())

    assert isinstance(verdict, Rest)
    assert verdict.target.progress.wake_at == NOON + 30 * SECOND


@pytest.mark.parametrize(
    ("now", "wait", "wake_at"),
    [
        (NOON - MINUTE, 5 * SECOND, NOON - MINUTE + 5 * SECOND),
        (NOON - SECOND, 5 * SECOND, NOON),
        (NOON, 5 * SECOND, NOON + 5 * SECOND),
    ],
    ids=["before its second", "its second is nearer", "after its second"],
)
def test_a_wait_never_passes_the_second(now: datetime, wait: timedelta, wake_at: datetime) -> None:
    assert postpone(at(UPLOAD), wait, facts(now)).target.progress.wake_at == wake_at


@pytest.mark.parametrize(("is_ours", "again"), [(True, None), (False, NOON + 3 * HOUR)])
def test_a_wait_that_is_ours_does_not_lengthen_the_time_for_tries(
    is_ours: bool,  # noqa: FBT001 - a parameter
    again: datetime | None,
) -> None:
    failed = replace(limited(2 * HOUR), own_pace=is_ours)

    assert next_try(failed, due(), facts(NOON + HOUR)) == again


def reminding(progress: Progress | None = None) -> Target:
    return replace(due(progress), reminder=Reminder.PLANNED)


@pytest.mark.parametrize(
    "progress",
    [None, at(UPLOAD).progress, at(PUBLISH).progress],
    ids=["fresh", "uploaded", "ready to be sent"],
)
def test_a_reminder_is_never_followed_by_a_call(progress: Progress | None) -> None:
    target = reminding(progress)

    early = next_move(target, facts(NOON - MINUTE))

    assert isinstance(early, Rest)
    assert early.target.progress.wake_at == NOON
    assert next_move(target, facts()) == Remind(target)


def test_a_reminder_in_doubt_is_looked_for_and_reminded_of_once_it_is_absent() -> None:
    target = replace(doubtful(), reminder=Reminder.PLANNED)

    first = next_move(target, facts(CERTAIN))
    verdict = after_reconciliation(target, Absent(), facts(CERTAIN))

    assert reminder(target, facts(CERTAIN)) is None
    assert first == Reconcile(PUBLISH, SENT)
    assert isinstance(verdict, GoOn)
    assert isinstance(next_move(verdict.target, facts(CERTAIN)), Remind)


def test_a_reminder_whose_post_is_found_is_live_without_what_would_follow() -> None:
    target = replace(doubtful(), reminder=Reminder.PLANNED)
    found = replace(DONE, then=Checkpoint("comment"))

    assert isinstance(after_reconciliation(target, found, facts(CERTAIN)), Live)


SILENT = Unanswered(Checkpoint("restored"))


@pytest.mark.parametrize(
    ("untold", "wakes", "wait"),
    [
        (SILENT, 1, 5 * SECOND),
        (SILENT, 5, 5 * MINUTE),
        (SILENT, 6, None),
        (UNAVAILABLE, 1, 5 * SECOND),
        (EXPIRED, 1, None),
    ],
    ids=["no answer", "no fifth one", "no sixth one", "not reached", "nobody may look"],
)
def test_a_late_target_is_looked_for_again_while_its_platform_is_silent(
    untold: Failed | Unanswered, wakes: int, wait: timedelta | None
) -> None:
    assert wait_for_look(due(Progress(wakes=wakes)), untold) == wait
