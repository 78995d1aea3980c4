"""A batch of queue messages, handled in parallel: one failure does not affect the others.

`app.py` hands Lambda's records over; the answer names those that must stay in the queue, in the
shape that Lambda reads (ReportBatchItemFailures; Lambda guide, "Handling errors for an SQS event
source in Lambda"): without it one failure brings the whole batch again.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from chalicelib.kit.limits.thread_pool import HelpedPool

_LOG = logging.getLogger(__name__)

_T = TypeVar("_T")
Failures = dict[str, list[dict[str, str]]]


def run_together(
    records: Iterable[Mapping[str, object]],
    read: Callable[[str], _T],
    work: Callable[[Sequence[_T]], Iterable[tuple[_T, BaseException | None]]],
) -> Failures:
    """Work on a batch as a whole; return the ids of the records whose work failed."""
    ids: dict[_T, list[str]] = defaultdict(list)
    failed: list[str] = []
    for record in records:
        message_id = str(record["messageId"])
        try:
            ids[read(str(record["body"]))].append(message_id)
        except (ValueError, KeyError) as error:
            _note(message_id, error)
            failed.append(message_id)
    for one, problem in work(list(ids)):
        if problem is not None:
            _note(ids[one][0], problem)
            failed.extend(ids[one])
    return _failures(failed)


def _note(message_id: str, error: BaseException) -> None:
    facts = {"action": "batch.failed", "message_id": message_id}
    _LOG.error("A queue message could not be processed.", exc_info=error, extra=facts)


def _failures(message_ids: Iterable[str]) -> Failures:
    return {"batchItemFailures": [{"itemIdentifier": each} for each in message_ids]}


class Batches:
    """Runs the records of batches in threads that stay for the next batch."""

    def __init__(self, threads: int) -> None:
        self._pool = HelpedPool(threads, name="record")

    def run(self, records: Iterable[Mapping[str, object]], work: Callable[[str], None]) -> Failures:
        """Work on every record's body; return the ids of those that failed."""
        running = [
            (str(record["messageId"]), self._pool.submit(work, str(record["body"])))
            for record in records
        ]
        failed = []
        for message_id, result in running:
            error = result.exception()
            if error is not None:
                _note(message_id, error)
                failed.append(message_id)
        return _failures(failed)
