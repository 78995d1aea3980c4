"""How a run over a claimed target comes to rest: live, failed, put off, or waiting for its time.

Every way out keeps the target's progress and sends a wake message when the next one is near.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum, auto

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode
from chalicelib.domain.posts.target import Target
from chalicelib.domain.posts.what_follows import DELETED as DELETED_MEANWHILE
from chalicelib.domain.posts.what_follows import RETRIES, after_the_last_try
from chalicelib.storage.engine.outcomes import AlreadyAdoptedError
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.workers.publishing.attempts import Attempts
from chalicelib.workers.publishing.error_mapping import RetryPolicy, explain
from chalicelib.workers.publishing.leases import ClaimedTarget

DOUBT_TIMEOUT = timedelta(hours=1)
_OTHERS_POST = timedelta(seconds=30)
"""When to look again after what was found belongs to another target."""
DELETED = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="The post was deleted before the platform accepted it.",
)
UNTOLD = Failed(
    code=FailureCode.OUTCOME_UNKNOWN,
    message="The platform did not say whether it accepted the post."
    " Check the platform before you retry.",
)


class Next(Enum):
    """What follows a step: another step at once, or nothing until the target wakes again."""

    STEP = auto()
    REST = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What every run of a process shares.

    Only whether a target's second has come is the `wall` clock's to say: leases, waits and limits
    are the steady `clock`'s, which no step of the wall clock takes along at once.
    """

    attempts: Attempts
    fire_queue: PublishQueue
    prepare_queue: PublishQueue
    retry: RetryPolicy
    clock: Clock
    wall: Clock


@dataclass(frozen=True, slots=True)
class Endings:
    """The ways in which one claimed target's run can end."""

    tools: Tools
    claimed: ClaimedTarget

    @property
    def due_at(self) -> datetime:
        """When the target is or was to go out."""
        return self.claimed.target.due_at or self.tools.clock()

    def live(self, done: Done, *, at: datetime, found: str | None = None) -> Next:
        """Keep that the target is live; `found` tells that a look on the platform showed it.

        What another target has already is looked for again, as what the platform answered to both.
        """
        now, checkpoint = self.tools.clock(), self.claimed.target.progress.checkpoint
        try:
            twin = self.tools.attempts.keep_published(self.claimed, done, at=at, found=found)
        except AlreadyAdoptedError:
            if checkpoint is None:
                raise
            return self.look_later(checkpoint, _OTHERS_POST)
        if twin is not None:
            self.tools.prepare_queue.send_near([twin], now=now)
        return Next.REST

    def fail(self, failed: Failed, *, found: str | None = None) -> Next:
        """Keep that the target failed for good."""
        self.tools.attempts.keep_failed(self.claimed, failed, found=found)
        return Next.REST

    def is_deleted(self) -> bool:
        """Tell whether the post was deleted: then what did not go live is not tried again."""
        return self.tools.attempts.outcomes.is_deleted(self.claimed.ref)

    def rest(self, target: Target) -> Next:
        """Let go of the target until it wakes again."""
        self.claimed.release(target)
        if target.progress.wake_at is not None:
            self._remind(target, target.progress.wake_at)
        return Next.REST

    def rest_for(self, wait: timedelta, *, wakes: int = 0) -> Next:
        """Let go of the target for so long, or until its second if that is nearer."""
        now = self.tools.clock()
        is_nearer = now < self.due_at < now + wait
        wake_at = self.due_at if is_nearer else now + wait
        return self.rest(self.claimed.target.postpone(wake_at, wakes=wakes))

    def retry_or_fail(self, failed: Failed) -> Next:
        """Try again later, or fail when the time for retries is over."""
        now, target = self.tools.clock(), self.claimed.target
        again = self.tools.retry.next_attempt(
            failed, tries=target.progress.tries, due_at=self.due_at, now=now
        )
        if again is None:
            if failed.proves_absence:
                self.claimed.become(target.clear_doubt())
            return self.fail(self._told(failed, after_the_last_try(failed, now=now)))
        if now < self.due_at and failed.retry_after is None:
            again = min(again, self.due_at)
        waiting = target.retry_at(again, now=now)
        told, last = self._told(failed, RETRIES), self._told(failed, DELETED_MEANWHILE)
        if self.tools.attempts.keep_waiting(self.claimed, told, waiting, if_deleted=last):
            self._remind(waiting, again)
        return Next.REST

    def look_later(self, checkpoint: Checkpoint, delay: timedelta) -> Next:
        """Look on the platform again after a delay, but not for ever."""
        now, target = self.tools.clock(), self.claimed.target
        sent = target.progress.sent
        if sent is not None and now > max(sent.begun_by, self.due_at) + DOUBT_TIMEOUT:
            return self.fail(UNTOLD, found="cannot tell")
        return self.rest(target.reconcile_at(checkpoint, now + delay, now=now))

    def _told(self, failed: Failed, follows: str | None) -> Failed:
        """Return a refusal as a person reads it, with what follows it."""
        return replace(failed, message=explain(failed, self.claimed.target.platform, follows))

    def _remind(self, target: Target, wake_at: datetime) -> None:
        ref = self.claimed.ref.waking_at(wake_at, target)
        queue = self.tools.fire_queue if target.fires_next else self.tools.prepare_queue
        queue.send_near([ref], now=self.tools.clock())
