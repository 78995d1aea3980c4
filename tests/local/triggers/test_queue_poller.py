"""How many messages are received at once: no more than can begin, as what waits has no turns."""

import sqlite3
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.local.triggers import queue_poller
from chalicelib.local.triggers.handlers import Handler, QueueHandler
from chalicelib.local.triggers.queue_poller import QueuePoller


@pytest.mark.parametrize(
    ("batch", "most", "running", "wanted"),
    [
        (1, 2, 0, 2),
        (1, 2, 1, 1),
        (1, 2, 2, 1),
        (1, 64, 50, 10),
        (1, 64, 60, 4),
        (3, 2, 1, 3),
        (100, 2, 1, 10),
    ],
)
def test_no_more_is_received_than_there_are_places_for(
    batch: int, most: int, running: int, wanted: int
) -> None:
    sqs = Mock(receive_message=Mock(return_value={}))
    source = QueueHandler(Handler("prepare", Mock()), "prepare", batch)
    poller = QueuePoller(source, sqs, "region", most=most)
    poller._url = "here"
    poller._running = running

    poller._receive()

    assert sqs.receive_message.call_args.kwargs["MaxNumberOfMessages"] == wanted


@pytest.mark.parametrize(
    "failure",
    [
        EndpointConnectionError(endpoint_url="engine"),
        sqlite3.DatabaseError("database disk image is malformed"),
        OSError("No locks available"),
        MemoryError(),
        RuntimeError("anything else"),
    ],
    ids=repr,
)
def test_a_queue_is_read_on_after_whatever_failed_once(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_poller, "_RETRY_S", 0.0)
    sqs = Mock(receive_message=Mock(side_effect=[failure, {"Messages": [{"MessageId": "m"}]}]))
    poller = QueuePoller(QueueHandler(Handler("prepare", Mock()), "prepare", 1), sqs, "region")
    poller._url = "here"
    begun: list[object] = []

    def begin(batch: object) -> None:
        begun.append(batch)
        poller.stop()

    monkeypatch.setattr(poller, "_begin", begin)

    poller._run()

    assert begun == [[{"MessageId": "m"}]]


@pytest.mark.parametrize(("running", "may"), [(15, True), (16, True), (63, True), (64, False)])
def test_a_place_is_opened_for_a_slow_queue_until_all_are_taken(running: int, *, may: bool) -> None:
    source = QueueHandler(Handler("prepare", Mock()), "prepare", 1)
    poller = QueuePoller(source, Mock(), "region")
    poller._running = running
    told: list[bool] = []

    def wait_for(predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        told.append(timeout is None and predicate())
        return True

    poller._freed.wait_for = wait_for  # type: ignore[method-assign, assignment]
    poller._wait_for_room()

    assert told == [False, may]
