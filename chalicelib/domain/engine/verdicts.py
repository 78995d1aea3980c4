"""What a target does next, and what follows the outcome of it. Pure; the worker keeps the verdict.

Read three functions: `next_move` says which call comes next, `after` what follows its outcome, and
`after_reconciliation` what follows a reconciliation. An answer counts as follows:

| the platform | at the visible step (`after_visible`) | at any other step |
|---|---|---|
| says that the post is there | live | live |
| wants more steps, or time | next step, at once or then | the same |
| says 429, or cannot be reached | doubt cleared; again by `next_try` | again by `next_try` |
| refuses by its error table | doubt cleared; again if transient, else failed | the same |
| 5xx, time-out, reset, unknown body | in doubt: reconcile after 1 s, send nothing | again |

So after a 500 from X at 09:00:00 to the call that posts, nobody knows whether the post is there. A
reconciliation at 09:00:01 asks X which posts the account has: if ours is one of them, it is live.
Else X is asked again, and the post is sent again only once `absence.py` decides that it is not
there (on X from about 09:02 on); if nothing decides it, the target fails as `outcome_unknown` and
waits for a person. A 500 to an upload is followed by another try. Tries come after 5, 15 and 45 s,
2 and 5 min, then every 10 min (± 20 %), until an hour after the target was due; a platform's own
Retry-After is honoured up to a day (docs/api.md "Error codes").
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import assert_never

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
    TIMED_OUT,
    UNACCOUNTED,
    UNTOLD,
    page_for,
)
from chalicelib.domain.engine.what_follows import (
    after_the_last_try,
    before_the_next_look,
    before_the_next_try,
)
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    Absent,
    Checkpoint,
    Done,
    Failed,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.domain.posts.target import Target

WAITS = tuple(timedelta(seconds=s) for s in (5, 15, 45, 120, 300, 600))
RETRIES_FOR = timedelta(hours=1)
LONGEST_RETRY_AFTER = timedelta(hours=24)
TOO_LATE = timedelta(hours=24)
STEPS_FOR = timedelta(hours=26)
"""The limit for all steps together: a day of Retry-After, and time for the try after it."""
DOUBT_TIMEOUT = timedelta(hours=1)
_REFUSALS = range(400, 500)
_JITTER = 0.2
_FIRST_RECONCILIATION = timedelta(seconds=1)
_AFTER_FAILURE = timedelta(seconds=30)
_AFTER_SILENCE = timedelta(seconds=10)
_MADE_AGAIN = timedelta(seconds=1)
_ADOPTED_BY_ANOTHER = timedelta(seconds=30)


def next_move(target: Target, facts: Facts) -> Move | Verdict:
    """Return the call that a held target makes next, or the verdict if there is none."""
    progress = target.progress
    checkpoint, sent = progress.checkpoint, progress.sent
    if progress.unanswered and checkpoint is not None:
        if sent is None:
            raise AssertionError("A doubt without what was sent cannot be reconciled.")
        return Reconcile(checkpoint, sent)
    if (reminded := reminder(target, facts)) is not None:
        return reminded
    return Start() if checkpoint is None else _step(target, checkpoint, facts)


def _step(target: Target, checkpoint: Checkpoint, facts: Facts) -> Move | Verdict:
    """Return the call of a checkpoint that a target has reached, unless it is early or late."""
    if _has_timed_out(target, facts):
        return Over(target=target, failed=TIMED_OUT)
    if checkpoint.step not in facts.irreversible:
        return Step(checkpoint)
    if not _has_come(target, facts):
        return Rest(target.postpone(_due_at(target, facts)))
    return VisibleStep(checkpoint)


def reminder(target: Target, facts: Facts) -> Verdict | None:
    """Return the verdict on a target that is only a reminder; None for every other.

    A target in doubt is looked for first: it may be live.
    """
    if target.reminder is None or target.is_in_doubt:
        return None
    has_come = _has_come(target, facts)
    return Remind(target) if has_come else Rest(target.postpone(_due_at(target, facts)))


def after(target: Target, outcome: Outcome, facts: Facts) -> Verdict:
    """Return what follows a step that makes nothing visible, or that could not be begun."""
    match outcome:
        case Done():
            return Live(target=target, done=outcome, at=facts.answered_at or facts.now)
        case Wait():
            return _after_wait(target, outcome, facts)
        case Failed():
            return _after_failure(target, outcome, facts)
        case Unanswered():
            return _after_silence(target, outcome, facts)
        case _:
            assert_never(outcome)


def after_visible(target: Target, outcome: Outcome, facts: Facts) -> Verdict:
    """Return what follows the visible step: a refusal proves that nothing was taken."""
    known = target.clear_doubt() if isinstance(outcome, Failed) else target
    return after(known, outcome, facts)


def after_reconciliation(
    target: Target, finding: Reconciliation | Failed | Unanswered, facts: Facts
) -> Verdict:
    """Return what follows a reconciliation, which says whether the post is there."""
    checkpoint, sent = _doubt(target)
    match finding:
        case Done():
            return _after_found(target, finding, facts)
        case Absent():
            return _after_absence(target, finding, facts)
        case Wait():
            return _reconcile_later(target, finding.checkpoint, finding.delay, facts)
        case Unknown():
            failed = UNACCOUNTED if sent.is_suspicion else _untold(target)
            return Over(target=target, failed=failed, found="cannot tell")
        case Failed():
            delay = finding.retry_after or _AFTER_FAILURE
            return _reconcile_later(target, checkpoint, delay, facts)
        case Unanswered():
            return _reconcile_later(target, checkpoint, _AFTER_SILENCE, facts)
        case _:
            assert_never(finding)


def after_adoption(target: Target, facts: Facts) -> Verdict:
    """Return what follows where the post that was found belongs to another target already."""
    checkpoint = target.progress.checkpoint
    if checkpoint is None:
        raise AssertionError("Only a target in doubt finds a post.")
    return _reconcile_later(target, checkpoint, _ADOPTED_BY_ANOTHER, facts)


def next_try(failed: Failed, target: Target, facts: Facts) -> datetime | None:
    """Return when the service itself tries again after a failure, or None if it gives up."""
    if not failed.is_transient:
        return None
    due_at = _due_at(target, facts)
    again = facts.now + max(_wait(target, facts), failed.retry_after or timedelta(0))
    if again > tries_until(failed, target, facts):
        return None
    is_early = facts.now < due_at and failed.retry_after is None
    return min(again, due_at) if is_early else again


def tries_until(failed: Failed, target: Target, facts: Facts) -> datetime:
    """Return when the service itself makes its last try."""
    due_at, asked = _due_at(target, facts), failed.retry_after or timedelta(0)
    is_asked = asked > _wait(target, facts) and not failed.own_pace
    return due_at + (LONGEST_RETRY_AFTER if is_asked else RETRIES_FOR)


def wait_for_look(target: Target, untold: Failed | Unanswered) -> timedelta | None:
    """Return how long to wait before a late target is looked for again; None to send it unseen.

    A platform that refuses the question does so each time, and one that is down is asked for eight
    minutes.
    """
    is_refused = isinstance(untold, Failed) and not untold.is_transient
    looks = target.progress.wakes
    return None if is_refused or looks >= len(WAITS) else WAITS[max(looks - 1, 0)]


def postpone(target: Target, wait: timedelta, facts: Facts, *, wakes: int = 0) -> Rest:
    """Return the verdict to wait for so long, or until the target's second if that is nearer."""
    due_at = _due_at(target, facts)
    is_nearer = facts.now < due_at < facts.now + wait
    return Rest(target.postpone(due_at if is_nearer else facts.now + wait, wakes=wakes))


def _after_wait(target: Target, wait: Wait, facts: Facts) -> Verdict:
    """Go on after the wait, or at once.

    Two checkpoints are not saved by themselves: what `start` prepares can be made again after a
    crash, and an irreversible step saves its checkpoint together with its doubt.
    """
    if wait.delay > timedelta(0):
        return Rest(target.resume_at(wait.checkpoint, facts.now + wait.delay, now=facts.now))
    is_cheap = target.progress.checkpoint is None
    is_saved_next = wait.checkpoint.step in facts.irreversible and _has_come(target, facts)
    reached = target.reach(wait.checkpoint, now=facts.now)
    return GoOn(reached, is_kept=not (is_cheap or is_saved_next))


def _after_failure(target: Target, failed: Failed, facts: Facts) -> Verdict:
    """Try again later, or end when no try can help or the time for them is over."""
    again = next_try(failed, target, facts)
    if again is None:
        known = target.clear_doubt() if failed.proves_absence else target
        follows = after_the_last_try(failed, now=facts.now, tries=known.progress.tries)
        return Over(target=known, failed=failed, follows=follows)
    until = tries_until(failed, target, facts)
    return Again(
        target=target,
        failed=failed,
        waiting=target.retry_at(again, now=facts.now),
        follows=before_the_next_try(again, until, now=facts.now),
        until=until,
    )


def _after_silence(target: Target, silence: Unanswered, facts: Facts) -> Verdict:
    """Look for the post; if a page of HTML came in place of an answer, note the first one."""
    earlier, answer = target.progress.said, silence.answer
    again, heard = facts.now + _FIRST_RECONCILIATION, target.hear(answer)
    waiting = heard.reconcile_at(silence.checkpoint, again, now=facts.now)
    has_noted_one = earlier is not None and earlier.is_page
    if answer is None or not answer.is_page or has_noted_one:
        return Rest(waiting)
    failed = page_for(answer)
    until = max(facts.now, tries_until(failed, target, facts))
    return Again(
        target=target,
        failed=failed,
        waiting=waiting,
        follows=before_the_next_look(until),
        until=until,
    )


def _after_found(target: Target, found: Done, facts: Facts) -> Verdict:
    """Go on with the step beside the post, such as a comment, if there is one; else it is live."""
    if found.then is not None and target.reminder is None:
        return _after_wait(target, Wait(found.then), facts)
    return Live(target=target, done=found, at=facts.now, found="published")


def _after_absence(target: Target, absent: Absent, facts: Facts) -> Verdict:
    """Make the step again once its lost call must have ended, while there is time for it.

    If both calls would make one post, the step is made again earlier, but not often. An outage
    counts for no try, but nothing goes out that is too late.
    """
    due_at, checkpoint, sent = _due_at(target, facts), *_doubt(target)
    certain = sent.begun_by + CALL_DEADLINE
    is_over = facts.now > due_at + min(RETRIES_FOR + facts.outage, TOO_LATE)
    if absent.is_idempotent and not is_over and not facts.is_deleted:
        certain = sent.at + min(max(_MADE_AGAIN, (sent.at - due_at) / 4), _AFTER_FAILURE)
    if facts.now < certain:
        return _reconcile_later(target, checkpoint, certain - facts.now, facts)
    refused = target.clear_doubt()
    if facts.is_deleted:
        return Over(target=refused, failed=DELETED, found="absent")
    if is_over and not sent.is_suspicion:
        return Over(target=refused, failed=_never_took(target), found="absent")
    is_same_step = checkpoint.step in facts.irreversible
    return _send_again(refused if is_same_step else refused.from_the_start(), sent, facts)


def _send_again(target: Target, sent: Sent, facts: Facts) -> Verdict:
    """Send again what provably is not there; an answer that proved nothing is noted once.

    A page was noted when it came. Without an answer there is nothing to note, and it is sent at
    once, as after a restore: then it may never have been sent. A target that is a reminder by now
    is not sent again.
    """
    said = target.progress.said
    has_nothing_to_note = said is None or said.is_page or target.progress.tries > 0
    if has_nothing_to_note or sent.is_suspicion or target.reminder is not None:
        return GoOn(target, is_kept=True)
    failed = replace(NOT_THERE, answer=said)
    until = tries_until(failed, target, facts)
    return Again(
        target=target,
        failed=failed,
        waiting=target.retry_at(facts.now, now=facts.now),
        follows=before_the_next_try(facts.now, until, now=facts.now),
        until=until,
    )


def _reconcile_later(
    target: Target, checkpoint: Checkpoint, delay: timedelta, facts: Facts
) -> Verdict:
    """Reconcile again after a delay, for a limited time."""
    sent, due_at = target.progress.sent, _due_at(target, facts)
    if sent is not None and facts.now > max(sent.begun_by, due_at) + DOUBT_TIMEOUT + facts.outage:
        return Over(target=target, failed=_untold(target), found="cannot tell")
    return Rest(target.reconcile_at(checkpoint, facts.now + delay, now=facts.now))


def _untold(target: Target) -> Failed:
    """Return that nobody can tell, with what the platform said in place of an answer."""
    said = target.progress.said
    return UNTOLD if said is None else replace(UNTOLD, answer=said)


def _never_took(target: Target) -> Failed:
    """Return that the time for tries is over, with what the platform said of the last ones."""
    said = target.progress.said
    if said is None:
        return NEVER_TOOK
    if said.status not in _REFUSALS:
        return replace(NEVER_BUT_PAGES if said.is_page else NEVER_TOOK, answer=said)
    has_form = said.sentence is not None or said.code is not None
    return replace(KEPT_REFUSING if has_form else NEVER_REACHED, answer=said)


def _doubt(target: Target) -> tuple[Checkpoint, Sent]:
    checkpoint, sent = target.progress.checkpoint, target.progress.sent
    if checkpoint is None or sent is None:
        raise AssertionError("The target is not in doubt.")
    return checkpoint, sent


def _wait(target: Target, facts: Facts) -> timedelta:
    """Return the service's own wait before the next try."""
    tries = min(target.progress.tries, len(WAITS) - 1)
    return WAITS[tries] * (1 + _JITTER * facts.spread)


def _due_at(target: Target, facts: Facts) -> datetime:
    return target.due_at or facts.now


def _has_come(target: Target, facts: Facts) -> bool:
    """Tell whether the target's second has come."""
    return target.due_at is None or (facts.by_wall or facts.now) >= target.due_at


def _has_timed_out(target: Target, facts: Facts) -> bool:
    since, due_at = target.progress.checkpoint_since, _due_at(target, facts)
    if since is None or facts.now < due_at:
        return False
    in_step = max(since, due_at) + facts.step_timeout
    return facts.now > min(in_step, due_at + STEPS_FOR)
