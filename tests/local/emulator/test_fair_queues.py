"""A queue with message groups hands them out in turn, as SQS's fair queues do."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import boto3
import pytest

from tests.support.emulator import EmulatorProcess, start_emulator

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmulatorProcess]:
    started = start_emulator()
    yield started
    started.stop()


@pytest.fixture
def sqs(emulator: EmulatorProcess) -> "SQSClient":
    return boto3.client("sqs", endpoint_url=emulator.endpoint)


def _send(sqs: "SQSClient", url: str, group: str, *names: str) -> None:
    for name in names:
        sqs.send_message(QueueUrl=url, MessageBody=name, MessageGroupId=group)


def _receive(sqs: "SQSClient", url: str, most: int) -> list[str]:
    found = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=most)
    return [message["Body"] for message in found.get("Messages", [])]


def test_a_group_with_little_is_not_held_up_by_one_with_much(sqs: "SQSClient") -> None:
    url = sqs.create_queue(QueueName="fair")["QueueUrl"]
    _send(sqs, url, "many", *(f"many {number}" for number in range(30)))
    _send(sqs, url, "one", "the one")

    assert "the one" in _receive(sqs, url, 2)


def test_groups_with_fewer_in_hand_come_first(sqs: "SQSClient") -> None:
    url = sqs.create_queue(QueueName="in-hand")["QueueUrl"]
    _send(sqs, url, "busy", *(f"busy {number}" for number in range(8)))
    assert len(_receive(sqs, url, 5)) == 5
    _send(sqs, url, "idle", "idle 1", "idle 2")

    assert _receive(sqs, url, 2) == ["idle 1", "idle 2"]


def test_within_a_group_the_order_of_sending_stays(sqs: "SQSClient") -> None:
    url = sqs.create_queue(QueueName="order")["QueueUrl"]
    _send(sqs, url, "a", "a1", "a2")
    _send(sqs, url, "b", "b1", "b2")

    received = _receive(sqs, url, 4)

    assert [name for name in received if name.startswith("a")] == ["a1", "a2"]
    assert [name for name in received if name.startswith("b")] == ["b1", "b2"]


def test_messages_without_a_group_are_handed_out_as_ever(sqs: "SQSClient") -> None:
    url = sqs.create_queue(QueueName="plain")["QueueUrl"]
    for number in range(3):
        sqs.send_message(QueueUrl=url, MessageBody=str(number))

    assert _receive(sqs, url, 10) == ["0", "1", "2"]
