"""After a kill -9 a stack that starts again goes on at once with what its dead workers held."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.workers.dispatcher import Dispatcher
from chalicelib.workers.takeover import Takeover
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
    held = room.deployment.targets.claim(ref, lease, now=room.clock())
    assert isinstance(held, Target)

    freed = Takeover(room.deployment.targets, room.clock).run()
    room.run_due()

    assert freed == 1
    assert room.target(post).status is TargetStatus.PUBLISHED


def test_it_is_sent_by_the_first_tick_whatever_waits_in_the_queues(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)
    lease = Lease(token="dead", until=room.clock() + LEASE)
    room.deployment.targets.claim(ref, lease, now=room.clock())
    queue = SpyQueue(waiting=500)

    Takeover(room.deployment.targets, room.clock).run()
    Dispatcher(room.deployment.targets, queue, room.clock, mark=NO_MARK).tick()  # type: ignore[arg-type]  # spy

    assert [ref.target_id] == [one.target_id for one in queue.sent]


def test_what_nobody_held_stays_as_it_is(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(seconds=30))
    before = room.target(post)

    freed = Takeover(room.deployment.targets, room.clock).run()

    assert freed == 0
    assert room.target(post) == before
