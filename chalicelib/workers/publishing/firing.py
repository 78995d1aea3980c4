"""The fire worker: makes visible calls on their second, armed before it and without a lease.

A batch of wake messages arrives some seconds ahead; one that comes earlier, as in a burst, waits
until it may be armed. Each target is armed separately, and its alarm is set as soon as it is armed.
At its second, one conditional write claims it, makes it `publishing` and saves its doubt; then the
call is made. Calls that are due come before the outcomes of earlier calls (`thread_places.py`). A
target whose next call is not its first visible one, or that is not armed by its second, goes to a
slower lane (`worker.py`). A doubled message costs a refused write and nothing else.
"""

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from chalicelib.domain.clock import Clock, nap_s
from chalicelib.domain.posts.progress import CATCHING_UP, LEASE, Lease
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.limits.thread_places import Call, Rest, ThreadPlaces, Work
from chalicelib.storage.engine.claims import TargetRef, wake_kind
from chalicelib.storage.engine.switch import RecentSwitch, SeenSwitch, SwitchState
from chalicelib.storage.engine.wake_queue import ARM_AHEAD, ARMED_FOR
from chalicelib.workers.bursts import MOST_AHEAD
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.arming import Arming, Arrival, Unarmed
from chalicelib.workers.publishing.leases import ClaimedTarget, LeaseKeeper
from chalicelib.workers.publishing.run import Run, doubt_at
from chalicelib.workers.publishing.worker import RUNNING

TOO_EARLY = timedelta(seconds=15)
_WAITS_AT_MOST = MOST_AHEAD - ARM_AHEAD + timedelta(seconds=5)
_TOGETHER = timedelta(seconds=1)
"""Targets that are to be armed within this time of each other are read together."""
CONNECTS_AHEAD = timedelta(seconds=2)
"""The platform may close a connection that is idle for longer, just as the call is sent."""
_LOOK_EVERY_S = 0.5
_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")

SlowerWay = Callable[[TargetRef, Target | None], None]
"""Sends a target to another lane; its row is given if it was read."""
Result = tuple[TargetRef, BaseException | None]


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
    late_switch: RecentSwitch
    places: ThreadPlaces
    armers: ThreadPlaces
    alarm: Alarm[Call]
    wait: Callable[[float], None] = time.sleep

    def run(self, ref: TargetRef) -> None:
        """Work on one target. Raises what went wrong."""
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
            arrivals += self._begin(near)
        self._mind(arrivals)
        return [(one.ref, one.end.exception()) for one in arrivals]

    def _begin(self, refs: Sequence[TargetRef]) -> list[Arrival]:
        """Begin to arm targets together, without those that the engine's switch stops."""
        arrivals = [Arrival(ref) for ref in refs]
        self._find(arrivals)
        # A copy of a message that was worked off costs one cheap reading of its row and no more.
        is_idle = all(one.is_read and not self.arming.is_awake(one) for one in arrivals)
        switch = RUNNING if is_idle else _told_if_not_read(self.read_switch)
        if switch is not None:
            arrivals = [one for one in arrivals if not switch.stops(one.ref.workspace_id)]
        self.armers.begin([self._arming(one, switch) for one in arrivals])
        return arrivals

    def _find(self, arrivals: Sequence[Arrival]) -> None:
        """Read together what several targets need to be armed, as far as that can be read."""
        near = [one for one in arrivals if not self._is_too_early(one.ref)]
        try:
            self.arming.find(near)
        except Exception:  # noqa: BLE001 - each reads for itself then, and tells what is wrong
            facts = {"action": "targets.not_read", "targets": len(near)}
            _LOG.exception("A batch could not be read together.", extra=facts)

    def _is_too_early(self, ref: TargetRef) -> bool:
        return ref.wake_at - self.wall() > TOO_EARLY

    def _arming(self, one: Arrival, switch: SwitchState | None) -> Call:
        return Call(one.ref.workspace_id, one.server, lambda: self._set_off(one, switch))

    def _set_off(self, one: Arrival, switch: SwitchState | None) -> None:
        """Arm a target and set its alarm, unless that took too long for it."""
        one.begun_at = self.wall()
        try:
            run = self._arm(one, switch or RUNNING)
            if not one.decide():
                return
            if run is None:
                one.end.set_result(None)
            else:
                self._set_alarm(one, run, switch)
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            one.decide()
            one.end.set_exception(error)

    def _set_alarm(self, one: Arrival, run: Run, switch: SwitchState | None) -> None:
        """Set the alarm for the call; its connection is opened a little before."""
        due_at, owner = run.publication.due_at, one.ref.workspace_id
        fire = partial(self.fire, one, run, switch)
        moments = [(due_at, Call(owner, one.server, fire, one.end))]
        connects_at = due_at - CONNECTS_AHEAD
        if run.connector.connects_ahead and connects_at > self.wall():
            connect = partial(run.connector.connect_ahead, run.publication, run.visible_step)
            moments.insert(0, (connects_at, Call(owner, one.server, connect)))
        self.alarm.at_each(moments)

    def _arm(self, one: Arrival, switch: SwitchState) -> Run | None:
        """Return a run ready for its visible call; a target of another lane is sent there."""
        armed: Run | Unarmed = Unarmed.SLOWER_WAY
        if not self._is_too_early(one.ref):
            try:
                armed = self.arming.arm(one, switch)
            except Exception:  # noqa: BLE001 - the slower way counts what breaks workers, and ends it
                facts = {"action": "target.not_armed", "target_id": one.ref.target_id}
                _LOG.exception("A target could not be armed.", extra=facts)
        if armed is Unarmed.SLOWER_WAY:
            self.slower_way(replace(one.ref, kind=wake_kind(one.target)), one.target)
        return armed if isinstance(armed, Run) else None

    def _mind(self, arrivals: Sequence[Arrival], until: datetime | None = None) -> None:
        """Wait until all targets are armed; send those that are not in time to a slower lane."""
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
            self.slower_way(one.ref, None)
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            one.end.set_exception(error)
        else:
            one.end.set_result(None)

    def fire(self, one: Arrival, run: Run, switch: SwitchState | None) -> Rest | None:
        """Claim a target by the one write that saves its doubt, and make its call.

        Returns a function that saves the outcome and ends the lease; None when nothing was sent.
        A target that is very late is sent only if the engine's switch, read again, allows it. A
        target that changed since it was armed is read and armed again here: another lane would take
        more time of a busy process.
        """
        until = _counts_until(run)
        is_known = switch is not None and self.clock() <= until
        rest = self._fire(one, run, until) if is_known else None
        if rest is not None:
            return rest
        seen = _told_if_not_read(self.late_switch.read)
        if seen is None:
            self.slower_way(one.ref, one.target)
        if seen is None or seen.state.stops(one.ref.workspace_id):
            return None
        now = self.clock()
        if seen.state == switch and until < now < run.publication.due_at + CATCHING_UP:
            rest = self._fire(one, run, seen.at + ARMED_FOR)
        return rest or self._fire_anew(one.ref, seen)

    def _fire_anew(self, ref: TargetRef, seen: SeenSwitch) -> Rest | None:
        """Read and arm a target again, and fire it."""
        again = Arrival(ref)
        run = self._arm(again, seen.state)
        if run is None:
            return None
        return self._fire(again, run, min(_counts_until(run), seen.at + ARMED_FOR))

    def _fire(self, one: Arrival, run: Run, until: datetime) -> Rest | None:
        """Claim and call; None if the target changed since it was armed, or it is too late."""
        post, target = one.post, one.target
        if post is None or target is None:
            raise AssertionError("Only what was read is fired.")
        now, checkpoint, publication = self.clock(), run.visible_step, run.publication
        lease = Lease(token=secrets.token_hex(16), until=now + LEASE)
        reached, sent = target.reach(checkpoint, now=now), doubt_at(now, publication)
        doubtful = reached.doubt(checkpoint, sent, now=now).hold(lease)
        targets = self.arming.preflight.targets
        fired = targets.fire(one.ref, doubtful, lambda: self.clock() <= until)
        if fired is None:
            return None
        with ExitStack() as around:
            claimed = around.enter_context(self.leases.hold(one.ref, lease, fired, post))
            keep = run.call(claimed, checkpoint, sent, reached.progress)
            held = around.pop_all()
        return partial(_keep, run, claimed, keep, held)


def _told_if_not_read(read: Callable[[], _T]) -> _T | None:
    try:
        return read()
    except AwsFailure:
        _LOG.exception("The switch could not be read.", extra={"action": "switch.not_read"})
        return None


def _armed_from(ref: TargetRef, now: datetime) -> datetime:
    """Return when to arm a target: now, or later if its message came some seconds early."""
    moment = ref.wake_at - ARM_AHEAD
    return moment if now < moment <= now + _WAITS_AT_MOST else now


def _counts_until(run: Run) -> datetime:
    """Return until when a call may go by what was read: after its second, or after the reading."""
    return max(run.publication.due_at, run.publication.now) + ARMED_FOR


def _keep(
    run: Run, claimed: ClaimedTarget, keep: Callable[[], bool], held: ExitStack
) -> Work | None:
    """Save an outcome; return the calls that follow it, which need a place of their own."""
    with held:
        if keep():
            return partial(_go_on, run, claimed, held.pop_all())
    return None


def _go_on(run: Run, claimed: ClaimedTarget, held: ExitStack) -> None:
    with held:
        run.go(claimed)
