"""Wake messages: what is near is sent, and a queue that does not answer harms nobody."""

from datetime import timedelta

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.wake_queue import PublishQueue
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON

SOON = TargetRef("1" * 32, "2" * 32, "3" * 32, NOON + timedelta(minutes=3))
LATER = TargetRef("1" * 32, "4" * 32, "3" * 32, NOON + timedelta(minutes=3, seconds=31))


@pytest.fixture(scope="module")
def deployment(emulator: EmulatorProcess) -> Deployment:
    """Wire a deployment with queues of this file's own."""
    return Deployment(make_resources(emulator.endpoint))


def test_only_what_is_near_is_hinted_at(deployment: Deployment) -> None:
    queue = deployment.publish_queue

    sent = queue.send_near([SOON, LATER], now=NOON)

    assert (1, 1) == (sent, sum(queue.depth()))


def test_a_queue_that_does_not_answer_fails_no_request(deployment: Deployment) -> None:
    queue = PublishQueue(deployment.sqs, "no-such-queue", "no-such-queue-dead")

    sent = queue.send_near([SOON], now=NOON)

    assert 0 == sent
