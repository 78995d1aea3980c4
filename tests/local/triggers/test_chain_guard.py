"""The local loop stops a function that wakes itself without end, as Lambda does."""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import FILE, open_engine
from chalicelib.kit.aws_on_sqlite.queues import EmbeddedSqs
from chalicelib.kit.limits.thread_places import Call, ThreadPlaces
from chalicelib.kit.limits.thread_pool import ThreadPool
from chalicelib.local.triggers.chain_guard import ChainGuard
from chalicelib.local.triggers.handlers import Handler, QueueHandler
from chalicelib.local.triggers.queue_poller import QueuePoller
from chalicelib.workers.chains import MOST_HOPS

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

Send = Callable[[str], None]
"""Sends a message to a queue."""
PATIENCE_S = 60


@dataclass(slots=True)
class Loop:
    """Functions that each read the queue of their name; what is stopped is told by the log."""

    sqs: "SQSClient"
    woken: list[str] = field(default_factory=list)
    pollers: list[QueuePoller] = field(default_factory=list)

    def send(self, queue: str) -> None:
        url = self.sqs.create_queue(QueueName=queue)["QueueUrl"]
        self.sqs.send_message(QueueUrl=url, MessageBody="again")

    def play(self, function: str, then: Callable[[], None], *allowed: str) -> None:
        self.sqs.create_queue(QueueName=function)

        def work(_event: Any, _context: object) -> None:  # noqa: ANN401 - Lambda's
            self.woken.append(function)
            then()

        source = QueueHandler(Handler(function, work), function, 1)
        guard = ChainGuard(function, allowed)
        self.pollers.append(QueuePoller(source, self.sqs, "eu", guard=guard))
        self.pollers[-1].start()


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Loop]:
    made = Loop(EmbeddedSqs(open_engine(address_of(tmp_path, synced=False))))  # type: ignore[arg-type]
    yield made
    for one in made.pollers:
        one.stop()
    for one in made.pollers:
        one.join(PATIENCE_S)


@pytest.fixture
def stopped() -> Iterator[threading.Event]:
    """Is set when the log tells of a chain that was stopped."""
    told = threading.Event()

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if getattr(record, "action", "") == "chain.stopped":
                told.set()

    ear, log = Ear(), logging.getLogger(ChainGuard.__module__)
    log.addHandler(ear)
    yield told
    log.removeHandler(ear)


def test_a_function_that_wakes_itself_is_stopped_after_sixteen_times(
    loop: Loop, stopped: threading.Event
) -> None:
    loop.play("rounds", lambda: loop.send("rounds"))

    loop.send("rounds")

    assert stopped.wait(PATIENCE_S)
    assert loop.woken == ["rounds"] * MOST_HOPS


def test_what_is_stopped_stays_in_the_queue(loop: Loop, stopped: threading.Event) -> None:
    loop.play("rounds", lambda: loop.send("rounds"))

    loop.send("rounds")

    assert stopped.wait(PATIENCE_S)
    url = loop.sqs.get_queue_url(QueueName="rounds")["QueueUrl"]
    told = loop.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert told["ApproximateNumberOfMessagesNotVisible"] == "1"


def test_each_function_of_a_chain_is_counted_by_itself(
    loop: Loop, stopped: threading.Event
) -> None:
    loop.play("there", lambda: loop.send("back"))
    loop.play("back", lambda: loop.send("there"))

    loop.send("there")

    assert stopped.wait(PATIENCE_S)
    assert loop.woken == ["there", "back"] * MOST_HOPS


def test_a_function_that_may_wake_itself_goes_on(loop: Loop) -> None:
    enough = threading.Event()

    def again() -> None:
        if len(loop.woken) > 2 * MOST_HOPS:
            enough.set()
        else:
            loop.send("publish")

    loop.play("publish", again, "publish")
    loop.send("publish")

    assert enough.wait(PATIENCE_S)


def test_requests_that_have_nothing_to_do_with_each_other_are_no_chain(loop: Loop) -> None:
    all_came = threading.Event()

    def count() -> None:
        if len(loop.woken) == 2 * MOST_HOPS:
            all_came.set()

    loop.play("plain", count)
    for _ in range(2 * MOST_HOPS):
        loop.send("plain")

    assert all_came.wait(PATIENCE_S)


def _in_a_pool(send: Callable[[], None]) -> None:
    pool = ThreadPool(2)
    pool.submit(send).result()
    pool.shutdown()


def _as_the_outcome_of_a_call(send: Callable[[], None]) -> None:
    pool = ThreadPool(2)
    places = ThreadPlaces(pool, 2, rests=ThreadPlaces(pool, 2))
    call = Call("owner", "server", lambda: send)
    begun = threading.Thread(target=places.begin, args=([call],))
    begun.start()  # as the alarm, which knows nothing of who left the call with it
    begun.join()
    call.done.result()
    pool.shutdown()


@pytest.mark.parametrize("way", [_in_a_pool, _as_the_outcome_of_a_call])
def test_a_chain_goes_on_through_threads(
    loop: Loop, stopped: threading.Event, way: Callable[[Callable[[], None]], None]
) -> None:
    loop.play("rounds", lambda: way(lambda: loop.send("rounds")))

    loop.send("rounds")

    assert stopped.wait(PATIENCE_S)
    assert loop.woken == ["rounds"] * MOST_HOPS


def test_messages_of_an_earlier_version_are_kept(tmp_path: Path) -> None:
    engine = open_engine(address_of(tmp_path, synced=False))
    loop = Loop(EmbeddedSqs(engine))  # type: ignore[arg-type]
    loop.send("kept")
    engine.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("ALTER TABLE message DROP COLUMN trace")

    again = EmbeddedSqs(open_engine(address_of(tmp_path, synced=False)))

    url = again.get_queue_url(QueueName="kept")["QueueUrl"]
    (message,) = again.receive_message(QueueUrl=url)["Messages"]
    assert message["Body"] == "again"
    assert "AWSTraceHeader" not in message["Attributes"]
