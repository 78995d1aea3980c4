"""Reads a queue as Lambda does: several batches at once to a handler, deleted on success.

One thread receives ten messages at a time by long polling, whatever the handler's batch size, and
hands each batch to a worker thread, so a slow batch does not hold up others. Messages that a
handler reports in `batchItemFailures`, and all of them after an exception, stay in the queue until
their visibility timeout, and after enough receipts move to the dead-letter queue by the queue's own
redrive policy. The queues serve message groups in turn, as SQS's fair queues do.
"""

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chalicelib.kit.limits.thread_pool import NoThreadError, ThreadPool
from chalicelib.local.triggers.chain_guard import ChainGuard
from chalicelib.local.triggers.handlers import QueueHandler, failed_ids, queue_event

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_LOG = logging.getLogger(__name__)
_AT_ONCE = 16
_AT_ONCE_WHEN_SLOW = 64
_AT_ONCE_WAITING = 512
_SLOW_S = 1.0
LONG_POLL_S = 20
_RETRY_S = 0.5
_LARGEST_BATCH = 10


class QueuePoller:
    """Feeds one handler from its queue until told to stop."""

    def __init__(
        self,
        source: QueueHandler,
        sqs: "SQSClient",
        region: str,
        *,
        most: int | None = None,
        guard: ChainGuard | None = None,
    ) -> None:
        self._source = source
        self._guard = guard or ChainGuard(source.handler.name)
        self._sqs = sqs
        self._region = region
        self._url = ""
        self._arn = ""
        self._stopping = threading.Event()
        self._running = 0
        self._freed = threading.Condition()
        # A function with large batches spends its time waiting until its targets are due.
        waits = source.batch_size > _LARGEST_BATCH
        self._at_once = most or (_AT_ONCE_WAITING if waits else _AT_ONCE)
        self._most = most or max(self._at_once, _AT_ONCE_WHEN_SLOW)
        self._workers = ThreadPool(self._most, f"queue-{source.handler.name}")
        self._thread = threading.Thread(
            target=self._run, name=f"poll-{source.handler.name}", daemon=True
        )

    def start(self) -> None:
        """Begin to receive."""
        self._thread.start()

    def stop(self) -> None:
        """Take no further batch."""
        self._stopping.set()

    def join(self, timeout_s: float) -> None:
        """Wait for the batches in progress; those that take longer are left to their lease."""
        with self._freed:
            self._freed.wait_for(lambda: self._running == 0, timeout_s)
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wait_for_room()
            try:
                batch = self._receive()
            except Exception as failure:  # noqa: BLE001 - nobody would receive for the rest of the run
                _LOG.warning("the queue %s does not answer: %s", self._source.queue, failure)
                self._stopping.wait(_RETRY_S)
                continue
            size = self._source.batch_size
            for place in range(0, 0 if self._stopping.is_set() else len(batch), size):
                self._begin(batch[place : place + size])

    def _wait_for_room(self) -> None:
        """Wait for a free place; when slow batches have all of them, add one."""
        with self._freed:
            self._freed.wait_for(lambda: self._running < self._at_once, _SLOW_S)
            self._freed.wait_for(lambda: self._running < self._most)

    def _receive(self) -> "Sequence[MessageTypeDef]":
        if not self._url:
            self._url = self._sqs.get_queue_url(QueueName=self._source.queue)["QueueUrl"]
            self._arn = self._sqs.get_queue_attributes(
                QueueUrl=self._url, AttributeNames=["QueueArn"]
            )["Attributes"]["QueueArn"]
        return self._sqs.receive_message(
            QueueUrl=self._url,
            MaxNumberOfMessages=self._wanted_messages(),
            WaitTimeSeconds=LONG_POLL_S,
            MessageSystemAttributeNames=["All"],
        ).get("Messages", [])

    def _wanted_messages(self) -> int:
        """Return how many messages to receive: no more than a few places can begin at once.

        The others had better wait in the queue, which serves workspaces in turn.
        """
        with self._freed:
            free = max(1, (self._most - self._running) * self._source.batch_size)
        return min(_LARGEST_BATCH, free)

    def _begin(self, batch: "Sequence[MessageTypeDef]") -> None:
        with self._freed:
            self._running += 1
        while not self._stopping.is_set():
            try:
                self._workers.submit(self._work, batch)
            except NoThreadError:
                self._stopping.wait(_RETRY_S)
            else:
                return
        with self._freed:
            self._running -= 1  # the queue offers the batch to the next receiver
            self._freed.notify_all()

    def _work(self, batch: "Sequence[MessageTypeDef]") -> None:
        try:
            if through := self._guard.let_through(batch):
                self._hand_over(through)
        except Exception:  # noqa: BLE001 - nothing is deleted: the queue offers the batch again, as in Lambda
            _LOG.exception("the handler %s failed on a batch", self._source.handler.name)
        finally:
            with self._freed:
                self._running -= 1
                self._freed.notify_all()

    def _hand_over(self, batch: "Sequence[MessageTypeDef]") -> None:
        with self._guard.hop(batch):
            answer = self._source.handler(queue_event(batch, self._arn, self._region))
        failed = failed_ids(answer, [message["MessageId"] for message in batch])
        self._delete([message for message in batch if message["MessageId"] not in failed])

    def _delete(self, messages: "Sequence[MessageTypeDef]") -> None:
        if messages:
            self._sqs.delete_message_batch(
                QueueUrl=self._url,
                Entries=[
                    {"Id": str(place), "ReceiptHandle": message["ReceiptHandle"]}
                    for place, message in enumerate(messages)
                ],
            )
