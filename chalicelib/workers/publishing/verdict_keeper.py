"""Saves the verdict on a claimed target: its outcome or progress, and a message for its next time.

Decides nothing: `domain/engine/verdicts.py` does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.decision import (
    Again,
    Facts,
    GoOn,
    Live,
    Over,
    Remind,
    Rest,
    Verdict,
)
from chalicelib.domain.engine.verdicts import after_adoption
from chalicelib.domain.engine.what_follows import DELETED
from chalicelib.domain.outcome import Failed
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.engine.outcomes import AlreadyAdoptedError
from chalicelib.storage.engine.wake_queue import Lanes
from chalicelib.workers.publishing.attempts import Attempts
from chalicelib.workers.publishing.error_mapping import explain
from chalicelib.workers.publishing.leases import ClaimedTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictKeeper:
    """Saves verdicts on claimed targets; `spread` yields a number in [-1, 1] for jitter.

    `is_closed` reads whether a workspace is being deleted.

    Whether a target's second has come is decided by the `wall` clock. Leases, waits and limits go
    by the steady `clock`, which does not follow a step of the wall clock at once.
    """

    attempts: Attempts
    lanes: Lanes
    clock: Clock
    wall: Clock
    spread: Callable[[], float]
    is_closed: Callable[[str], bool]

    def facts(self) -> Facts:
        """Return the facts for a verdict that do not depend on a connector."""
        return Facts(now=self.clock(), by_wall=self.wall(), spread=self.spread())

    def is_deleted(self, claimed: ClaimedTarget) -> bool:
        """Tell whether its post was deleted: then what did not go live is not tried again."""
        return self.attempts.outcomes.is_deleted(claimed.ref)

    def owners(self, platform: Platform, remote_ids: Sequence[str]) -> Mapping[str, str]:
        """Return which target each of some posts belongs to, for those that are known here."""
        return self.attempts.outcomes.owners(platform, remote_ids)

    def keep(self, claimed: ClaimedTarget, verdict: Verdict) -> bool:
        """Save a verdict; return whether another step follows at once. Raises LeaseLostError."""
        match verdict:
            case GoOn():
                _go_on(claimed, verdict)
                return True
            case Live():
                self._keep_live(claimed, verdict)
            case Over():
                claimed.become(verdict.target)
                told = _as_told(claimed, verdict.failed, verdict.follows)
                self.attempts.keep_failed(claimed, told, found=verdict.found)
            case Again():
                claimed.become(verdict.target)
                self._keep_waiting(claimed, verdict)
            case Remind():
                self.attempts.keep_reminded(claimed, verdict.target)
            case Rest():
                claimed.release(verdict.target)
                self._remind(claimed, verdict.target)
            case _:
                assert_never(verdict)
        return False

    def _keep_live(self, claimed: ClaimedTarget, live: Live) -> None:
        """Save that the target is live, unless the found post belongs to another target."""
        try:
            twin = self.attempts.keep_published(claimed, live.done, at=live.at, found=live.found)
        except AlreadyAdoptedError:
            if live.target.progress.checkpoint is None:
                raise
            self.keep(claimed, after_adoption(live.target, self.facts()))
            return
        if twin is not None:
            self.lanes.retry.send_near([twin], now=self.clock())

    def _keep_waiting(self, claimed: ClaimedTarget, again: Again) -> None:
        told = _as_told(claimed, again.failed, again.follows)
        last = _as_told(claimed, again.failed, DELETED)
        if self.attempts.keep_waiting(
            claimed, told, again.waiting, until=again.until, if_deleted=last
        ):
            self._remind(claimed, again.waiting)

    def _remind(self, claimed: ClaimedTarget, target: Target) -> None:
        """Send a message for the target's next time, if it has one and that is near."""
        wake_at = target.progress.wake_at
        if wake_at is None:
            return
        ref = claimed.ref.waking_at(wake_at, target)
        self.lanes.of(target).send_near([ref], now=self.clock())


def _go_on(claimed: ClaimedTarget, verdict: GoOn) -> None:
    if verdict.is_kept:
        claimed.save(verdict.target)
    else:
        claimed.become(verdict.target)


def _as_told(claimed: ClaimedTarget, failed: Failed, follows: str | None) -> Failed:
    """Return a refusal as a person reads it, with what follows it."""
    return replace(failed, message=explain(failed, claimed.target.platform, follows))
