"""The trigger runner wakes handlers as Lambda and EventBridge would."""

import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from statistics import median

import pytest

from tests.local.running_stack import Stack, eventually, running
from tests.support.ruins import hide_for


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(Stack(tmp_path_factory.mktemp("played"))) as started:
        yield started


def _names(stack: Stack) -> list[str]:
    return [name for _, name in stack.noted("message")]


def test_every_schedule_runs_at_start(stack: Stack) -> None:
    ticks = eventually(lambda: stack.noted("tick"))

    assert [name for _, name in ticks] == ["Scheduled Event"]


def test_a_message_that_succeeded_is_gone(stack: Stack) -> None:
    stack.send({"name": "once"})

    assert eventually(lambda: "once" in _names(stack))
    url = stack.sqs.get_queue_url(QueueName=stack.settings.publish_queue)["QueueUrl"]
    assert eventually(lambda: _left(stack, url) == 0)


def _left(stack: Stack, url: str) -> int:
    counts = stack.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    return int(counts["ApproximateNumberOfMessages"]) + int(
        counts["ApproximateNumberOfMessagesNotVisible"]
    )


@pytest.mark.parametrize("how", ["fail", "raise"])
def test_a_message_that_fails_goes_to_the_dead_letters_after_five_receipts(
    stack: Stack, how: str
) -> None:
    sqs = stack.sqs
    dead = sqs.get_queue_url(QueueName=stack.settings.publish_dead_queue)["QueueUrl"]
    hide_for(stack.settings, stack.settings.publish_queue, 1)
    stack.send({"name": f"ends the poll that began before {how}"})
    eventually(lambda: f"ends the poll that began before {how}" in _names(stack))

    stack.send({"name": f"poison by {how}", how: True})
    found = eventually(
        lambda: sqs.receive_message(QueueUrl=dead, MaxNumberOfMessages=10).get("Messages"),
        within_s=20,
    )

    hide_for(stack.settings, stack.settings.publish_queue, 360)
    assert [f"poison by {how}" in message["Body"] for message in found] == [True]
    assert Counter(_names(stack))[f"poison by {how}"] == 5


def test_a_delayed_message_arrives_right_after_its_second(stack: Stack) -> None:
    sent = {}
    for number in range(10):
        sent[f"late {number}"] = datetime.now().astimezone() + timedelta(seconds=2)
        stack.send({"name": f"late {number}"}, delay_s=2)

    eventually(lambda: {*sent} <= {*_names(stack)})

    came = {name: datetime.fromisoformat(at) for at, name in stack.noted("message")}
    lateness = [(came[name] - due).total_seconds() for name, due in sent.items()]
    assert min(lateness) >= 0
    assert median(lateness) < 0.5


def test_slow_batches_do_not_hold_up_others(stack: Stack) -> None:
    url = stack.sqs.get_queue_url(QueueName=stack.settings.publish_queue)["QueueUrl"]
    for number in range(4):
        stack.send({"name": f"slow {number}", "sleep_s": 10}, group=f"slow {number}")
        eventually(partial(_in_hand, stack, url, number + 1))

    stack.send({"name": "quick"}, group="quick")

    assert eventually(lambda: "quick" in _names(stack), within_s=4)
    assert not any(name.startswith("slow") for name in _names(stack))


def _in_hand(stack: Stack, url: str, number: int) -> bool:
    counts = stack.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    return int(counts["ApproximateNumberOfMessagesNotVisible"]) == number


def test_one_workspaces_many_do_not_delay_anothers_one(stack: Stack) -> None:
    begin = time.monotonic() + 4  # all become visible then, however long it takes to send them
    for n in range(400):
        delay_s = max(round(begin - time.monotonic()), 0)
        stack.send({"name": f"many {n}", "sleep_s": 1.0}, group="many", delay_s=delay_s)

    delay_s = max(round(begin - time.monotonic()), 0)
    stack.send({"name": "the one"}, group="one", delay_s=delay_s)
    eventually(lambda: "the one" in _names(stack), within_s=40)

    many = sum(name.startswith("many") for name in _names(stack))
    assert many < 390


def test_an_object_that_arrives_is_told(stack: Stack) -> None:
    stack.s3.put_object(Bucket=stack.settings.media_bucket, Key="incoming/w/m", Body=b"bytes")

    assert eventually(lambda: [name for _, name in stack.noted("upload")] == ["incoming/w/m"])
