"""A queue is read on, and each batch worked off once, though threads are refused for a while."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import pytest

from chalicelib.local.triggers.handlers import Handler, QueueHandler
from chalicelib.local.triggers.queue_poller import QueuePoller
from tests.local.running_stack import eventually
from tests.support.few_threads import FewThreads

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


@dataclass(slots=True)
class Queue:
    """Offers each message once."""

    left: list[str]
    deleted: list[str] = field(default_factory=list)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def get_queue_url(self, **_: object) -> Mapping[str, str]:
        return {"QueueUrl": "here"}

    def get_queue_attributes(self, **_: object) -> Mapping[str, Any]:
        return {"Attributes": {"QueueArn": "arn"}}

    def receive_message(self, **_: object) -> Mapping[str, Any]:
        threading.Event().wait(0.01)
        if not self.left:
            return {}
        name = self.left.pop(0)
        return {
            "Messages": [
                dict.fromkeys(("MessageId", "ReceiptHandle", "Body"), name)
                | {"MD5OfBody": "", "Attributes": {}}
            ]
        }

    def delete_message_batch(self, **call: Any) -> None:  # noqa: ANN401 - boto3's
        with self.guard:
            self.deleted += [entry["ReceiptHandle"] for entry in call["Entries"]]


@pytest.mark.parametrize("given", [0, 1, 2])
def test_no_batch_is_lost_or_done_twice(monkeypatch: pytest.MonkeyPatch, given: int) -> None:
    system, names = FewThreads(monkeypatch), [f"message {n}" for n in range(12)]
    worked: list[str] = []

    def work(event: Any, _: object) -> None:  # noqa: ANN401 - Lambda's
        threading.Event().wait(0.05)
        worked.extend(record["body"] for record in event["Records"])

    queue = Queue(list(names))
    source = QueueHandler(Handler("publish", work), "publish", 1)
    poller = QueuePoller(source, cast("SQSClient", queue), "here")

    poller.start()
    with system.gives(given):
        eventually(lambda: system.refused > 0)
    eventually(lambda: len(queue.deleted) == len(names))
    poller.stop()
    poller.join(240)

    assert sorted(worked) == sorted(names)
