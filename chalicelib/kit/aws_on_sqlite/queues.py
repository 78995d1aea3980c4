"""SQS as the storage calls it: standard queues with delays, visibility, redrive and fair groups.

Messages are rows of the engine's file, so that they survive a killed process. They are not synced
against power cuts, since each sender has kept in a table what its message is about. Receivers are
woken by senders of their own process, and poll often for messages of others.
"""

import json
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from hashlib import md5
from sqlite3 import Connection
from threading import Condition
from typing import Any, ClassVar, Final

from chalicelib.kit.aws_on_sqlite.base_client import Answer, Call, EmbeddedClient, operation
from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.failures import refusal
from chalicelib.kit.aws_on_sqlite.fair_turns import FairTurns
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock

_URL = "embedded://queues/"
_ARN = "arn:aws:sqs:us-east-1:000000000000:"
_VISIBILITY_S = 30
_RETENTION_S = 345_600
_MOST_DELAY_S, _MOST_BATCH, _MOST_WAIT_S = 900, 10, 20
_MOST_BYTES = 1_048_576
"""Of one message, and of a batch (SQS guide, "Amazon SQS message quotas")."""
_LOOKED_EVERY_S = 0.05
_PAST_AT_ONCE = 200
_SENT = ("MessageBody", "DelaySeconds", "MessageGroupId")
TRACE: Final[ContextVar[str | None]] = ContextVar("trace", default=None)
"""The `AWSTraceHeader` of every message that is sent: within Lambda, botocore takes it from the
environment of the process, which runs one invocation at a time; here many run at once."""


class EmbeddedSqs(EmbeddedClient):
    """The queues of an engine."""

    service: ClassVar[str] = "sqs"

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._sent = Condition()
        self._known: dict[str, tuple[int, Any]] = {}
        self._turns: dict[int, FairTurns] = {}

    @operation("CreateQueue", "QueueName", "Attributes")
    def create_queue(self, call: Call) -> Answer:
        """Make a queue, unless it exists."""
        self._engine.make("queue", call["QueueName"], call.get("Attributes", {}))
        return {"QueueUrl": _URL + call["QueueName"]}

    @operation("GetQueueUrl", "QueueName")
    def get_queue_url(self, call: Call) -> Answer:
        """Return a queue's address, which the other calls take."""
        url = _URL + call["QueueName"]
        self._queue(url)
        return {"QueueUrl": url}

    def _queue(self, url: str) -> tuple[int, Any]:
        found = self._known.get(url)
        if found is None:
            found = self._engine.find_made("queue", url.rpartition("/")[2])
            if found is None:
                code = "AWS.SimpleQueueService.NonExistentQueue"
                raise refusal(code, f"The queue {url} does not exist.")
            self._known[url] = found
        return found

    @operation("SendMessage", "QueueUrl", *_SENT)
    def send_message(self, call: Call) -> Answer:
        """Accept a message."""
        return self._send(call["QueueUrl"], [call])[0]

    @operation("SendMessageBatch", "QueueUrl", "Entries")
    def send_message_batch(self, call: Call) -> Answer:
        """Accept up to ten messages."""
        entries = call["Entries"]
        if not 0 < len(entries) <= _MOST_BATCH:
            raise refusal("AWS.SimpleQueueService.TooManyEntriesInBatchRequest", "1 to 10 entries")
        if sum(len(entry["MessageBody"].encode()) for entry in entries) > _MOST_BYTES:
            code = "AWS.SimpleQueueService.BatchRequestTooLong"
            raise refusal(code, f"Batch requests cannot be longer than {_MOST_BYTES} bytes.")
        told = self._send(call["QueueUrl"], entries)
        named = zip(entries, told, strict=True)
        return {"Successful": [{"Id": entry["Id"], **one} for entry, one in named]}

    def _send(self, url: str, entries: Sequence[Mapping[str, Any]]) -> list[Answer]:
        queue, now = self._queue(url)[0], machine_clock()
        rows = [message(queue, entry, now) for entry in entries]
        with self._engine.writing(lasting=False) as connection:
            put(connection, rows)
        with self._sent:
            self._sent.notify_all()
        return [{"MessageId": row[2], "MD5OfMessageBody": _md5(row[4])} for row in rows]

    @operation(
        *("ReceiveMessage", "QueueUrl", "MaxNumberOfMessages", "WaitTimeSeconds"),
        *("VisibilityTimeout", "MessageSystemAttributeNames", "AttributeNames"),
    )
    def receive_message(self, call: Call) -> Answer:
        """Deliver visible messages, waiting for some as long as the call says."""
        queue = self._queue(call["QueueUrl"])[0]
        wait_s = min(call.get("WaitTimeSeconds", 0), _MOST_WAIT_S)
        until = time.monotonic() + wait_s
        most = min(call.get("MaxNumberOfMessages", 1), _MOST_BATCH)
        while True:
            found = self._hand_out(queue, most, call) if self._has_visible(queue) else None
            if found:
                return {"Messages": found}
            if found is not None:
                continue  # others took the chosen ones, or they were dead or expired
            left_s = until - time.monotonic()
            if left_s <= 0:
                return {}
            with self._sent:
                self._sent.wait(min(left_s, _LOOKED_EVERY_S))

    def _has_visible(self, queue: int) -> bool:
        text = "SELECT 1 FROM message WHERE queue = ? AND visible_at <= ? LIMIT 1"
        with self._engine.reading() as connection:
            return connection.execute(text, (queue, machine_clock())).fetchone() is not None

    def _hand_out(self, queue: int, most: int, call: Call) -> list[Answer] | None:
        """Return this caller's messages, maybe none; None if no message is visible."""
        turns = self._turns.setdefault(queue, FairTurns(queue))
        with turns.choosing:
            now = machine_clock()
            with self._engine.reading() as connection:
                text = "SELECT about FROM made WHERE id = ?"
                about = json.loads(connection.execute(text, (queue,)).fetchone()[0])
                chosen = turns.choose(connection, now, most)
            if not chosen:
                return None
            return self._take(queue, chosen, about, call, now)

    def _take(
        self,
        queue: int,
        chosen: list[int],
        about: Mapping[str, Any],
        call: Call,
        now: float,
    ) -> list[Answer]:
        """Hide the chosen messages that no other process took meanwhile."""
        redrive = about.get("RedrivePolicy", {})
        said = about.get("VisibilityTimeout", _VISIBILITY_S)
        hidden_s = int(call.get("VisibilityTimeout", said))
        with self._engine.writing(lasting=False) as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM message NOT INDEXED WHERE id IN ({_marks(chosen)})"  # noqa: S608 - only marks
                " AND queue = ? AND visible_at <= ? ORDER BY id",
                (*chosen, queue, now),
            ).fetchall()
            rows = _without_past(connection, queue, rows, now - _retention_s(about))
            if redrive:
                rows = self._without_dead(connection, rows, redrive)
            connection.execute(
                "UPDATE message SET visible_at = ?, receipts = receipts + 1,"  # noqa: S608 - only marks
                f" first_at = coalesce(first_at, ?) WHERE id IN ({_marks(rows)})",
                (now + hidden_s, now, *(row[0] for row in rows)),
            )
        return [_message_of(row, now) for row in rows]

    def _without_dead(
        self, connection: Connection, rows: "list[_Row]", redrive: Mapping[str, Any]
    ) -> "list[_Row]":
        """Move messages received too often to the dead-letter queue; return the others."""
        most = int(redrive["maxReceiveCount"])
        dead = [row for row in rows if row[5] >= most]
        if dead:
            arn = redrive["deadLetterTargetArn"]
            queue = self._queue(_URL + arn.rpartition(":")[2])[0]
            connection.executemany(
                "UPDATE message SET queue = ?, receipts = 0 WHERE id = ?",
                [(queue, row[0]) for row in dead],
            )
        return [row for row in rows if row[5] < most]

    @operation("DeleteMessage", "QueueUrl", "ReceiptHandle")
    def delete_message(self, call: Call) -> Answer:
        """Delete a processed message."""
        self._delete([call["ReceiptHandle"]])
        return {}

    @operation("DeleteMessageBatch", "QueueUrl", "Entries")
    def delete_message_batch(self, call: Call) -> Answer:
        """Delete several messages."""
        self._delete([entry["ReceiptHandle"] for entry in call["Entries"]])
        return {"Successful": [{"Id": entry["Id"]} for entry in call["Entries"]]}

    def _delete(self, receipts: Iterable[str]) -> None:
        """Delete messages by their last receipts: one that was delivered again is another's."""
        named = [receipt.rsplit("#", 1) for receipt in receipts]
        condition = " OR ".join(["(name = ? AND receipts = ?)"] * len(named))
        with self._engine.writing(lasting=False) as connection:
            connection.execute(
                f"DELETE FROM message WHERE {condition}",  # noqa: S608 - only marks
                [value for name, count in named for value in (name, int(count))],
            )

    @operation("GetQueueAttributes", "QueueUrl", "AttributeNames")
    def get_queue_attributes(self, call: Call) -> Answer:
        """Return a queue's attributes and how many messages it has."""
        number, about = self._queue(call["QueueUrl"])
        now = machine_clock()
        with self._engine.reading() as connection:
            visible, held, delayed = connection.execute(
                "SELECT total(visible_at <= :now), total(visible_at > :now AND receipts > 0),"
                " total(visible_at > :now AND receipts = 0)"
                " FROM message WHERE queue = :queue AND sent_at > :oldest",
                {"queue": number, "now": now, "oldest": now - _retention_s(about)},
            ).fetchone()
        said = {name: value for name, value in about.items() if isinstance(value, str)}
        known = {
            **said,
            "QueueArn": _ARN + call["QueueUrl"].rpartition("/")[2],
            "ApproximateNumberOfMessages": str(int(visible)),
            "ApproximateNumberOfMessagesNotVisible": str(int(held)),
            "ApproximateNumberOfMessagesDelayed": str(int(delayed)),
        }
        if "RedrivePolicy" in about:
            known["RedrivePolicy"] = json.dumps(about["RedrivePolicy"])
        wanted = call.get("AttributeNames", [])
        names = known if "All" in wanted else known.keys() & set(wanted)
        return {"Attributes": {name: known[name] for name in names}}


_Row = tuple[int, str, str, str, float, int, float | None, str | None]
_COLUMNS = "id, name, team, body, sent_at, receipts, first_at, trace"


def message(queue: int, entry: Mapping[str, Any], now: float) -> tuple[Any, ...]:
    """Return a message as `put` accepts it."""
    delay_s = int(entry.get("DelaySeconds", 0))
    if not 0 <= delay_s <= _MOST_DELAY_S:
        raise refusal("InvalidParameterValue", "DelaySeconds must be from 0 to 900")
    if len(entry["MessageBody"].encode()) > _MOST_BYTES:
        raise refusal("InvalidParameterValue", f"Message must be at most {_MOST_BYTES} bytes")
    team = entry.get("MessageGroupId") or ""
    name, trace = str(uuid.uuid4()), TRACE.get()
    return (queue, now + delay_s, name, team, entry["MessageBody"], now, trace)


def put(connection: Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write new messages."""
    connection.executemany(
        "INSERT INTO message (queue, visible_at, name, team, body, sent_at, trace, receipts)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
        rows,
    )


def _without_past(
    connection: Connection, queue: int, rows: "list[_Row]", oldest: float
) -> "list[_Row]":
    """Remove messages past their retention period; if all are, remove others like them, too."""
    kept = [row for row in rows if row[4] > oldest]
    past = [(row[0],) for row in rows if row[4] <= oldest]
    connection.executemany("DELETE FROM message WHERE id = ?", past)
    if past and not kept:
        connection.execute(
            "DELETE FROM message WHERE sent_at <= ? AND id IN (SELECT id FROM message"
            " INDEXED BY message_visible WHERE queue = ? ORDER BY visible_at LIMIT ?)",
            (oldest, queue, _PAST_AT_ONCE),
        )
    return kept


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _retention_s(about: Mapping[str, Any]) -> float:
    return float(about.get("MessageRetentionPeriod", _RETENTION_S))


def _message_of(row: _Row, now: float) -> Answer:
    _, name, team, body, sent_at, receipts, first_at, trace = row
    attributes = {
        "SentTimestamp": str(int(sent_at * 1000)),
        "ApproximateReceiveCount": str(receipts + 1),
        "ApproximateFirstReceiveTimestamp": str(int((first_at or now) * 1000)),
        **({"MessageGroupId": team} if team else {}),
        **({"AWSTraceHeader": trace} if trace else {}),
    }
    return {
        "MessageId": name,
        "ReceiptHandle": f"{name}#{receipts + 1}",
        "Body": body,
        "MD5OfBody": _md5(body),
        "Attributes": attributes,
    }


def _md5(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()
