"""Begins what is due at its moment: everything of one moment together, in one thread.

A thousand calls that are armed for one second would otherwise wait in as many threads, which all
wake at that second and keep each other from going on.
"""

import heapq
import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from chalicelib.domain.clock import Clock, nap_s

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")


class Alarm(Generic[_T]):
    """Hands what was left with it to `ring` at its moment, never before; its thread ends by itself.

    `ring` gets all that is due at once, soonest first, and must not take long.
    """

    def __init__(self, clock: Clock, ring: Callable[[Sequence[_T]], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._sooner = threading.Condition()
        self._waiting: list[tuple[datetime, int, _T]] = []
        self._count = 0
        self._is_awake = False

    def at(self, moment: datetime, one: _T) -> None:
        """Leave something to be begun at a moment; what is due already is begun at once."""
        with self._sooner:
            self._count += 1
            entry = (moment, self._count, one)
            heapq.heappush(self._waiting, entry)
            if not self._is_awake:
                # What cannot start raises here: it costs this one, and the next tries again.
                self._wake_up(entry)
            elif self._waiting[0] is entry:
                self._sooner.notify()

    def _wake_up(self, entry: tuple[datetime, int, _T]) -> None:
        try:
            threading.Thread(target=self._run, name="alarm", daemon=True).start()
        except RuntimeError:
            self._waiting.remove(entry)
            heapq.heapify(self._waiting)
            raise
        self._is_awake = True

    def _run(self) -> None:
        while due := self._next_due():
            try:
                self._ring(due)
            except Exception:  # noqa: BLE001 - what is due later must be begun all the same
                _LOG.exception(
                    "A call that was due could not be started.", extra={"action": "alarm.failed"}
                )

    def _next_due(self) -> list[_T]:
        """Wait for the next moment; nothing when there is none left, and this thread is to end."""
        with self._sooner:
            while self._waiting:
                left = self._waiting[0][0] - self._clock()
                if left <= timedelta(0):
                    return self._take_due()
                self._sooner.wait(nap_s(left))
            self._is_awake = False
            return []

    def _take_due(self) -> list[_T]:
        now, taken = self._clock(), []
        while self._waiting and self._waiting[0][0] <= now:
            taken.append(heapq.heappop(self._waiting)[2])
        return taken
