"""Wake messages: what is near is sent, and a queue that does not answer harms nobody."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.wake_queue import PublishQueue, read_wake_message
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

SOON = TargetRef("1" * 32, "2" * 32, "3" * 32, NOON + timedelta(minutes=3))
LATER = TargetRef("1" * 32, "4" * 32, "3" * 32, NOON + timedelta(minutes=3, seconds=31))

SENT_BEFORE = (
    '{"post_id": "11111111111111111111111111111111", '
    '"target_id": "22222222222222222222222222222222", '
    '"workspace_id": "33333333333333333333333333333333", '
    '"wake_at": "2026-11-25T09:00:00.000000Z"%s}'
)
"""What the queues held at 4fe97442, which said a message's kind by what is true of it."""


class ManyServers:
    """An SQS of several servers: who does not wait asks some, here one without messages."""

    def __init__(self, sqs: "SQSClient") -> None:
        self._sqs = sqs

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the client has
        return getattr(self._sqs, name)

    def receive_message(self, *, WaitTimeSeconds: int = 0, **asked: Any) -> object:  # noqa: ANN401, N803 - boto3's
        """Deliver messages of all servers, or of that one."""
        return self._sqs.receive_message(**asked) if WaitTimeSeconds else {}


@pytest.fixture(scope="module")
def deployment(emulator: EmulatorProcess) -> Deployment:
    """Wire a deployment with queues of this file's own."""
    return Deployment(make_resources(emulator.endpoint))


def test_only_what_is_near_is_hinted_at(deployment: Deployment) -> None:
    queue = deployment.stores.lanes.fire

    sent = queue.send_near([SOON, LATER], now=NOON)

    assert (1, 1) == (sent, sum(queue.depth()))


def test_a_queue_that_does_not_answer_fails_no_request(deployment: Deployment) -> None:
    queue = PublishQueue(deployment.clients.sqs, "no-such-queue", "no-such-queue-dead")

    sent = queue.send_near([SOON], now=NOON)

    assert 0 == sent


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", MessageKind.WAKE),
        (', "is_ahead": true', MessageKind.WAKE_AHEAD),
        (', "is_routine": true', MessageKind.TICK),
        (', "is_copy": true', MessageKind.COPY),
        (', "is_check": true', MessageKind.CHECK),
        (', "is_check": true, "is_routine": true', MessageKind.TICK_CHECK),
        (', "is_routine": true, "is_ahead": true', MessageKind.WAKE_AHEAD),
        (', "is_copy": true, "is_ahead": true', MessageKind.WAKE_AHEAD),
    ],
)
def test_a_message_of_the_release_before_is_read(said: str, kind: MessageKind) -> None:
    ref = read_wake_message(SENT_BEFORE % said)

    nine = datetime(2026, 11, 25, 9, tzinfo=UTC)
    assert TargetRef("1" * 32, "2" * 32, "3" * 32, nine, kind) == ref


def test_a_message_of_a_kind_that_only_a_later_release_knows_wakes() -> None:
    ref = read_wake_message(SENT_BEFORE % ', "kind": "tomorrow"')

    assert MessageKind.WAKE is ref.kind


def test_what_is_no_wake_message_is_refused() -> None:
    with pytest.raises(KeyError, match="post_id"):
        read_wake_message("{}")


def test_a_check_is_sent_however_long_before_its_time(deployment: Deployment) -> None:
    """What is prepared ten minutes before its second has no tick that would send its check."""
    queue = deployment.stores.lanes.retry
    at = NOON + timedelta(minutes=12)
    refs = [replace(LATER, wake_at=at, kind=kind) for kind in (MessageKind.CHECK, MessageKind.WAKE)]

    assert queue.send_near(refs, now=NOON) == 1
    assert queue.depth() == (0, 0, 1)


def test_no_dead_message_stays_where_only_some_servers_have_it(deployment: Deployment) -> None:
    """Amazon SQS Developer Guide, "Amazon SQS short and long polling": a false empty response."""
    sqs, settings = deployment.clients.sqs, deployment.settings
    dead = sqs.get_queue_url(QueueName=settings.publish_dead_queue)["QueueUrl"]
    sqs.send_message(QueueUrl=dead, MessageBody="{}", MessageGroupId="3" * 32)
    several: Any = ManyServers(sqs)
    queue = PublishQueue(several, settings.publish_queue, settings.publish_dead_queue)

    moved = queue.redrive()

    assert (1, 0) == (moved, queue.dead())
