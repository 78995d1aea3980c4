"""One run over one claimed target: step by step until it is live, has failed, or rests.

Every way out of `go` has kept its progress; whatever crashes in between is noticed by the end of
the lease. An irreversible step is saved as in doubt before it is made, and only an answer that
proves a refusal clears the doubt.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from chalicelib.connectors.connector import Connector, Publication
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.outcomes import AlreadyAdoptedError
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.workers.publishing.attempts import Attempts
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.leases import Hold
from chalicelib.workers.publishing.retry import BUDGET, RetryPolicy

FIRST_LOOK = timedelta(seconds=1)
DOUBT_TIMEOUT = timedelta(hours=1)
OVERALL_TIMEOUT = timedelta(hours=26)
"""However often its steps change: a day of Retry-After, and time for the try after it."""
OTHERS_POST = timedelta(seconds=30)
_TIMED_OUT = "The platform did not finish in time. Look there first; retry looks before it sends."
_UNTOLD = "The platform did not say whether it took the post. Look there before you retry."
_NEVER_TOOK = "The platform did not take the post within the time for retries. Retry it later."


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What every run of a process shares."""

    attempts: Attempts
    queue: PublishQueue
    retry: RetryPolicy
    clock: Clock


class Run:
    """Works on one held target."""

    def __init__(
        self,
        tools: Tools,
        hold: Hold,
        post: Post,
        target: Target,
        connector: Connector,
        publication: Publication,
    ) -> None:
        self._tools = tools
        self._hold = hold
        self._post = post
        self._target = target
        self._connector = connector
        self._publication = publication

    def go(self) -> None:
        """Make steps until the target rests."""
        while self._step():
            pass

    def end_with(self, failed: Failed) -> None:
        """Try again later or fail, for what went wrong before the first step."""
        self._retry_or_fail(failed)

    def _step(self) -> bool:
        """Make the one next step; tell whether there is another to make right now."""
        checkpoint = self._target.progress.checkpoint
        if self._target.progress.unanswered and checkpoint is not None:
            return self._reconcile(checkpoint)
        if checkpoint is None:
            return self._after(answer_of(lambda: self._connector.start(self._now())))
        if self._has_timed_out():
            return self._fail(FailureCode.PROCESSING_TIMEOUT, _TIMED_OUT)
        if checkpoint.step not in self._connector.irreversible:
            return self._after(answer_of(lambda: self._connector.advance(self._now(), checkpoint)))
        if self._tools.clock() < self._due_at:
            return self._rest(self._target.postpone(self._due_at))
        return self._make_visible(checkpoint)

    def _make_visible(self, checkpoint: Checkpoint) -> bool:
        """Save what is about to be sent as in doubt, then make the irreversible call."""
        now = self._tools.clock()
        media_ids = () if self._publication.media is None else (self._publication.media.id,)
        sent = Sent(text=self._publication.text, media_ids=media_ids, at=now)
        self._target = self._hold.save(self._target.doubt(checkpoint, sent, now=now))
        outcome = answer_of(
            lambda: self._connector.advance(self._now(), checkpoint), doubt=checkpoint
        )
        if isinstance(outcome, Failed):
            self._target = self._target.refused()
        return self._after(outcome)

    def _reconcile(self, checkpoint: Checkpoint) -> bool:
        """Settle what an earlier irreversible call did, without changing anything there."""
        sent = self._target.progress.sent
        if sent is None:
            raise AssertionError("A doubt without what was sent cannot be settled.")
        finding = answer_of(lambda: self._connector.reconcile(self._now(), checkpoint, sent))
        match finding:
            case Done():
                return self._adopt(finding, checkpoint)
            case Absent():
                return self._step_again(checkpoint)
            case Wait():
                return self._reconcile_later(finding.checkpoint, finding.delay)
            case Unknown():
                return self._fail(FailureCode.OUTCOME_UNKNOWN, _UNTOLD, found="cannot tell")
            case Failed():
                delay = finding.retry_after or timedelta(seconds=30)
                return self._reconcile_later(checkpoint, delay)
            case Unanswered():
                return self._reconcile_later(checkpoint, timedelta(seconds=10))
            case _:
                assert_never(finding)

    def _adopt(self, done: Done, checkpoint: Checkpoint) -> bool:
        """Take what was found as this target's post, unless it belongs to another."""
        try:
            self._tools.attempts.published(
                self._hold, self._post, self._target, done, found="published"
            )
        except AlreadyAdoptedError:
            return self._reconcile_later(checkpoint, OTHERS_POST)
        return False

    def _step_again(self, checkpoint: Checkpoint) -> bool:
        """Go on after the platform provably had nothing: from the same step, or from the start."""
        self._target = self._target.refused()
        if self._tools.clock() > self._due_at + BUDGET:
            return self._fail(FailureCode.PLATFORM_UNAVAILABLE, _NEVER_TOOK, found="absent")
        if checkpoint.step not in self._connector.irreversible:
            progress = replace(self._target.progress, checkpoint=None, checkpoint_since=None)
            self._target = replace(self._target, progress=progress)
        self._target = self._hold.save(self._target)
        return True

    def _reconcile_later(self, checkpoint: Checkpoint, delay: timedelta) -> bool:
        now = self._tools.clock()
        sent = self._target.progress.sent
        if sent is not None and now > max(sent.at, self._due_at) + DOUBT_TIMEOUT:
            return self._fail(FailureCode.OUTCOME_UNKNOWN, _UNTOLD, found="cannot tell")
        return self._rest(self._target.reconcile_at(checkpoint, now + delay, now=now))

    def _after(self, outcome: "Outcome | Reconciliation") -> bool:
        """Act on what a step came to; tell whether another step follows at once."""
        match outcome:
            case Done():
                self._tools.attempts.published(
                    self._hold, self._post, self._target, outcome, found=None
                )
                return False
            case Wait():
                return self._wait(outcome)
            case Failed():
                return self._retry_or_fail(outcome)
            case Unanswered():
                now = self._tools.clock()
                return self._rest(
                    self._target.reconcile_at(outcome.checkpoint, now + FIRST_LOOK, now=now)
                )
            case Absent() | Unknown():
                raise AssertionError("Only a look can find this.")
            case _:
                assert_never(outcome)

    def _wait(self, wait: Wait) -> bool:
        now = self._tools.clock()
        if wait.delay <= timedelta(0):
            self._reach(wait.checkpoint, now)
            return True
        return self._rest(self._target.resume_at(wait.checkpoint, now + wait.delay, now=now))

    def _reach(self, checkpoint: Checkpoint, now: datetime) -> None:
        """Go on at once; progress is kept unless it is cheap to make again.

        What `start` prepares is made again after a crash, and an irreversible step saves its own
        checkpoint with its doubt right away.
        """
        reached = self._target.reach(checkpoint, now=now)
        is_cheap = self._target.progress.checkpoint is None
        is_saved_next = checkpoint.step in self._connector.irreversible and now >= self._due_at
        self._target = reached if is_cheap or is_saved_next else self._hold.save(reached)

    def _retry_or_fail(self, failed: Failed) -> bool:
        now = self._tools.clock()
        tries = self._target.progress.tries
        again = self._tools.retry.next_attempt(failed, tries=tries, due_at=self._due_at, now=now)
        if again is None:
            if failed.proves_absence:
                self._target = self._target.refused()
            return self._fail(failed.code, failed.message)
        if now < self._due_at and failed.retry_after is None:
            again = min(again, self._due_at)
        waiting = self._target.retry_at(again, now=now)
        self._tools.attempts.put_off(
            self._hold, self._post, waiting, code=failed.code, message=failed.message
        )
        self._remind(again)
        return False

    def _fail(self, code: str, message: str, *, found: str | None = None) -> bool:
        self._tools.attempts.failed(
            self._hold, self._post, self._target, code, message, found=found
        )
        return False

    def _rest(self, target: Target) -> bool:
        self._hold.release(target)
        if target.progress.wake_at is not None:
            self._remind(target.progress.wake_at)
        return False

    def _remind(self, wake_at: datetime) -> None:
        ref = replace(self._hold.ref, wake_at=wake_at)
        self._tools.queue.send_near([ref], now=self._tools.clock())

    def _now(self) -> Publication:
        return replace(self._publication, now=self._tools.clock())

    @property
    def _due_at(self) -> datetime:
        return self._target.due_at or self._publication.due_at

    def _has_timed_out(self) -> bool:
        since = self._target.progress.checkpoint_since
        now = self._tools.clock()
        if since is None or now < self._due_at:
            return False
        in_step = max(since, self._due_at) + self._connector.step_timeout
        return now > min(in_step, self._due_at + OVERALL_TIMEOUT)
