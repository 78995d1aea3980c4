"""After a kill -9 a stack that starts again goes on at once with what its dead workers held."""

import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path
from unittest.mock import create_autospec

import pytest

from chalicelib.domain.posts.progress import LEASE, TAKEOVER_GRACE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.tables import WAKE_SHARDS
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


@pytest.mark.parametrize(("claims", "freed"), [(1, 1), (2, 1), (3, 0)])
def test_what_was_lost_again_and_again_waits_for_the_end_of_its_lease(
    room: EngineRoom, claims: int, freed: int
) -> None:
    """It may be what ends the process, and a stack whose process dies five times in a minute stops.

    Three claims, and a lease of a minute before the next: it does not die so often.
    """
    post = room.scheduled("Bread", in_=timedelta(0))
    targets = room.deployment.stores.targets
    for _ in range(claims):
        [ref] = room.wake_messages(post)
        room.clock.now = max(room.clock(), ref.wake_at)
        targets.claim(ref, Lease(token="dead", until=room.clock() + LEASE), now=room.clock())

    assert room.deployment.takeover.run() == freed

    room.clock.pass_time(LEASE + TAKEOVER_GRACE)
    room.run_due()
    assert room.target(post).status is TargetStatus.PUBLISHED


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


def test_a_start_amid_a_burst_writes_to_nothing_but_what_was_held(room: EngineRoom) -> None:
    """The first tick waits for it: a thousand that are due next are read, a hundred in one call."""
    held = room.scheduled("Held", in_=timedelta(0))
    [ref] = room.wake_messages(held)
    room.deployment.stores.targets.claim(
        ref, Lease(token="dead", until=room.clock() + LEASE), now=room.clock()
    )
    for _ in range(20):
        room.scheduled("Due next", in_=timedelta(seconds=30))
    calls: Counter[str] = Counter()

    def note(model: object, **_: object) -> None:
        calls[str(getattr(model, "name", ""))] += 1

    room.deployment.clients.dynamodb.meta.events.register("before-call", note)

    assert room.deployment.takeover.run() == 1
    assert calls["UpdateItem"] == 1
    assert calls["BatchGetItem"] <= len(WAKE_SHARDS)


def test_leases_are_ended_side_by_side(room: EngineRoom) -> None:
    """Each end waits for the disk: a thousand one after the other held up the first tick."""
    refs = [TargetRef(f"post {number}", "target", "ours", room.clock()) for number in range(8)]
    together = threading.Barrier(len(refs), timeout=240)
    targets = create_autospec(TargetRepository, instance=True)
    targets.waking.side_effect = lambda *, shard, **_: iter(refs if shard == WAKE_SHARDS[0] else ())
    targets.find_held.side_effect = lambda found, **_: found
    targets.end_lease.side_effect = lambda *_, **__: together.wait() >= 0

    assert Takeover(targets, room.deployment.stores.tick_mark, room.clock).run() == len(refs)
