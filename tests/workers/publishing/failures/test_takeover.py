"""After a kill -9 a stack that starts again goes on at once with what its dead workers held."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.posts.progress import LEASE, TAKEOVER_GRACE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.storage.engine.claims import MessageKind
from chalicelib.workers.dispatcher import Dispatcher
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.workers.test_dispatcher import NO_MARK, SpyQueue


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def test_a_dead_workers_target_goes_out_at_once(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)
    lease = Lease(token="dead", until=room.clock() + LEASE)
    held = room.deployment.stores.targets.claim(ref, lease, now=room.clock())
    assert isinstance(held, Target)

    freed = room.deployment.takeover.run()
    room.run_due()

    assert freed == 1
    assert room.target(post).status is TargetStatus.PUBLISHED


def test_a_start_while_the_clock_is_ahead_puts_nothing_off(room: EngineRoom) -> None:
    """A lease that it ended by such a clock held its target until that hour really came."""
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)
    right = room.clock()
    room.deployment.stores.targets.claim(ref, Lease(token="dead", until=right + LEASE), now=right)

    room.clock.now = right + timedelta(hours=3)
    freed = room.deployment.takeover.run()
    room.clock.now = right + LEASE + TAKEOVER_GRACE
    room.run_due()

    assert freed == 1
    assert room.target(post).status is TargetStatus.PUBLISHED


def test_it_is_sent_by_the_first_tick_whatever_waits_in_the_queues(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)
    lease = Lease(token="dead", until=room.clock() + LEASE)
    room.deployment.stores.targets.claim(ref, lease, now=room.clock())
    queue = SpyQueue(waiting=500)

    room.deployment.takeover.run()
    Dispatcher(room.deployment.stores.targets, queue, room.clock, mark=NO_MARK).tick()  # type: ignore[arg-type]  # spy

    assert [ref.target_id] == [one.target_id for one in queue.sent]


def test_what_nobody_held_stays_as_it_is(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(seconds=30))
    before = room.target(post)

    freed = room.deployment.takeover.run()

    assert freed == 0
    assert room.target(post) == before


def test_what_a_dead_worker_had_armed_has_its_message_again_from_the_first_tick(
    room: EngineRoom,
) -> None:
    """Its message went with the worker, and the copy that rescues it comes after its second."""
    post = room.scheduled("Bread", in_=timedelta(seconds=30))
    room.deployment.dispatcher.tick()
    queue = SpyQueue()
    deployment = room.deployment

    deployment.takeover.run()
    stores = deployment.stores
    Dispatcher(stores.targets, queue, room.clock, mark=stores.tick_mark).tick()  # type: ignore[arg-type]  # spy

    assert [(ref.post_id, ref.kind) for ref in queue.sent] == [(post.id, MessageKind.TICK)]
