"""A batch of queue messages, worked off in parallel: one failure leaves the others done.

`app.py` hands Lambda's records over; the answer names those that must stay in the queue, in the
shape that Lambda reads (ReportBatchItemFailures).
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

_LOG = logging.getLogger(__name__)

Failures = dict[str, list[dict[str, str]]]


class Batches:
    """Runs the records of batches in threads that are kept from batch to batch."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="record")

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
                facts = {"action": "batch.failed", "message_id": message_id}
                _LOG.error("A queue message could not be worked off.", exc_info=error, extra=facts)
                failed.append({"itemIdentifier": message_id})
        return {"batchItemFailures": failed}
