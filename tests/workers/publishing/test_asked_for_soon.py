"""What is asked for shortly before its second is heeded, whatever a process has begun already."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.post import Post
from chalicelib.kit.limits.thread_places import Call
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.wake_queue import ARM_AHEAD
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.arming import Arrival, Unarmed
from chalicelib.workers.publishing.firing import FireWorker
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE = timedelta(minutes=1)
SOONER, LATER = timedelta(seconds=-4), timedelta(seconds=3)


class RungByHand(Alarm[Call]):
    """Keeps what is armed until a test says that its moment has come."""

    def __init__(
        self, clock: Callable[[], datetime], ring: Callable[[Sequence[Call]], None]
    ) -> None:
        super().__init__(clock, ring)
        self.armed: list[tuple[datetime, Call]] = []
        self.is_set = threading.Condition()

    def at_each(self, ones: Sequence[tuple[datetime, Call]]) -> None:
        with self.is_set:
            self.armed.extend(ones)
            self.is_set.notify_all()

    def await_armed(self, count: int) -> None:
        """Return when so many are armed."""
        with self.is_set:
            assert self.is_set.wait_for(lambda: len(self.armed) >= count, 240)

    def ring(self, now: datetime) -> None:
        """Begin what is due by now."""
        for moment, call in sorted(self.armed, key=lambda each: each[0]):
            if moment <= now:
                self.armed.remove((moment, call))
                self._ring([call])


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _move(room: EngineRoom, post: Post, by: timedelta) -> datetime:
    due = room.target(post).due_at
    assert due is not None
    change = TargetChange(id=post.targets[0].id, scheduled_at=due + by)
    room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(targets=(change,)))
    return due + by


@pytest.mark.parametrize("by", [SOONER, LATER])
def test_a_time_that_is_changed_once_it_is_armed_is_kept(room: EngineRoom, by: timedelta) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.pass_time(MINUTE - ARM_AHEAD)
    worker, alarm = _by_hand(room)
    works = [_run(worker, room.wake_messages(post))]
    alarm.await_armed(1)

    moved_to = _move(room, post, by)
    works.append(_run(worker, room.wake_messages(post)))
    alarm.await_armed(2)
    for moment, _ in sorted(alarm.armed, key=lambda each: each[0]):
        room.clock.now = moment
        alarm.ring(moment)

    for work in works:
        work.join(240)
    assert [entry.created_at for entry in room.taken(post)] == [moved_to]


def _by_hand(room: EngineRoom) -> tuple[FireWorker, RungByHand]:
    worker = room.fire_worker
    alarm = RungByHand(room.clock, worker.places.begin)
    return replace(worker, alarm=alarm), alarm


def _run(worker: FireWorker, refs: Sequence[TargetRef]) -> threading.Thread:
    work = threading.Thread(target=worker.run_all, args=(refs,), daemon=True)
    work.start()
    return work


def test_what_has_steps_before_its_second_is_not_armed_without_them(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_engine_room(emulator, tmp_path, platforms=(Platform.THREADS,))
    post = room.scheduled("Bread", in_=timedelta(seconds=5), platforms=(Platform.THREADS,))
    [ref] = room.wake_messages(post)

    one = Arrival(ref)
    armed = room.fire_worker.arming.arm(one, room.deployment.stores.engine_switch.read())

    assert armed is Unarmed.SLOWER_WAY


def test_a_target_is_not_armed_with_a_post_that_was_read_before_its_change(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread", in_=timedelta(seconds=5))
    room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(caption="New bread"))
    now = room.post(post)
    torn = replace(now, caption="Bread", version=now.version - 1)
    [ref] = room.wake_messages(post)
    account = room.worker.preflight.accounts.get(post.workspace_id, post.targets[0].account_id)
    switch = room.deployment.stores.engine_switch.read()

    one = Arrival(ref).read_as(torn, account)
    armed = room.fire_worker.arming.arm(one, switch)

    assert armed is Unarmed.SLOWER_WAY


def test_what_has_steps_before_its_second_is_sent_to_the_lane_that_makes_them(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    """The lane of calls may have every function waiting for a second."""
    room = an_engine_room(emulator, tmp_path, platforms=(Platform.THREADS,))
    fires, slower = room.deployment.stores.lanes.fire, room.deployment.stores.lanes.prepare
    before = sum(fires.depth()), sum(slower.depth())

    room.scheduled("Bread", in_=timedelta(seconds=5), platforms=(Platform.THREADS,))

    assert (before[0], before[1] + 1) == (sum(fires.depth()), sum(slower.depth()))
