"""The tick: what is near or overdue gets a wake message, and its cost follows what is due."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.switch import TickMark
from chalicelib.storage.engine.wake_queue import entry, read_wake_message
from chalicelib.storage.tables import WAKE_SHARDS
from chalicelib.workers.dispatcher import (
    EVERY,
    RESCUE_AFTER,
    Dispatcher,
    shards_in_turn,
)
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.frozen_clock import NOON, FrozenClock


class SpyQueue:
    """Stands where the queue stands and remembers what it was told to send."""

    def __init__(self, waiting: int = 0) -> None:
        self.sent: list[TargetRef] = []
        self.late: list[timedelta | None] = []
        self.takes_none = False
        self._waiting = waiting

    def send(self, refs: "list[TargetRef]", *, now: datetime, late: timedelta | None = None) -> int:
        del now
        new = list(refs)
        self.sent += new
        self.late += [late for _ in new]
        return 0 if self.takes_none else len(new)

    def waiting(self) -> int:
        return self._waiting


class NoMark:
    """Stands where the mark of the last tick stands, and never has one."""

    def read(self) -> None:
        """Know nothing."""

    def write(self, at: datetime) -> None:
        """Keep nothing."""


class Mark(TickMark):
    """A mark that no other test writes; at first as it was given."""

    def __init__(self, at: datetime | None = None) -> None:
        self.at = at

    def read(self) -> datetime | None:
        return self.at

    def write(self, at: datetime) -> None:
        self.at = at


NO_MARK: TickMark = NoMark()  # type: ignore[assignment]  # stands in its place


def _ticks(room: EngineRoom, queue: SpyQueue) -> Dispatcher:
    """Return a tick of a process of its own."""
    mark = TickMark(room.deployment.clients.dynamodb, room.deployment.tables)
    return Dispatcher(room.deployment.stores.targets, queue, room.clock, mark=mark)  # type: ignore[arg-type]  # spy


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _tick(room: EngineRoom, *, waiting: int = 0, mark: TickMark = NO_MARK) -> list[timedelta]:
    """Tick once; return when what was sent wakes, from now."""
    queue = SpyQueue(waiting)
    Dispatcher(room.deployment.stores.targets, queue, room.clock, mark=mark).tick()  # type: ignore[arg-type]  # spy
    return sorted(ref.wake_at - room.clock() for ref in queue.sent)


@pytest.mark.parametrize(
    ("in_", "sent"),
    [
        (timedelta(seconds=1), True),
        (timedelta(seconds=180), True),
        (timedelta(seconds=181), False),
        (timedelta(days=300), False),
    ],
    ids=["next second", "180 s", "181 s", "next year"],
)
def test_a_tick_sends_what_wakes_within_three_minutes(
    room: EngineRoom, in_: timedelta, *, sent: bool
) -> None:
    room.scheduled("Fresh bread", in_=in_)

    assert ([in_] if sent else []) == _tick(room)


def test_a_clock_that_was_set_back_makes_nothing_late(room: EngineRoom) -> None:
    """The mark of the tick before is of a time to come: nobody knows what was sent since now."""
    in_ = timedelta(seconds=30)
    room.scheduled("Fresh bread", in_=in_)
    queue, mark = SpyQueue(), Mark(room.clock() + timedelta(hours=1))

    Dispatcher(
        room.deployment.stores.targets,
        queue,  # type: ignore[arg-type]  # a spy
        room.clock,
        mark=mark,
        slower_queues=(SpyQueue(),),  # type: ignore[arg-type]  # a spy
    ).tick()

    assert ([room.clock() + in_], [None]) == ([ref.wake_at for ref in queue.sent], queue.late)
    assert room.clock() == mark.at


@pytest.mark.parametrize(
    ("in_", "arrives_in"),
    [
        (timedelta(minutes=15, seconds=1), [timedelta(seconds=1)]),
        (timedelta(minutes=15, seconds=60), [timedelta(seconds=60)]),
        (timedelta(minutes=14), []),
        (timedelta(minutes=17), []),
    ],
    ids=["15:01", "16:00", "14:00", "17:00"],
)
def test_a_check_arrives_a_quarter_of_an_hour_ahead(
    room: EngineRoom, in_: timedelta, arrives_in: list[timedelta]
) -> None:
    room.scheduled("Fresh bread", in_=in_)
    slower = SpyQueue()

    Dispatcher(
        room.deployment.stores.targets,
        SpyQueue(),  # type: ignore[arg-type]  # a spy
        room.clock,
        mark=NO_MARK,
        slower_queues=(slower,),  # type: ignore[arg-type]  # a spy
    ).tick()

    assert arrives_in == [ref.wake_at - room.clock() for ref in slower.sent if ref.kind.is_check]
    assert all(ref.kind is MessageKind.TICK_CHECK for ref in slower.sent)


def test_a_check_is_sent_by_one_tick_alone(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(minutes=17))
    slower, mark = SpyQueue(), Mark(None)
    tick = Dispatcher(
        room.deployment.stores.targets,
        SpyQueue(),  # type: ignore[arg-type]  # a spy
        room.clock,
        mark=mark,
        slower_queues=(slower,),  # type: ignore[arg-type]  # a spy
    ).tick

    for _ in range(4):
        tick()
        room.clock.pass_time(timedelta(minutes=1))

    assert len([ref for ref in slower.sent if ref.kind.is_check]) == 1


def test_what_was_lost_is_sent_again_at_once_beside_an_empty_queue(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    room.clock.pass_time(timedelta(seconds=4))

    assert [timedelta(seconds=-3)] == _tick(room)


def test_what_may_still_be_in_the_queue_is_sent_again_after_half_a_minute(
    room: EngineRoom,
) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    mark = Mark(room.clock())
    room.clock.pass_time(timedelta(seconds=30))
    early = _tick(room, waiting=5, mark=mark)
    room.clock.pass_time(timedelta(seconds=2))

    late = _tick(room, waiting=5, mark=mark)

    assert ([], [timedelta(seconds=-31)]) == (early, late)


def test_what_waits_in_the_queue_is_sent_again_at_once_when_nobody_knows_when_it_was_sent(
    room: EngineRoom,
) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    room.clock.pass_time(timedelta(seconds=10))

    sent = _tick(room, waiting=5, mark=NO_MARK)

    assert [timedelta(seconds=-9)] == sent


def test_a_backlog_does_not_feed_itself(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    room.clock.pass_time(timedelta(minutes=5))

    assert [] == _tick(room, waiting=2_000)


def test_a_backlog_of_the_slower_lane_does_not_feed_itself_either(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=1))
    room.clock.pass_time(timedelta(minutes=5))
    queue, slower = SpyQueue(), SpyQueue(waiting=2_000)

    Dispatcher(
        room.deployment.stores.targets,
        queue,  # type: ignore[arg-type]  # a spy
        room.clock,
        mark=NO_MARK,
        slower_queues=(slower,),  # type: ignore[arg-type]  # a spy
    ).tick()

    assert queue.sent == []


def test_a_hint_bears_the_delay_that_is_left_in_whole_seconds(room: EngineRoom) -> None:
    ref = TargetRef("1" * 32, "2" * 32, "3" * 32, room.clock() + timedelta(seconds=1.9))

    room.deployment.stores.lanes.prepare.send([ref], now=room.clock())

    assert (0, 0, 1) == room.deployment.stores.lanes.prepare.depth()


def test_a_hint_for_a_second_arrives_early_enough_to_arm(room: EngineRoom) -> None:
    ref = TargetRef("1" * 32, "2" * 32, "3" * 32, room.clock() + timedelta(seconds=10.9))
    later = TargetRef("1" * 32, "4" * 32, "3" * 32, room.clock() + timedelta(seconds=12))

    room.deployment.stores.lanes.fire.send([ref, later], now=room.clock())

    assert (1, 0, 1) == room.deployment.stores.lanes.fire.depth()


def test_what_a_hint_says_is_what_was_sent(room: EngineRoom) -> None:
    ref = TargetRef("1" * 32, "2" * 32, "3" * 32, room.clock())

    room.deployment.stores.lanes.fire.send([ref], now=room.clock())

    queue = room.deployment.settings.publish_queue
    url = room.deployment.clients.sqs.get_queue_url(QueueName=queue)["QueueUrl"]
    messages = room.deployment.clients.sqs.receive_message(QueueUrl=url)["Messages"]
    assert ref == read_wake_message(messages[0]["Body"])
    assert {"post_id", "target_id", "workspace_id", "wake_at"} == set(
        json.loads(messages[0]["Body"])
    )


@pytest.mark.parametrize("kind", MessageKind)
def test_a_message_says_what_it_is_for(kind: MessageKind) -> None:
    ref = TargetRef("1" * 32, "2" * 32, "3" * 32, NOON, kind)

    assert ref == read_wake_message(entry(0, ref, timedelta(0))["MessageBody"])


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

    events = room.deployment.clients.dynamodb.meta.events
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


def test_a_target_is_sent_once_for_its_second_and_once_more_after_it_whichever_process_ticks(
    room: EngineRoom,
) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=175))
    queue = SpyQueue()

    for _ in range(3):
        _ticks(room, queue).tick()
        room.clock.pass_time(timedelta(seconds=58))

    assert queue.late == [None, RESCUE_AFTER]
    assert [ref.kind for ref in queue.sent] == [MessageKind.TICK, MessageKind.COPY]


@pytest.mark.parametrize("missed", ["a tick", "a message"])
def test_what_the_tick_before_may_not_have_sent_is_sent_for_its_second(
    room: EngineRoom, missed: str
) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=175))
    queue = SpyQueue()
    ticks = _ticks(room, queue)
    if missed == "a message":
        queue.takes_none = True
    ticks.tick()
    queue.takes_none = False
    queue.late.clear()

    room.clock.pass_time(timedelta(seconds=120 if missed == "a tick" else 60))
    ticks.tick()

    assert queue.late == [None]


def test_without_a_table_for_its_mark_a_tick_sends_everything(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=175))
    queue = SpyQueue()

    def throttle(**_: object) -> None:
        answer = {"Error": {"Code": "ThrottlingException", "Message": "slow down"}}
        raise ClientError(answer, "GetItem")  # type: ignore[arg-type]  # the stubs

    for operation in ("GetItem", "PutItem"):
        room.deployment.clients.dynamodb.meta.events.register(
            f"before-call.dynamodb.{operation}", throttle
        )
    for _ in range(2):
        _ticks(room, queue).tick()

    assert queue.late == [None, None]


def test_a_missed_tick_makes_nothing_late(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=175))

    sent_two_ticks_before_the_last = _tick(room)

    assert sent_two_ticks_before_the_last == [timedelta(seconds=175)]


def test_a_queue_that_does_not_tell_its_depth_stops_no_near_message(room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(seconds=30))

    def throttle(**_: object) -> None:
        answer = {"Error": {"Code": "RequestThrottled", "Message": "slow down"}}
        raise ClientError(answer, "GetQueueAttributes")  # type: ignore[arg-type]  # the stubs

    room.deployment.clients.sqs.meta.events.register("before-call.sqs.GetQueueAttributes", throttle)

    assert room.deployment.dispatcher.tick() == 1


def test_every_shard_comes_first_once_in_as_many_ticks() -> None:
    """A tick that runs out of time has not reached the last shards."""
    turns = [shards_in_turn(NOON + EVERY * tick) for tick in range(len(WAKE_SHARDS))]

    assert {turn[0] for turn in turns} == set(WAKE_SHARDS)
    assert all(sorted(turn) == sorted(WAKE_SHARDS) for turn in turns)


def test_overdue_targets_of_one_workspace_displace_nobody_elses() -> None:
    many = [TargetRef(f"{n:032x}", "1" * 32, "crowd", NOON) for n in range(1_050)]
    single = TargetRef("f" * 32, "1" * 32, "neighbour", NOON + timedelta(seconds=5))
    queue = SpyQueue()
    clock = FrozenClock(NOON + timedelta(minutes=5))

    Dispatcher(OneShard([*many, single]), queue, clock, mark=NO_MARK).tick()  # type: ignore[arg-type]  # spies

    assert queue.sent.index(single) == 1
    assert len(queue.sent) == len(many) + 1


class OneShard:
    """Stands where the wake index stands: everything overdue is in one shard."""

    def __init__(self, overdue: list[TargetRef]) -> None:
        self._overdue = overdue

    def waking(
        self, *, after: datetime | None, until: datetime, shard: str, limit: int | None = None
    ) -> list[TargetRef]:
        del until
        here = after is None and shard == WAKE_SHARDS[0]
        return self._overdue[:limit] if here else []


def test_messages_that_the_queue_refused_are_sent_again(room: EngineRoom) -> None:
    refs = [
        TargetRef(f"{n:032x}", "2" * 32, "3" * 32, room.clock() + timedelta(seconds=60))
        for n in range(10)
    ]
    refused = [3]

    def refuse(parsed: dict[str, object], **_: object) -> None:
        if refused[0] > 0:
            refused[0] -= 1
            parsed["Failed"] = [{"Id": "4", "Code": "Throttled", "SenderFault": False}]

    room.deployment.clients.sqs.meta.events.register("after-call.sqs.SendMessageBatch", refuse)

    assert room.deployment.stores.lanes.fire.send(refs, now=room.clock()) == 10
    assert room.deployment.stores.lanes.fire.depth() == (0, 0, 13)
