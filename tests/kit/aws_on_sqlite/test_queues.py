"""Queues: groups in turn as in SQS's fair queues, delays, visibility, dead letters, long polls."""

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from tests.support.clients import a_client

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


@pytest.fixture(scope="module")
def sqs(tmp_path_factory: pytest.TempPathFactory) -> "SQSClient":
    return a_client("sqs", address_of(tmp_path_factory.mktemp("queues"), synced=False))


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


def test_who_waits_is_woken_by_a_sender(sqs: "SQSClient") -> None:
    url = sqs.create_queue(QueueName="waited-for")["QueueUrl"]
    sender = threading.Timer(0.2, sqs.send_message, kwargs={"QueueUrl": url, "MessageBody": "a"})
    sender.start()
    began = time.monotonic()

    found = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]

    assert [message["Body"] for message in found] == ["a"]
    assert 0.1 < time.monotonic() - began < 15


def test_a_delayed_message_comes_at_its_time_to_who_waits(sqs: "SQSClient") -> None:
    url = sqs.create_queue(QueueName="delayed")["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="later", DelaySeconds=1)
    began = time.monotonic()

    assert sqs.receive_message(QueueUrl=url).get("Messages", []) == []
    found = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]

    assert [message["Body"] for message in found] == ["later"]
    assert 0.9 < time.monotonic() - began < 15


def test_what_is_received_is_hidden_until_its_time_and_an_old_receipt_deletes_nothing(
    sqs: "SQSClient",
) -> None:
    url = sqs.create_queue(QueueName="hidden")["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="twice")
    (first,) = sqs.receive_message(QueueUrl=url, VisibilityTimeout=1)["Messages"]
    hidden = sqs.receive_message(QueueUrl=url).get("Messages", [])
    (second,) = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=5, VisibilityTimeout=0)[
        "Messages"
    ]

    sqs.delete_message(QueueUrl=url, ReceiptHandle=first["ReceiptHandle"])
    left = _receive(sqs, url, 1)

    assert (hidden, left) == ([], ["twice"])
    assert second["Attributes"]["ApproximateReceiveCount"] == "2"


def test_what_is_received_too_often_goes_to_the_dead_letters(sqs: "SQSClient") -> None:
    dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
    redrive: Any = {"deadLetterTargetArn": "arn:aws:sqs:::dead", "maxReceiveCount": 2}
    url = sqs.create_queue(
        QueueName="dying", Attributes={"VisibilityTimeout": "0", "RedrivePolicy": redrive}
    )["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="bad", MessageGroupId="w")

    received = [_receive(sqs, url, 1) for _ in range(3)]

    assert received == [["bad"], ["bad"], []]
    (letter,) = sqs.receive_message(QueueUrl=dead, AttributeNames=["All"])["Messages"]
    assert letter["Attributes"]["ApproximateReceiveCount"] == "1"
    assert (letter["Body"], letter["Attributes"]["MessageGroupId"]) == ("bad", "w")


def test_what_is_larger_than_sqs_takes_is_refused(sqs: "SQSClient") -> None:
    url = sqs.create_queue(QueueName="large")["QueueUrl"]
    largest = "ä" * (1_048_576 // 2)
    halves: list[Any] = [
        {"Id": str(n), "MessageBody": largest[: n + 1_048_576 // 4]} for n in range(2)
    ]

    sqs.send_message(QueueUrl=url, MessageBody=largest)
    with pytest.raises(sqs.exceptions.ClientError, match="InvalidParameterValue"):
        sqs.send_message(QueueUrl=url, MessageBody=largest + "a")
    with pytest.raises(sqs.exceptions.BatchRequestTooLong):
        sqs.send_message_batch(QueueUrl=url, Entries=halves)

    assert _receive(sqs, url, 10) == [largest]
