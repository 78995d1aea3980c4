"""Keeps the verdict on a claimed target: outcome, progress, and a message for its next time.

Decides nothing: `domain/engine/verdicts.py` does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.decision import Again, Facts, GoOn, Live, Over, Rest, Verdict
from chalicelib.domain.engine.verdicts import after_adoption
from chalicelib.domain.engine.what_follows import DELETED
from chalicelib.domain.outcome import Failed
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.engine.outcomes import AlreadyAdoptedError
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.workers.publishing.attempts import Attempts
from chalicelib.workers.publishing.error_mapping import explain
from chalicelib.workers.publishing.leases import ClaimedTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What every run of a process shares; `spread` yields a number in [-1, 1] for the jitter.

    Only whether a target's second has come is the `wall` clock's to say: leases, waits and limits
    are the steady `clock`'s, which no step of the wall clock takes along at once.
    """

    attempts: Attempts
    fire_queue: PublishQueue
    prepare_queue: PublishQueue
    clock: Clock
    wall: Clock
    spread: Callable[[], float]


@dataclass(frozen=True, slots=True)
class VerdictKeeper:
    """Keeps what is decided about one claimed target."""

    tools: Tools
    claimed: ClaimedTarget

    def facts(self) -> Facts:
        """Return what is decided by, as far as it does not depend on a connector."""
        return Facts(now=self.tools.clock(), by_wall=self.tools.wall(), spread=self.tools.spread())

    def is_deleted(self) -> bool:
        """Tell whether the post was deleted: then what did not go live is not tried again."""
        return self.tools.attempts.outcomes.is_deleted(self.claimed.ref)

    def owners(self, platform: Platform, remote_ids: Sequence[str]) -> Mapping[str, str]:
        """Return which target each of some posts belongs to, for those that are known here."""
        return self.tools.attempts.outcomes.owners(platform, remote_ids)

    def keep(self, verdict: Verdict) -> bool:
        """Keep a verdict; return whether another step follows at once. Raises LeaseLostError."""
        match verdict:
            case GoOn():
                self._go_on(verdict)
                return True
            case Live():
                self._keep_live(verdict)
            case Over():
                self.claimed.become(verdict.target)
                told = self._told(verdict.failed, verdict.follows)
                self.tools.attempts.keep_failed(self.claimed, told, found=verdict.found)
            case Again():
                self.claimed.become(verdict.target)
                self._keep_waiting(verdict)
            case Rest():
                self.claimed.release(verdict.target)
                self._remind(verdict.target)
            case _:
                assert_never(verdict)
        return False

    def _go_on(self, verdict: GoOn) -> None:
        if verdict.is_kept:
            self.claimed.save(verdict.target)
        else:
            self.claimed.become(verdict.target)

    def _keep_live(self, live: Live) -> None:
        """Keep that the target is live, unless what was found belongs to another target."""
        try:
            twin = self.tools.attempts.keep_published(
                self.claimed, live.done, at=live.at, found=live.found
            )
        except AlreadyAdoptedError:
            if live.target.progress.checkpoint is None:
                raise
            self.keep(after_adoption(live.target, self.facts()))
            return
        if twin is not None:
            self.tools.prepare_queue.send_near([twin], now=self.tools.clock())

    def _keep_waiting(self, again: Again) -> None:
        told, last = self._told(again.failed, again.follows), self._told(again.failed, DELETED)
        if self.tools.attempts.keep_waiting(
            self.claimed, told, again.waiting, until=again.until, if_deleted=last
        ):
            self._remind(again.waiting)

    def _told(self, failed: Failed, follows: str | None) -> Failed:
        """Return a refusal as a person reads it, with what follows it."""
        return replace(failed, message=explain(failed, self.claimed.target.platform, follows))

    def _remind(self, target: Target) -> None:
        """Send a message for the target's next time, if it has one and that is near."""
        wake_at = target.progress.wake_at
        if wake_at is None:
            return
        ref = self.claimed.ref.waking_at(wake_at, target)
        queue = self.tools.fire_queue if target.fires_next else self.tools.prepare_queue
        queue.send_near([ref], now=self.tools.clock())
