"""The tick: what is near or overdue gets a wake message, and its cost follows what is due."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.storage.engine.targets import TargetRef
from chalicelib.storage.engine.wake_queue import read_wake_message
from chalicelib.workers.dispatcher import Dispatcher
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room


class SpyQueue:
    """Stands where the queue stands and remembers what it was told to send."""

    def __init__(self, waiting: int = 0) -> None:
        self.sent: list[TargetRef] = []
        self._waiting = waiting

    def send(self, refs: "list[TargetRef]", *, now: datetime) -> int:
        del now
        new = list(refs)
        self.sent += new
        return len(new)

    def depth(self) -> tuple[int, int, int]:
        return self._waiting, 0, 0


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _tick(room: EngineRoom, *, waiting: int = 0) -> list[timedelta]:
    """Tick once; return when what was sent wakes, from now."""
    queue = SpyQueue(waiting)
    Dispatcher(room.deployment.targets, queue, room.clock).tick()  # type: ignore[arg-type]  # spy
    return sorted(ref.wake_at - room.clock() for ref in queue.sent)


@pytest.mark.parametrize(
    ("in_", "sent"),
    [
        (timedelta(seconds=1), True),
        (timedelta(seconds=90), True),
        (timedelta(seconds=91), False),
        (timedelta(days=300), False),
    ],
    ids=["next second", "90 s", "91 s", "next year"],
)
def test_a_tick_sends_what_wakes_within_90_seconds(
    room: EngineRoom, in_: timedelta, *, sent: bool
) -> None:
    room.scheduled("Fresh bread", in_=in_)

    assert ([in_] if sent else []) == _tick(room)


def test_what_was_lost_is_sent_again_at_once_beside_an_empty_queue(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    room.clock.pass_time(timedelta(seconds=4))

    assert [timedelta(seconds=-3)] == _tick(room)


def test_what_may_still_be_in_the_queue_is_sent_again_after_half_a_minute(
    room: EngineRoom,
) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    room.clock.pass_time(timedelta(seconds=30))
    early = _tick(room, waiting=5)
    room.clock.pass_time(timedelta(seconds=2))

    late = _tick(room, waiting=5)

    assert ([], [timedelta(seconds=-31)]) == (early, late)


def test_a_backlog_does_not_feed_itself(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    room.clock.pass_time(timedelta(minutes=5))

    assert [] == _tick(room, waiting=2_000)


def test_a_hint_bears_the_delay_that_is_left_in_whole_seconds(room: EngineRoom) -> None:
    ref = TargetRef("1" * 32, "2" * 32, "3" * 32, room.clock() + timedelta(seconds=1.9))

    room.deployment.publish_queue.send([ref], now=room.clock())

    assert (0, 0, 1) == room.deployment.publish_queue.depth()


def test_what_a_hint_says_is_what_was_sent(room: EngineRoom) -> None:
    ref = TargetRef("1" * 32, "2" * 32, "3" * 32, room.clock())

    room.deployment.publish_queue.send([ref], now=room.clock())

    queue = room.deployment.settings.publish_queue
    url = room.deployment.sqs.get_queue_url(QueueName=queue)["QueueUrl"]
    messages = room.deployment.sqs.receive_message(QueueUrl=url)["Messages"]
    assert ref == read_wake_message(messages[0]["Body"])
    assert {"post_id", "target_id", "workspace_id", "wake_at"} == set(
        json.loads(messages[0]["Body"])
    )


def test_a_ticks_cost_follows_what_is_due_not_what_exists(room: EngineRoom) -> None:
    room.scheduled("Due now", in_=timedelta(seconds=30))
    alone = _capacity_of_a_tick(room)
    for n in range(60):
        room.scheduled(f"Later {n}", in_=timedelta(days=1, minutes=n))

    beside_many = _capacity_of_a_tick(room)

    assert alone == beside_many


def _capacity_of_a_tick(room: EngineRoom) -> tuple[int, int]:
    """Return how many pages a tick reads and how many rows they hold."""
    pages: list[int] = []

    def count(parsed: dict[str, int], **_: object) -> None:
        pages.append(parsed.get("ScannedCount", 0))

    events = room.deployment.dynamodb.meta.events
    events.register("after-call.dynamodb.Query", count)
    _tick(room)
    events.unregister("after-call.dynamodb.Query", count)
    return len(pages), sum(pages)


@pytest.mark.parametrize("waiting", [0, 5_000], ids=["an empty queue", "a full queue"])
def test_every_tick_says_how_long_the_oldest_overdue_target_has_waited(
    room: EngineRoom, caplog: pytest.LogCaptureFixture, waiting: int
) -> None:
    room.scheduled("Fresh bread", in_=timedelta(minutes=1))
    caplog.set_level("INFO", "chalicelib.workers.dispatcher")

    _tick(room, waiting=waiting)
    room.clock.pass_time(timedelta(minutes=6))
    _tick(room, waiting=waiting)

    waited = [vars(record)["oldest_overdue_s"] for record in caplog.records]
    assert [0, 300] == waited
