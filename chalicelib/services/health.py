"""Whether the service can do its work: it must be able to write to its store.

`GET /v1/health` asks for that; `GET /v1/ready` also asks whether ticks come. Both are looked up at
most once in a few seconds, however often they are requested.
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
"""A tick comes each minute; one that is late does not make the service unready."""


class _Look:
    """A check whose result is used again for a few seconds."""

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

    It tries a write into the main table: with a full disk, reads still work.
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
        """Tell whether a tick came within the last minutes: ticks send everything that is due."""
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
