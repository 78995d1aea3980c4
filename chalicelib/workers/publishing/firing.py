"""The fire worker: visible calls on their second, armed before it and held by nobody until then.

A batch of wake messages arrives some seconds ahead. Each target is armed; at its second one
conditional write claims it, makes it `publishing` and saves its doubt, and the call follows. All
calls that are due come before the outcomes of those that were made (`places.py`).
Whatever is not a first visible call goes the slower way (`worker.py`).
"""

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import partial

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef
from chalicelib.storage.engine.fires import Fires
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.storage.engine.wake_queue import ARMED_FOR
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.arming import ArmedTarget, Arming, Found, Unarmed
from chalicelib.workers.publishing.endings import Next
from chalicelib.workers.publishing.leases import ClaimedTarget, LeaseKeeper
from chalicelib.workers.publishing.places import Call, Places, Rest, Work
from chalicelib.workers.publishing.run import Run, doubt_at
from chalicelib.workers.publishing.worker import RUNNING

TOO_EARLY = timedelta(seconds=15)
_LOG = logging.getLogger(__name__)

SlowerWay = Callable[[TargetRef, SwitchState], None]
Result = tuple[TargetRef, BaseException | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FireWorker:
    """Works on wake messages of targets whose second is near; safe to run twice."""

    arming: Arming
    fires: Fires
    leases: LeaseKeeper
    clock: Clock
    slower_way: SlowerWay
    read_switch: Callable[[], SwitchState]
    places: Places
    armers: Executor
    alarm: Alarm[Call]

    def run(self, ref: TargetRef, switch: SwitchState = RUNNING) -> None:
        """Bring one target as far as it gets. Raises what went wrong."""
        for _, error in self.run_all([ref], switch):
            if error is not None:
                raise error

    def run_all(self, refs: Sequence[TargetRef], switch: SwitchState = RUNNING) -> list[Result]:
        """Arm every target, and fire each at its second; return what went wrong with each."""
        if switch.paused:
            return []
        found = self._found(refs)
        begun = [(ref, self.armers.submit(self._arm, ref, switch, found.get(ref))) for ref in refs]
        results: list[Result] = []
        armed = list(self._collected(begun, results))
        fired = [
            (one.ref, self._at_its_second(one, switch))
            for one in sorted(armed, key=lambda one: one.due_at)
        ]
        return results + [(ref, end.exception()) for ref, end in fired]

    def _found(self, refs: Sequence[TargetRef]) -> dict[TargetRef, Found]:
        """Read together what several targets are armed with; one that is not in it reads itself."""
        near = [ref for ref in refs if not self._is_too_early(ref)]
        if len(near) <= 1:
            return {}
        try:
            return self.arming.find(near)
        except Exception:  # noqa: BLE001 - each reads for itself then, and tells what is wrong
            facts = {"action": "targets.not_read", "targets": len(near)}
            _LOG.exception("A batch could not be read together.", extra=facts)
            return {}

    def _is_too_early(self, ref: TargetRef) -> bool:
        return ref.wake_at - self.clock() > TOO_EARLY

    def _arm(
        self, ref: TargetRef, switch: SwitchState, found: Found | None = None
    ) -> ArmedTarget | None:
        """Arm a target, or send it another way."""
        if self._is_too_early(ref):
            self.slower_way(ref, switch)
            return None
        try:
            armed = self.arming.arm(ref, switch, found)
        except Exception:  # noqa: BLE001 - the slower way counts what breaks workers, and ends it
            facts = {"action": "target.not_armed", "target_id": ref.target_id}
            _LOG.exception("A target could not be armed.", extra=facts)
            armed = Unarmed.SLOWER_WAY
        if armed is Unarmed.SLOWER_WAY:
            self.slower_way(ref, switch)
        return armed if isinstance(armed, ArmedTarget) else None

    def _collected(
        self,
        begun: Sequence[tuple[TargetRef, Future[ArmedTarget | None]]],
        results: list[Result],
    ) -> Iterator[ArmedTarget]:
        for ref, arming in begun:
            error = arming.exception()
            armed = None if error is not None else arming.result()
            if armed is None:
                results.append((ref, error))
            else:
                yield armed

    def _at_its_second(self, armed: ArmedTarget, switch: SwitchState) -> Future[None]:
        workspace_id, platform = armed.post.workspace_id, armed.target.platform
        call = Call(workspace_id, platform, lambda: self.fire(armed, switch))
        self.alarm.at(armed.due_at, call)
        return call.done

    def fire(self, armed: ArmedTarget, switch: SwitchState) -> Rest | None:
        """Claim a target by the one write that saves its doubt, and make its call.

        Returns what keeps the outcome, under the lease, which it ends; None when nothing was sent.
        """
        if self.places.is_stalled(armed.target.platform):
            self.slower_way(armed.ref, switch)
            return None
        is_stale = self.clock() > max(armed.due_at, armed.publication.now) + ARMED_FOR
        rest = None if is_stale else self._fire(armed)
        if rest is not None:
            return rest
        again = self._arm_anew(armed.ref)
        return None if again is None else self._fire(again)

    def _arm_anew(self, ref: TargetRef) -> ArmedTarget | None:
        """Read everything again, the engine's switch too; None when there is nothing to fire.

        For what changed since it was armed, and for what is far behind its second: another way
        would cost more, while this process has more to do than it can.
        """
        switch = self.read_switch()
        return None if switch.paused else self._arm(ref, switch)

    def _fire(self, armed: ArmedTarget) -> Rest | None:
        """Claim and call; None when anything has changed since it was armed."""
        now = self.clock()
        lease = Lease(token=secrets.token_hex(16), until=now + LEASE)
        reached = armed.target.reach(armed.checkpoint, now=now)
        sent = doubt_at(now, armed.publication)
        fired = self.fires.fire(
            armed.ref, reached.doubt(armed.checkpoint, sent, now=now).held(lease)
        )
        if fired is None:
            return None
        with ExitStack() as around:
            hold = around.enter_context(self.leases.hold(armed.ref, lease))
            claimed = ClaimedTarget(hold, armed.post, fired)
            run = Run(self.arming.preflight.tools, claimed, armed.connector, armed.publication)
            settle = run.call(armed.checkpoint, sent, reached.progress)
            held = around.pop_all()
        return partial(_settle, run, settle, held)


def _settle(run: Run, settle: Callable[[], Next], held: ExitStack) -> Work | None:
    """Keep an outcome; return the calls that may follow it, which need a place of their own."""
    with ExitStack() as around, _until_lost():
        around.enter_context(held)
        if settle() is Next.STEP:
            return partial(_go_on, run, around.pop_all())
    return None


def _go_on(run: Run, held: ExitStack) -> None:
    with held, _until_lost():
        run.go()


@contextmanager
def _until_lost() -> Iterator[None]:
    """End the block when somebody else has taken its target."""
    try:
        yield
    except LeaseLostError:
        _LOG.info("Stopped: somebody else has the target now.", extra={"action": "lease.lost"})
