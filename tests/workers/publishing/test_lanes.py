"""What is tried again has a queue of its own, whoever sends its message."""

from pathlib import Path

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.posts.post import Post
from chalicelib.settings import Settings
from chalicelib.storage.engine.wake_queue import ARM_AHEAD, PublishQueue
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

FLAKY = "Bread sandbox:flaky:1"


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _depths(room: EngineRoom) -> list[int]:
    lanes = room.deployment.stores.lanes
    return [sum(lane.depth()) for lane in (lanes.fire, lanes.prepare, lanes.retry)]


def _refused_once(room: EngineRoom) -> Post:
    """Send a post that its platform refuses for a moment; return it waiting for its retry."""
    post = room.scheduled(FLAKY, in_=ARM_AHEAD)
    room.pass_time(ARM_AHEAD)
    assert room.target(post).progress.retries
    return post


def test_the_message_for_a_retry_goes_to_its_own_queue(room: EngineRoom) -> None:
    before = _depths(room)

    _refused_once(room)

    assert _depths(room) == [before[0] + 1, before[1], before[2] + 1]


def test_a_retry_that_a_tick_sends_is_passed_on_to_its_own_queue(room: EngineRoom) -> None:
    """A tick knows when a target wakes, and not what for."""
    post = _refused_once(room)
    retry_at = room.target(post).progress.wake_at
    assert retry_at is not None
    room.clock.pass_time(retry_at - room.clock() - ARM_AHEAD)
    [ref] = room.wake_messages(post)
    fire, before = room.deployment.engine.fire_worker, _depths(room)

    fire.run(ref)

    assert _depths(room) == [before[0], before[1], before[2] + 1]


def test_a_post_that_is_looked_for_again_waits_there_too(room: EngineRoom) -> None:
    post = room.scheduled("Bread sandbox:lost", in_=ARM_AHEAD)
    before = _depths(room)

    room.pass_time(ARM_AHEAD)

    assert room.target(post).is_in_doubt
    assert _depths(room) == [before[0], before[1], before[2] + 1]


def test_the_worker_of_retries_brings_a_post_out(room: EngineRoom) -> None:
    post = _refused_once(room)
    retry_at = room.target(post).progress.wake_at
    assert retry_at is not None
    room.clock.pass_time(retry_at - room.clock())
    [ref] = room.wake_messages(post)

    room.deployment.engine.retry_worker.run(ref)

    assert room.target(post).is_live


def test_a_stage_with_few_places_sends_retries_to_the_lane_that_it_has() -> None:
    names = ("yes", "no", None)
    settings = [
        Settings.from_environment({"GOLDENHOUR_RETRIES_APART": name} if name else {})
        for name in names
    ]

    apart = [
        Deployment(one).stores.lanes.retry is not Deployment(one).stores.lanes.prepare
        for one in settings
    ]
    shared = Deployment(settings[1])

    assert [one.retries_apart for one in settings] == [True, False, True]
    assert apart[0]
    assert shared.stores.lanes.retry is shared.stores.lanes.prepare
    assert len(set[PublishQueue](shared.stores.lanes.each)) == 2
