"""Wake messages over SQS: a target is about to be due. The wake index has the truth.

The dispatcher sends them, and so does every write that sets a near time. `MessageGroupId` is the
workspace, so that with SQS's fair queues one workspace's thousand messages do not delay another's
one. A lost or doubled wake message costs only the time to the next tick, or a refused claim.
"""

import json
import logging
import math
import time
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import backoff_s
from chalicelib.kit.dynamodb.items import instant, stamp
from chalicelib.storage.engine.claims import MessageKind, TargetRef

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef

NEAR = timedelta(minutes=3, seconds=30)
"""What wakes sooner has its message from the write that says so: a tick may have looked already,
or see it too late on an index that follows the table."""
CHECK_NEAR = timedelta(minutes=2)
"""What is to be checked sooner has its check from the write that says so, for the same reason."""
ARM_AHEAD = timedelta(seconds=10)
"""How long before its second a target is armed."""
ARMED_FOR = timedelta(seconds=5)
"""How long after its second an armed call may still begin."""
_BATCH = 10
"""SendMessageBatch takes no more, and refuses some while it takes others (SQS API reference)."""
_TRIES = 4
_ALL_SERVERS_S = 1
"""SQS asks all its servers for messages only if it may wait; else it may say that there are none
while there are ("Amazon SQS short and long polling")."""
_LONGEST_DELAY_S = 900
"""SQS delays no message longer ("Amazon SQS message timers"): the tick finds what wakes later."""
_COUNTS: Final = (
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
)
_KINDS: Final = frozenset(MessageKind)
_log = logging.getLogger(__name__)


class PublishQueue:
    """A queue of wake messages; they arrive `ahead` of the time to wake, or on time."""

    def __init__(
        self, client: "SQSClient", name: str, dead_name: str, *, ahead: timedelta = timedelta(0)
    ) -> None:
        self._client = client
        self._name = name
        self._dead_name = dead_name
        self._ahead = ahead
        self._urls: dict[str, str] = {}

    def send(
        self, refs: Iterable[TargetRef], *, now: datetime, late: timedelta | None = None
    ) -> int:
        """Send a wake message for each target, to arrive when it wants to wake; return how many.

        With `late`, so long after that.
        """
        ahead = self._ahead if late is None else -late
        entries = [entry(n, ref, ref.wake_at - ahead - now) for n, ref in enumerate(refs)]
        starts = range(0, len(entries), _BATCH)
        return sum(self._send_batch(entries[start : start + _BATCH]) for start in starts)

    def _send_batch(self, entries: "list[SendMessageBatchRequestEntryTypeDef]") -> int:
        """Send the entries, and those again that SQS refused; return how many it accepted."""
        left = entries
        for tried in range(_TRIES):
            answer = self._client.send_message_batch(QueueUrl=self._url(self._name), Entries=left)
            refused = {failed["Id"] for failed in answer.get("Failed", [])}
            left = [entry for entry in left if entry["Id"] in refused]
            if not left:
                return len(entries)
            time.sleep(backoff_s(tried))
        _log_refused(len(left))
        return len(entries) - len(left)

    def send_near(self, refs: Iterable[TargetRef], *, now: datetime) -> int:
        """Send checks, and wake messages for what wakes sooner than a tick could be relied on.

        The time that each wakes at is stored already, so a queue that does not answer costs only
        time.
        """
        try:
            return self.send(
                (ref for ref in refs if ref.kind.is_check or ref.wake_at <= now + NEAR), now=now
            )
        except (BotoCoreError, ClientError):
            _log.warning(
                "Wake messages were not sent; the tick will send them.",
                extra={"action": "wake_messages.lost"},
            )
            return 0

    def waiting(self) -> int | None:
        """Return how many wake messages wait, None when the queue does not say."""
        try:
            return self.depth()[0]
        except (BotoCoreError, ClientError):
            _log.warning(
                "The queue did not say how full it is.", extra={"action": "wake_messages.depth"}
            )
            return None

    def depth(self) -> tuple[int, int, int]:
        """Return how many wake messages wait, are being handled, and are delayed."""
        return self._count(self._name)

    def dead(self) -> int:
        """Return how many wake messages are in the dead-letter queue."""
        return self._count(self._dead_name)[0]

    def _count(self, name: str) -> tuple[int, int, int]:
        found = self._client.get_queue_attributes(QueueUrl=self._url(name), AttributeNames=_COUNTS)[
            "Attributes"
        ]
        waiting, working, delayed = (int(found[count]) for count in _COUNTS)
        return waiting, working, delayed

    def redrive(self) -> int:
        """Move every dead wake message back to the queue; return how many."""
        moved = 0
        dead = self._url(self._dead_name)
        while found := self._client.receive_message(
            QueueUrl=dead,
            MaxNumberOfMessages=_BATCH,
            WaitTimeSeconds=_ALL_SERVERS_S,
            MessageSystemAttributeNames=["All"],
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """The queue of each lane.

    Retries have places of their own: a platform that refuses everything fills only these, and
    targets that are due for the first time find theirs free.
    """

    fire: PublishQueue
    prepare: PublishQueue
    retry: PublishQueue

    def of(self, target: Target) -> PublishQueue:
        """Return the queue for a target as it wakes next."""
        return self.fire if target.fires_next else self.slower(target)

    def slower(self, target: Target) -> PublishQueue:
        """Return the queue for a target of another lane than fire, or too late for that one."""
        return self.retry if target.is_tried_again else self.prepare

    @property
    def each(self) -> Collection[PublishQueue]:
        """Every queue, once."""
        return {self.fire, self.prepare, self.retry}


def entry(place: int, ref: TargetRef, left: timedelta) -> "SendMessageBatchRequestEntryTypeDef":
    """Return the message that wakes a target once so much time has passed."""
    body = {
        "post_id": ref.post_id,
        "target_id": ref.target_id,
        "workspace_id": ref.workspace_id,
        "wake_at": stamp(ref.wake_at),
        **({} if ref.kind is MessageKind.WAKE else {"kind": ref.kind}),
    }
    return {
        "Id": str(place),
        "MessageBody": json.dumps(body),
        "DelaySeconds": min(max(math.floor(left.total_seconds()), 0), _LONGEST_DELAY_S),
        "MessageGroupId": ref.workspace_id,
    }


def _log_refused(messages: int) -> None:
    _log.warning(
        "%d wake messages were not taken; the tick sends them again.",
        messages,
        extra={"action": "wake_messages.refused"},
    )


def read_wake_message(body: str) -> TargetRef:
    """Read the target that a message names. Raises ValueError or KeyError for anything else."""
    values = json.loads(body)
    return TargetRef(
        post_id=str(values["post_id"]),
        target_id=str(values["target_id"]),
        workspace_id=str(values["workspace_id"]),
        wake_at=instant(values["wake_at"]),
        kind=_kind_named(values["kind"]) if "kind" in values else _kind_said_by(values),
    )


def _kind_named(name: str) -> MessageKind:
    """Return the kind; one that only a later release knows wakes, and a claim decides the rest."""
    return MessageKind(name) if name in _KINDS else MessageKind.WAKE


def _kind_said_by(values: Mapping[str, object]) -> MessageKind:
    """Return the kind of a message of the release before, which says it by what is true of it."""
    said = {name for name, value in values.items() if value is True}
    if "is_check" in said:
        return MessageKind.TICK_CHECK if "is_routine" in said else MessageKind.CHECK
    before = {
        "is_ahead": MessageKind.WAKE_AHEAD,
        "is_copy": MessageKind.COPY,
        "is_routine": MessageKind.TICK,
    }
    return next((kind for name, kind in before.items() if name in said), MessageKind.WAKE)
