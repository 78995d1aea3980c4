"""Whether the service can do its work: what it is told to keep, it must be able to write.

`GET /v1/health` asks, `GET /v1/ready` also whether anything wakes what is due. Either is looked up
at most every few seconds, however often one asks.
"""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.dynamodb.items import stamp
from chalicelib.kit.dynamodb.table import Table
from chalicelib.storage.tables import PROBE_KEY

_KEPT = timedelta(seconds=5)
_TICKS_WITHIN = timedelta(minutes=3)
"""One comes each minute; a late one is no reason to call the service unready."""


class _Look:
    """What was looked up last, for as long as it is believed."""

    def __init__(self, look: Callable[[datetime], bool]) -> None:
        self._look = look
        self._at: datetime | None = None
        self._found = False

    def at(self, now: datetime) -> bool:
        if self._at is None or now - self._at >= _KEPT:
            self._found, self._at = self._look(now), now
        return self._found


class Health:
    """Knows whether the store can be written; safe to share between threads.

    A write into the table without which nothing can be done tells: a full disk still answers reads.
    """

    def __init__(
        self, table: Table, clock: Clock, last_tick: Callable[[], datetime | None]
    ) -> None:
        self._table = table
        self._clock = clock
        self._last_tick = last_tick
        self._guard = threading.Lock()
        self._writable = _Look(self._writes)
        self._publishing = _Look(self._ticks)

    def is_writable(self) -> bool:
        """Tell whether the store took a write within the last seconds."""
        with self._guard:
            return self._writable.at(self._clock())

    def is_publishing(self) -> bool:
        """Tell whether a tick came within the last minutes: it has everything due be sent."""
        with self._guard:
            return self._publishing.at(self._clock())

    def _writes(self, now: datetime) -> bool:
        try:
            return self._table.put({**PROBE_KEY, "at": stamp(now)})
        except AwsFailure:
            return False

    def _ticks(self, now: datetime) -> bool:
        last = self._last_tick()
        return last is not None and now - last <= _TICKS_WITHIN
