"""What an operator does with the engine: look inside a post, pause, resume, redrive.

The command line calls it; nothing here is reachable through the API (docs/operations.md).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.holds import Holds, without_old
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.platforms.versions import ApiVersion, endangered_versions
from chalicelib.domain.posts.history import History
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import LEASE, TAKEOVER_GRACE
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import EngineSwitch, SwitchState
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import ARM_AHEAD, ARMED_FOR, NEAR, Lanes
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.tables import WAKE_SHARDS

STILL_ARMED = ARM_AHEAD + timedelta(seconds=2)
"""A message is taken from the queue up to this long before its second, and then goes out.

A process that has much to do may begin the call some seconds after that, without asking again.
"""
_LEASED = LEASE + TAKEOVER_GRACE
OVERDUE_AFTER = timedelta(seconds=60)
TOLD_AFTER = timedelta(minutes=5)
"""How late something overdue may be before people are told of it."""
_IN_MOTION = timedelta(minutes=15)
MOST_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStatus:
    """How the engine is doing: the oldest target that should have been woken, and the queues."""

    paused: bool
    confirm_since: datetime | None
    oldest_overdue: datetime | None
    waiting: int
    working: int
    delayed: int
    dead: int
    holds: Holds = ()
    versions: tuple[ApiVersion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """What a pause could not stop: targets armed before it, and those whose call is under way."""

    state: SwitchState
    may_have_gone_out: int
    being_sent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckTarget:
    """A target that is overdue or whose outcome is in doubt."""

    post_id: str
    workspace_id: str
    target: Target
    is_overdue: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineControl:
    """What operators read of posts and the engine, and how they stop it and start it again."""

    posts: PostRepository
    targets: TargetRepository
    lanes: Lanes
    switch: EngineSwitch
    clock: Clock
    wait: Callable[[float], None] = time.sleep
    chosen_versions: Mapping[str, str] = field(default_factory=dict)

    def show(self, post_id: str) -> tuple[Post, History]:
        """Return all that is stored of a post, deleted or not. Raises OperatorError."""
        try:
            return self.posts.get_any(post_id), self.posts.history(post_id)
        except PostNotFound as error:
            raise OperatorError("There is no such post.") from error

    def stuck(self) -> Sequence[StuckTarget]:
        """Return every target that is overdue or in doubt, the oldest first."""
        now = self.clock()
        found = (self._stuck(ref, now) for ref in self._waking(now + _IN_MOTION))
        return [one for one in found if one is not None]

    def _stuck(self, ref: TargetRef, now: datetime) -> StuckTarget | None:
        target = self.targets.get(ref)
        is_overdue = ref.wake_at < now - OVERDUE_AFTER
        if target is None or not (is_overdue or target.is_in_doubt):
            return None
        return StuckTarget(
            post_id=ref.post_id,
            workspace_id=ref.workspace_id,
            target=target,
            is_overdue=is_overdue,
        )

    def _waking(self, until: datetime, most: int | None = None) -> list[TargetRef]:
        """Return the targets that wake until then, soonest first, at most so many of a shard."""
        refs = [
            ref
            for shard in WAKE_SHARDS
            for ref in self.targets.waking(after=None, until=until, shard=shard, limit=most)
        ]
        return sorted(refs, key=lambda ref: ref.wake_at)

    def engine_status(self) -> EngineStatus:
        """Return how the engine is doing."""
        state = self.switch.read()
        depths = [lane.depth() for lane in self.lanes.each]
        waiting, working, delayed = (sum(counts) for counts in zip(*depths, strict=True))
        return EngineStatus(
            paused=state.paused,
            confirm_since=state.confirm_since,
            oldest_overdue=self.targets.oldest_waking(self.clock() - OVERDUE_AFTER),
            waiting=waiting,
            working=working,
            delayed=delayed,
            dead=self.lanes.fire.dead(),
            holds=without_old(state.holds, self.clock()),
            versions=endangered_versions(self.chosen_versions, self.clock()),
        )

    def pause(self) -> Pause:
        """Stop sending, and wait until the targets that are armed have gone out.

        A call that is under way by then ends by itself.
        """
        state = self.switch.pause()
        over = self.clock() + STILL_ARMED
        armed = [ref for ref in self._waking(over) if not self._is_held(ref)]
        if armed:
            self.wait((STILL_ARMED + ARMED_FOR).total_seconds())
        held = [ref for ref in self._waking(self.clock() + _LEASED) if self._is_held(ref)]
        return Pause(state=state, may_have_gone_out=len(armed), being_sent=len(held))

    def _is_held(self, ref: TargetRef) -> bool:
        target = self.targets.get(ref)
        return target is not None and target.progress.lease is not None

    def resume(self, *, confirm_since: datetime | None = None) -> SwitchState:
        """Resume; with a time, every target is first looked for on its platform from that time on.

        Messages that came during the pause are gone: targets that wake before the next tick get new
        ones, soonest first.
        """
        now = self.clock()
        if confirm_since is None:
            state = self.switch.resume()
        else:
            state = self.switch.resume_confirming(confirm_since, now=now)
        self.lanes.fire.send_near(self._waking(now + NEAR, MOST_AT_ONCE)[:MOST_AT_ONCE], now=now)
        return state

    def redrive(self) -> int:
        """Move dead wake messages back to the publish queue; return how many."""
        return self.lanes.fire.redrive()
