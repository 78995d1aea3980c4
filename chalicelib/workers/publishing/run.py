"""One run over one claimed target: step by step until it is live, has failed, or rests.

Every way out of `go` has kept its progress; whatever crashes in between is noticed by the end of
the lease. An irreversible step is saved as in doubt before it is made, and only an answer that
proves a refusal clears the doubt.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import assert_never

from chalicelib.connectors.connector import CALL_DEADLINE, Connector, Publication
from chalicelib.connectors.shared.transport.fence import fence_requests
from chalicelib.domain.outcome import (
    CLOCK_SKEW,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    Sent,
    Unanswered,
    Wait,
)
from chalicelib.domain.posts.progress import Progress
from chalicelib.workers.publishing.endings import Endings, Next
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.reconciling import Reconciler

MAY_BEGIN_WITHIN = timedelta(seconds=20)
LEASE_FOR_A_CALL = CALL_DEADLINE + CLOCK_SKEW
FIRST_LOOK = timedelta(seconds=1)
OVERALL_TIMEOUT = timedelta(hours=26)
"""However often its steps change: a day of Retry-After, and time for the try after it."""
_TIMED_OUT = Failed(
    code=FailureCode.PROCESSING_TIMEOUT,
    message="The platform did not finish in time. Check the platform first; a retry"
    " checks too before it sends.",
)


def doubt_at(now: datetime, publication: Publication) -> Sent:
    """Return what a visible call is about to carry, and until when it may begin."""
    media = publication.media
    return Sent(
        text=publication.text,
        media_ids=() if media is None else (media.id,),
        at=now,
        not_after=now + MAY_BEGIN_WITHIN,
    )


class Run:
    """Works on one claimed target."""

    def __init__(self, endings: Endings, connector: Connector, publication: Publication) -> None:
        self._clock = endings.tools.clock
        self._claimed = endings.claimed
        self._connector = connector
        self._publication = publication
        self._endings = endings

    def go(self) -> None:
        """Make steps until the target rests."""
        while self._step() is Next.STEP:
            pass

    def _step(self) -> Next:
        """Make the one next step."""
        self._claimed.require()
        progress = self._claimed.target.progress
        checkpoint = progress.checkpoint
        if progress.unanswered and checkpoint is not None:
            return Reconciler(self._endings, self._connector).settle(checkpoint, self._now)
        if checkpoint is None:
            return self._after(answer_of(lambda: self._connector.start(self._now())))
        if self._has_timed_out():
            return self._endings.fail(_TIMED_OUT)
        if checkpoint.step not in self._connector.irreversible:
            return self._after(answer_of(lambda: self._connector.advance(self._now(), checkpoint)))
        if self._endings.tools.wall() < self._endings.due_at:
            return self._endings.rest(self._claimed.target.postpone(self._endings.due_at))
        return self._make_visible(checkpoint)

    def _make_visible(self, checkpoint: Checkpoint) -> Next:
        """Save what is about to be sent as in doubt, then make the irreversible call."""
        before, now = self._claimed.target.progress, self._clock()
        sent = doubt_at(now, self._publication)
        self._claimed.save(self._claimed.target.doubt(checkpoint, sent, now=now))
        return self.call(checkpoint, sent, before)()

    def call(self, checkpoint: Checkpoint, sent: Sent, before: Progress) -> Callable[[], Next]:
        """Make the visible call whose doubt is saved; return what keeps its outcome.

        `before` is how far the target was without it.
        """
        with fence_requests(lambda: self._may_begin(sent)) as fence:
            outcome = answer_of(
                lambda: self._connector.advance(self._now(), checkpoint), doubt=checkpoint
            )
        if fence.has_stopped and not fence.has_sent:
            # Not a byte was written: the step is begun anew, under a new doubt.
            self._claimed.become(self._claimed.target.take_back_doubt(before))
            return lambda: Next.STEP
        if isinstance(outcome, Failed):
            self._claimed.become(self._claimed.target.clear_doubt())
        answered_at = self._clock()
        return lambda: self._after(outcome, answered_at)

    def _may_begin(self, sent: Sent) -> bool:
        """Tell whether the call would end while nobody else can have settled its doubt."""
        is_early_enough = sent.not_after is None or self._clock() <= sent.not_after
        return is_early_enough and self._claimed.lease_left >= LEASE_FOR_A_CALL

    def _after(self, outcome: Outcome, at: datetime | None = None) -> Next:
        """Act on what a step came to, at once or `at` an earlier moment."""
        match outcome:
            case Done():
                return self._endings.live(outcome, at=at or self._clock())
            case Wait():
                return self._wait(outcome)
            case Failed():
                return self._endings.retry_or_fail(outcome)
            case Unanswered():
                now, target = self._clock(), self._claimed.target
                return self._endings.rest(
                    target.reconcile_at(outcome.checkpoint, now + FIRST_LOOK, now=now)
                )
            case _:
                assert_never(outcome)

    def _wait(self, wait: Wait) -> Next:
        if wait.delay <= timedelta(0):
            self._reach(wait.checkpoint)
            return Next.STEP
        now = self._clock()
        later = self._claimed.target.resume_at(wait.checkpoint, now + wait.delay, now=now)
        return self._endings.rest(later)

    def _reach(self, checkpoint: Checkpoint) -> None:
        """Go on at once; progress is kept unless it is cheap to make again.

        What `start` prepares is made again after a crash, and an irreversible step saves its own
        checkpoint with its doubt right away.
        """
        now = self._clock()
        is_cheap = self._claimed.target.progress.checkpoint is None
        is_due = self._endings.tools.wall() >= self._endings.due_at
        is_saved_next = checkpoint.step in self._connector.irreversible and is_due
        reached = self._claimed.target.reach(checkpoint, now=now)
        if is_cheap or is_saved_next:
            self._claimed.become(reached)
        else:
            self._claimed.save(reached)

    def _now(self) -> Publication:
        return replace(self._publication, now=self._clock())

    def _has_timed_out(self) -> bool:
        since, due_at = self._claimed.target.progress.checkpoint_since, self._endings.due_at
        now = self._clock()
        if since is None or now < due_at:
            return False
        in_step = max(since, due_at) + self._connector.step_timeout
        return now > min(in_step, due_at + OVERALL_TIMEOUT)
