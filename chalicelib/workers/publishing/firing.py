"""The fire worker: visible calls on their second, armed before it and held by nobody until then.

A batch of wake messages arrives some seconds ahead; what comes earlier, as a burst does, waits to
be armed. Each target is armed by itself, and has its alarm the moment it is; at its second one
conditional write claims it, makes it `publishing` and saves its doubt, and the call follows. All
calls that are due come before the outcomes of those that were made (`places.py`). Whatever is not a
first visible call, or is not armed by its second, goes the slower way (`worker.py`). A doubled
message costs a refused write and nothing else.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from chalicelib.domain.clock import Clock, nap_s
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.limits.thread_places import Call, Places, Rest, Work
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.storage.engine.wake_queue import ARM_AHEAD, ARMED_FOR
from chalicelib.workers.bursts import MOST_AHEAD
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.arming import ArmedTarget, Arming, Found, Unarmed
from chalicelib.workers.publishing.leases import LeaseKeeper
from chalicelib.workers.publishing.run import Run, doubt_at
from chalicelib.workers.publishing.verdict_keeper import VerdictKeeper
from chalicelib.workers.publishing.worker import RUNNING

TOO_EARLY = timedelta(seconds=15)
_WAITS_AT_MOST = MOST_AHEAD - ARM_AHEAD + timedelta(seconds=5)
_TOGETHER = timedelta(seconds=1)
"""Targets that are to be armed so close to each other are read together."""
ARMS_WITHIN = timedelta(seconds=5)
"""How long arming may take at the least; what has longer until its second may take so long."""
CONNECTS_AHEAD = timedelta(seconds=2)
"""A connection that rests for longer may be closed by the platform as the call goes out."""
_LOOK_EVERY_S = 0.5
_LOG = logging.getLogger(__name__)

SlowerWay = Callable[[TargetRef], None]
Result = tuple[TargetRef, BaseException | None]


class Arrival:
    """One message's target on its way to its second; `end` tells when nothing is left to do."""

    def __init__(self, ref: TargetRef) -> None:
        self.ref = ref
        self.end: Future[None] = Future()
        self.decided = threading.Event()
        self.begun_at: datetime | None = None
        self._guard = threading.Lock()

    def decide(self) -> bool:
        """Decide what becomes of the target; False when that is decided already."""
        with self._guard:
            is_open = not self.decided.is_set()
            self.decided.set()
            return is_open

    def is_stuck(self, now: datetime) -> bool:
        """Tell whether its arming has had all the time that there is for it."""
        begun = self.begun_at
        return begun is not None and now >= max(begun + ARMS_WITHIN, self.ref.wake_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class FireWorker:
    """Works on wake messages of targets whose second is near; safe to run twice.

    Seconds come by the `wall` clock; leases and doubts are the steady `clock`'s.
    """

    arming: Arming
    leases: LeaseKeeper
    clock: Clock
    wall: Clock
    slower_way: SlowerWay
    read_switch: Callable[[], SwitchState]
    places: Places
    armers: Places
    alarm: Alarm[Call]
    wait: Callable[[float], None] = time.sleep

    def run(self, ref: TargetRef) -> None:
        """Bring one target as far as it gets. Raises what went wrong."""
        for _, error in self.run_all([ref]):
            if error is not None:
                raise error

    def run_all(self, refs: Sequence[TargetRef]) -> list[Result]:
        """Arm every target, and fire each at its second; return what went wrong with each.

        A switch that cannot be read is asked again at each one's second.
        """
        now = self.wall()
        begins = {ref: _armed_from(ref, now) for ref in refs}
        left = sorted(refs, key=lambda ref: begins[ref])
        arrivals: list[Arrival] = []
        while left:
            moment = begins[left[0]]
            self._mind(arrivals, moment)
            near = [ref for ref in left if begins[ref] <= moment + _TOGETHER]
            left = left[len(near) :]
            arrivals += self._begun(near)
        self._mind(arrivals)
        return [(one.ref, one.end.exception()) for one in arrivals]

    def _begun(self, refs: Sequence[TargetRef]) -> list[Arrival]:
        """Begin to arm targets together, unless the engine is paused."""
        found = self._found(refs)
        # A copy of a message that was worked off costs one cheap reading of its row and no more.
        is_idle = all(ref in found and not self.arming.is_awake(ref, found[ref]) for ref in refs)
        switch = RUNNING if is_idle else self._switch()
        if switch is not None and switch.paused:
            return []
        arrivals = [Arrival(ref) for ref in refs]
        self.armers.begin([self._arming(one, switch, found.get(one.ref)) for one in arrivals])
        return arrivals

    def _switch(self) -> SwitchState | None:
        try:
            return self.read_switch()
        except AwsFailure:
            _LOG.exception("The switch could not be read.", extra={"action": "switch.not_read"})
            return None

    def _found(self, refs: Sequence[TargetRef]) -> dict[TargetRef, Found]:
        """Read together what several targets are armed with; one that is not in it reads itself."""
        near = [ref for ref in refs if not self._is_too_early(ref)]
        try:
            return self.arming.find(near)
        except Exception:  # noqa: BLE001 - each reads for itself then, and tells what is wrong
            facts = {"action": "targets.not_read", "targets": len(near)}
            _LOG.exception("A batch could not be read together.", extra=facts)
            return {}

    def _is_too_early(self, ref: TargetRef) -> bool:
        return ref.wake_at - self.wall() > TOO_EARLY

    def _arming(self, one: Arrival, switch: SwitchState | None, found: Found | None) -> Call:
        account = None if found is None else found.account
        server = "" if account is None else account.server
        return Call(one.ref.workspace_id, server, lambda: self._set_off(one, switch, found))

    def _set_off(self, one: Arrival, switch: SwitchState | None, found: Found | None) -> None:
        """Arm a target and set its alarm, unless that took too long for it."""
        one.begun_at = self.wall()
        try:
            armed = self._arm(one.ref, switch or RUNNING, found)
            if not one.decide():
                return
            if armed is None:
                one.end.set_result(None)
            else:
                self._set_alarm(one, armed, switch)
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            one.decide()
            one.end.set_exception(error)

    def _set_alarm(self, one: Arrival, armed: ArmedTarget, switch: SwitchState | None) -> None:
        """Have the call made at its second, over a connection that is opened a little before."""
        connects_at, owner = armed.due_at - CONNECTS_AHEAD, one.ref.workspace_id
        fire = partial(self.fire, armed, switch)
        moments = [(armed.due_at, Call(owner, armed.server, fire, one.end))]
        if armed.connector.connects_ahead and connects_at > self.wall():
            connect = partial(armed.connector.connect_ahead, armed.publication, armed.checkpoint)
            moments.insert(0, (connects_at, Call(owner, armed.server, connect)))
        self.alarm.at_each(moments)

    def _arm(
        self, ref: TargetRef, switch: SwitchState, found: Found | None = None
    ) -> ArmedTarget | None:
        """Return a target ready to be fired; what needs another way is sent there."""
        armed: ArmedTarget | Unarmed = Unarmed.SLOWER_WAY
        if not self._is_too_early(ref):
            try:
                armed = self.arming.arm(ref, switch, found)
            except Exception:  # noqa: BLE001 - the slower way counts what breaks workers, and ends it
                facts = {"action": "target.not_armed", "target_id": ref.target_id}
                _LOG.exception("A target could not be armed.", extra=facts)
        if armed is Unarmed.SLOWER_WAY:
            target = None if found is None else found.target_of(ref)
            is_ahead = target is not None and target.is_prepared_next
            self.slower_way(replace(ref, is_ahead=is_ahead))
        return armed if isinstance(armed, ArmedTarget) else None

    def _mind(self, arrivals: Sequence[Arrival], until: datetime | None = None) -> None:
        """Send the slower way whatever is not armed in time, until then or till all are decided."""
        while True:
            pending = [one for one in arrivals if not one.decided.wait(0)]
            now = self.wall()
            for one in pending:
                if one.is_stuck(now) and one.decide():
                    self._hand_over(one)
            left_s = _LOOK_EVERY_S if until is None else (until - now).total_seconds()
            if left_s <= 0 or not (pending or until):
                return
            if not pending:
                self.wait(nap_s(timedelta(seconds=left_s)))
                continue
            pending[0].decided.wait(min(left_s, _LOOK_EVERY_S))

    def _hand_over(self, one: Arrival) -> None:
        facts = {"action": "target.armed_too_slowly", "target_id": one.ref.target_id}
        _LOG.warning("A target was not armed in time.", extra=facts)
        try:
            self.slower_way(one.ref)
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            one.end.set_exception(error)
        else:
            one.end.set_result(None)

    def fire(self, armed: ArmedTarget, switch: SwitchState | None) -> Rest | None:
        """Claim a target by the one write that saves its doubt, and make its call.

        Returns what keeps the outcome, under the lease, which it ends; None when nothing was sent.
        What changed since it was armed, or is far behind its second, is read and armed anew, the
        engine's switch included: another way would cost more of a process that has much to do.
        """
        rest = None if switch is None else self._fire(armed)
        if rest is not None:
            return rest
        now_so = self._switch()
        if now_so is None:
            self.slower_way(armed.ref)
        if now_so is None or now_so.paused:
            return None
        again = self._arm(armed.ref, now_so)
        return None if again is None else self._fire(again)

    def _fire(self, armed: ArmedTarget) -> Rest | None:
        """Claim and call; None when anything has changed since it was armed, or it is too old."""
        now = self.clock()
        until = max(armed.due_at, armed.publication.now) + ARMED_FOR
        lease = Lease(token=secrets.token_hex(16), until=now + LEASE)
        reached = armed.target.reach(armed.checkpoint, now=now)
        sent = doubt_at(now, armed.publication)
        doubtful = reached.doubt(armed.checkpoint, sent, now=now).hold(lease)
        targets = self.arming.preflight.targets
        fired = targets.fire(armed.ref, doubtful, lambda: self.clock() <= until)
        if fired is None:
            return None
        with ExitStack() as around:
            hold = self.leases.hold(armed.ref, lease, fired, armed.post)
            claimed = around.enter_context(hold)
            keeper = VerdictKeeper(self.arming.preflight.tools, claimed)
            run = Run(keeper, armed.connector, armed.publication)
            keep = run.call(armed.checkpoint, sent, reached.progress)
            held = around.pop_all()
        return partial(_keep, run, keep, held)


def _armed_from(ref: TargetRef, now: datetime) -> datetime:
    """Return when a target is to be armed: now, or what came some seconds early a little later."""
    moment = ref.wake_at - ARM_AHEAD
    return moment if now < moment <= now + _WAITS_AT_MOST else now


def _keep(run: Run, keep: Callable[[], bool], held: ExitStack) -> Work | None:
    """Keep an outcome; return the calls that may follow it, which need a place of their own."""
    with held:
        if keep():
            return partial(_go_on, run, held.pop_all())
    return None


def _go_on(run: Run, held: ExitStack) -> None:
    with held:
        run.go()
