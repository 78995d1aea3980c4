"""Wake messages over SQS that a target is about to be due; the wake index is the truth.

The dispatcher and every write that sets a near time send here. `MessageGroupId` is the workspace,
so that SQS's fair queues keep one workspace's many from delaying another's one. Losing or
doubling a wake message costs nothing but a refused claim or up to 90 seconds.
"""

import json
import logging
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.dynamodb.items import instant, stamp
from chalicelib.storage.engine.targets import TargetRef

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef

NEAR = timedelta(minutes=3)
_BATCH = 10
_LONGEST_DELAY_S = 900
_log = logging.getLogger(__name__)


class PublishQueue:
    """The queue that wakes the publish worker."""

    def __init__(self, client: "SQSClient", name: str, dead_name: str) -> None:
        self._client = client
        self._name = name
        self._dead_name = dead_name
        self._urls: dict[str, str] = {}

    def send(self, refs: Iterable[TargetRef], *, now: datetime) -> int:
        """Send a wake message for each target, to arrive when it wants to wake; return how many."""
        sent = 0
        for batch in _batches(refs):
            entries = [_entry(str(place), ref, now) for place, ref in enumerate(batch)]
            self._client.send_message_batch(QueueUrl=self._url(self._name), Entries=entries)
            sent += len(batch)
        return sent

    def send_near(self, refs: Iterable[TargetRef], *, now: datetime) -> int:
        """Send wake messages only for those that wake sooner than a tick could be relied on.

        What they wake message at is kept already, so a queue that does not answer costs only time.
        """
        try:
            return self.send((ref for ref in refs if ref.wake_at <= now + NEAR), now=now)
        except (BotoCoreError, ClientError):
            _log.warning("Hints were not sent; the tick will.", extra={"action": "hints.lost"})
            return 0

    def depth(self) -> tuple[int, int, int]:
        """Return how many wake messages wait, are being worked off, and are delayed."""
        found = self._client.get_queue_attributes(
            QueueUrl=self._url(self._name),
            AttributeNames=[
                "ApproximateNumberOfMessages",
                "ApproximateNumberOfMessagesNotVisible",
                "ApproximateNumberOfMessagesDelayed",
            ],
        )["Attributes"]
        return (
            int(found["ApproximateNumberOfMessages"]),
            int(found["ApproximateNumberOfMessagesNotVisible"]),
            int(found["ApproximateNumberOfMessagesDelayed"]),
        )

    def dead(self) -> int:
        """Return how many wake messages could not be worked off."""
        found = self._client.get_queue_attributes(
            QueueUrl=self._url(self._dead_name), AttributeNames=["ApproximateNumberOfMessages"]
        )
        return int(found["Attributes"]["ApproximateNumberOfMessages"])

    def redrive(self) -> int:
        """Move every dead wake message back to the queue; return how many."""
        moved = 0
        dead = self._url(self._dead_name)
        while found := self._client.receive_message(
            QueueUrl=dead, MaxNumberOfMessages=_BATCH, MessageSystemAttributeNames=["All"]
        ).get("Messages", []):
            for message in found:
                group = message.get("Attributes", {}).get("MessageGroupId", "redrive")
                self._client.send_message(
                    QueueUrl=self._url(self._name),
                    MessageBody=message["Body"],
                    MessageGroupId=group,
                )
                self._client.delete_message(QueueUrl=dead, ReceiptHandle=message["ReceiptHandle"])
                moved += 1
        return moved

    def _url(self, name: str) -> str:
        if name not in self._urls:
            self._urls[name] = self._client.get_queue_url(QueueName=name)["QueueUrl"]
        return self._urls[name]


def read_wake_message(body: str) -> TargetRef:
    """Read the target that a message names. Raises ValueError or KeyError for anything else."""
    values = json.loads(body)
    return TargetRef(
        post_id=str(values["post_id"]),
        target_id=str(values["target_id"]),
        workspace_id=str(values["workspace_id"]),
        wake_at=instant(values["wake_at"]),
    )


def _entry(place: str, ref: TargetRef, now: datetime) -> "SendMessageBatchRequestEntryTypeDef":
    body = {
        "post_id": ref.post_id,
        "target_id": ref.target_id,
        "workspace_id": ref.workspace_id,
        "wake_at": stamp(ref.wake_at),
    }
    left_s = math.floor((ref.wake_at - now).total_seconds())
    return {
        "Id": place,
        "MessageBody": json.dumps(body),
        "DelaySeconds": min(max(left_s, 0), _LONGEST_DELAY_S),
        "MessageGroupId": ref.workspace_id,
    }


def _batches(refs: Iterable[TargetRef]) -> Iterator[Sequence[TargetRef]]:
    batch: list[TargetRef] = []
    for ref in refs:
        batch.append(ref)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
