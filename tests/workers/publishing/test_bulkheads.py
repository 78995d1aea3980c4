"""What is slow for one target delays no other, and is no reason to lose its own second for good."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from chalicelib.domain.posts.post import Post
from chalicelib.kit.limits.bulkhead import Bulkhead
from chalicelib.kit.limits.thread_places import ThreadPlaces
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.storage.engine.wake_queue import ARM_AHEAD
from chalicelib.workers.publishing.arming import ARMS_WITHIN, Arming, Arrival, Unarmed
from chalicelib.workers.publishing.run import Run
from chalicelib.workers.publishing.worker import WAIT_FOR_A_PLACE
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.workers.publishing.test_asked_for_soon import RungByHand

MINUTE = timedelta(minutes=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


class StuckArming:
    """Arms as deployed, but for one target whose sign-in hangs."""

    def __init__(self, arming: Arming, stuck: str) -> None:
        self.preflight, self.find = arming.preflight, arming.find
        self.is_awake = arming.is_awake
        self.stuck, self.let_go = stuck, threading.Event()
        self._arming = arming

    def arm(self, one: Arrival, switch: SwitchState) -> Run | Unarmed:
        if one.ref.post_id == self.stuck:
            self.let_go.wait(240)
        return self._arming.arm(one, switch)


def _armed_by(room: EngineRoom, posts: list[Post]) -> list[TargetRef]:
    room.pass_time(MINUTE - ARM_AHEAD)
    return [ref for post in posts for ref in room.wake_messages(post)]


def test_a_sign_in_that_hangs_delays_none_of_its_batch_and_takes_the_slower_way(
    room: EngineRoom,
) -> None:
    posts = [room.scheduled(f"Bread {number}", in_=MINUTE) for number in range(6)]
    due = room.target(posts[0]).due_at
    assert due is not None
    refs, slower = _armed_by(room, posts), list[TargetRef]()
    alarm = RungByHand(room.clock, room.fire_worker.places.begin)
    arming = StuckArming(room.fire_worker.arming, posts[0].id)
    worker = replace(
        room.fire_worker,
        arming=cast("Arming", arming),
        armers=ThreadPlaces(ThreadPoolExecutor(8), 32),
        alarm=alarm,
        slower_way=lambda ref, _target: slower.append(ref),
    )
    work = threading.Thread(target=worker.run_all, args=(refs,), daemon=True)
    work.start()

    alarm.await_armed(5)
    room.clock.now = due + ARMS_WITHIN
    _wait_for(slower)
    room.clock.now = due
    alarm.ring(due)
    arming.let_go.set()
    work.join(240)

    assert slower == refs[:1]
    assert [len(room.taken(post)) for post in posts] == [0, 1, 1, 1, 1, 1]


def _wait_for(found: list[TargetRef]) -> None:
    for _ in range(200):
        if found:
            return
        threading.Event().wait(0.05)


@pytest.mark.parametrize("paused", [False, True], ids=["running", "paused"])
def test_a_switch_that_cannot_be_read_is_asked_again_at_the_second(
    room: EngineRoom, *, paused: bool
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    due = room.target(post).due_at
    [ref] = _armed_by(room, [post])
    if paused:
        room.deployment.stores.engine_switch.pause()
    failures = [ConnectTimeoutError(endpoint_url="the tables")]

    def read() -> SwitchState:
        if failures:
            raise failures.pop()
        return room.deployment.stores.engine_switch.read()

    replace(room.fire_worker, read_switch=read).run(ref)

    assert [entry.created_at for entry in room.taken(post)] == ([] if paused else [due])


def test_an_armed_call_that_is_too_old_before_its_write_is_read_anew(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    [ref] = _armed_by(room, [post])
    switch = room.deployment.stores.engine_switch.read()
    one = Arrival(ref)
    armed = room.fire_worker.arming.arm(one, switch)
    assert isinstance(armed, Run)
    room.clock.pass_time(ARM_AHEAD + timedelta(seconds=6))
    room.deployment.stores.engine_switch.pause()

    room.fire_worker.fire(one, armed, switch)

    assert room.taken(post) == []


def test_an_armed_call_whose_write_was_refused_until_it_was_too_old_is_read_anew(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    [ref] = _armed_by(room, [post])
    switch = room.deployment.stores.engine_switch.read()
    one = Arrival(ref)
    armed = room.fire_worker.arming.arm(one, switch)
    assert isinstance(armed, Run)
    room.clock.pass_time(ARM_AHEAD)
    room.deployment.stores.engine_switch.pause()
    refusals = iter([timedelta(seconds=6)])

    def refuse_once(**_: object) -> None:
        for it_takes in refusals:
            room.clock.pass_time(it_takes)
            busy = {"Error": {"Code": "TransactionConflictException", "Message": "busy"}}
            raise ClientError(busy, "UpdateItem")  # type: ignore[arg-type]  # the stubs want all

    events = room.deployment.clients.dynamodb.meta.events
    events.register("before-call.dynamodb.UpdateItem", refuse_once)
    room.fire_worker.fire(one, armed, switch)

    assert next(refusals, None) is None
    assert room.taken(post) == []


def test_a_run_without_a_place_rests_for_some_seconds_and_holds_nothing(room: EngineRoom) -> None:
    post = room.scheduled("Bread sandbox:flaky:1", in_=MINUTE)
    room.pass_time(MINUTE + timedelta(seconds=1))
    room.clock.pass_time(timedelta(seconds=20))
    bounds = Bulkhead(1)
    bounds.begin("another workspace", "sandbox linkedin")

    [ref] = room.wake_messages(post)
    replace(room.worker, bounds=bounds).run(ref)

    progress = room.target(post).progress
    assert (progress.lease, progress.wake_at) == (None, room.clock() + WAIT_FOR_A_PLACE)
    room.pass_time(MINUTE)
    assert room.target(post).status == "published"
