"""Whether the service can do its work: what it is told to keep, it must be able to write.

`GET /v1/health` asks. The store is tried at most every few seconds, however often one asks.
"""

import threading
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.dynamodb.items import stamp
from chalicelib.kit.dynamodb.table import Table
from chalicelib.storage.tables import PROBE_KEY

_KEPT = timedelta(seconds=5)


class Health:
    """Knows whether the store can be written; safe to share between threads.

    A write into the table without which nothing can be done tells: a full disk still answers reads.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._guard = threading.Lock()
        self._tried_at: datetime | None = None
        self._writable = False

    def is_writable(self) -> bool:
        """Tell whether the store took a write within the last seconds."""
        with self._guard:
            now = self._clock()
            if self._tried_at is None or now - self._tried_at >= _KEPT:
                self._writable, self._tried_at = self._writes(now), now
            return self._writable

    def _writes(self, now: datetime) -> bool:
        try:
            return self._table.put({**PROBE_KEY, "at": stamp(now)})
        except AwsFailure:
            return False
