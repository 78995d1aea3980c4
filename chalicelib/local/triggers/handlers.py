"""The handlers that `app.py` declares, found through chalice's own registries, never by name.

Each is called with the event that AWS would send: EventBridge's for schedules, SQS's for queues.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chalice.app import Chalice, ScheduledEventConfig, SQSEventConfig
from chalice.local import LambdaContext

from chalicelib.kit.dataclass import dataclass

if TYPE_CHECKING:
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_ACCOUNT = "000000000000"
_MEMORY_MB = 1024
_MAX_RUNTIME_MS = 900_000

Event = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Handler:
    """One Lambda function of the app."""

    name: str
    function: Callable[[Event, LambdaContext], object]

    def __call__(self, event: Event) -> object:
        """Invoke it as Lambda would."""
        context = LambdaContext(self.name, _MEMORY_MB, max_runtime_ms=_MAX_RUNTIME_MS)
        return self.function(event, context)


@dataclass(frozen=True, slots=True)
class ScheduledHandler:
    """A handler behind an EventBridge rule."""

    handler: Handler
    expression: str


@dataclass(frozen=True, slots=True)
class QueueHandler:
    """A handler behind a queue."""

    handler: Handler
    queue: str
    batch_size: int


def scheduled_handlers(app: Chalice) -> list[ScheduledHandler]:
    """Return what the app declares with `@app.schedule`."""
    return [
        ScheduledHandler(_handler(app, source.name), _expression(source))
        for source in app.event_sources
        if isinstance(source, ScheduledEventConfig)
    ]


def queue_handlers(app: Chalice) -> list[QueueHandler]:
    """Return what the app declares with `@app.on_sqs_message`."""
    return [
        QueueHandler(_handler(app, source.name), _queue(source), source.batch_size)
        for source in app.event_sources
        if isinstance(source, SQSEventConfig)
    ]


def scheduled_event(name: str, now: datetime, region: str) -> Event:
    """Return EventBridge's event of a rule that fired."""
    return {
        "version": "0",
        "id": str(uuid.uuid4()),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": _ACCOUNT,
        "time": now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": region,
        "resources": [f"arn:aws:events:{region}:{_ACCOUNT}:rule/{name}"],
        "detail": {},
    }


def queue_event(messages: Iterable["MessageTypeDef"], queue_arn: str, region: str) -> Event:
    """Return Lambda's event of a batch of messages."""
    return {
        "Records": [
            {
                "messageId": message["MessageId"],
                "receiptHandle": message["ReceiptHandle"],
                "body": message["Body"],
                "attributes": message.get("Attributes", {}),
                "messageAttributes": {},
                "md5OfBody": message["MD5OfBody"],
                "eventSource": "aws:sqs",
                "eventSourceARN": queue_arn,
                "awsRegion": region,
            }
            for message in messages
        ]
    }


def failed_ids(answer: object, sent: Sequence[str]) -> set[str]:
    """Return which messages Lambda would leave in the queue after this answer of a handler.

    As there, an answer that names a message outside the batch fails all of them.
    """
    if not isinstance(answer, Mapping) or not answer.get("batchItemFailures"):
        return set()
    named = {
        str(failure.get("itemIdentifier")) if isinstance(failure, Mapping) else ""
        for failure in answer["batchItemFailures"]
    }
    return min(named, set(sent))


def _handler(app: Chalice, name: str) -> Handler:
    return Handler(name, app.handler_map[name])


def _expression(source: ScheduledEventConfig) -> str:
    expression = source.schedule_expression
    return expression if isinstance(expression, str) else expression.to_string()


def _queue(source: SQSEventConfig) -> str:
    return source.queue or (source.queue_arn or "").rpartition(":")[2]
