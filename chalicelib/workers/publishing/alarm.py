"""Starts armed calls at their moment: one thread starts everything that is due at the same moment.

A thousand calls for one second would otherwise wait in a thousand threads, which all wake at that
second and delay each other. Whoever makes the calls is told of a large number some seconds ahead,
so that its threads are there in time.
"""

import heapq
import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from chalicelib.domain.clock import Clock, nap_s
from chalicelib.kit.dataclass import dataclass

_LOG = logging.getLogger(__name__)
_TOLD_AHEAD = timedelta(seconds=3)
_MANY = 16
_T = TypeVar("_T")


@dataclass(eq=False)
class Alarm(Generic[_T]):
    """Gives what was set to `ring` at its moment, never earlier; its thread ends by itself.

    `ring` gets everything that is due together, soonest first, and must return quickly. `stand_by`
    is called some seconds ahead with how many are due at one moment, if they are many; again once
    they are twice as many.
    """

    _clock: Clock
    _ring: Callable[[Sequence[_T]], None]
    _stand_by: Callable[[int], None] = lambda _: None
    _moments: Counter[datetime] = field(default_factory=Counter)
    """How many are due at each."""
    _told: tuple[datetime, int] | None = None
    _sooner: threading.Condition = field(default_factory=threading.Condition)
    _waiting: list[tuple[datetime, int, _T]] = field(default_factory=list)
    _count: int = 0
    _is_awake: bool = False

    def at(self, moment: datetime, one: _T) -> None:
        """Set one item for a moment; an item that is due already is started at once."""
        self.at_each([(moment, one)])

    def at_each(self, ones: Sequence[tuple[datetime, _T]]) -> None:
        """Set several items, each for its moment."""
        with self._sooner:
            for moment, one in ones:
                self._count += 1
                heapq.heappush(self._waiting, (moment, self._count, one))
                self._moments[moment] += 1
            begins, self._is_awake = not self._is_awake, True
            self._sooner.notify()
        if begins and not self._has_begun():
            self._stand_in()

    def _has_begun(self) -> bool:
        try:
            threading.Thread(target=self._run, name="alarm", daemon=True).start()
        except RuntimeError:
            return False
        return True

    def _stand_in(self) -> None:
        """Do the alarm's work in the caller's thread, until a thread can be started."""
        _LOG.warning("No thread could be started.", extra={"action": "alarm.stands_in"})
        while self._look():
            if self._has_begun():
                return

    def _run(self) -> None:
        while self._look():
            pass

    def _look(self) -> bool:
        """Start what is due, or wait a little; return False when nothing is left to wait for."""
        with self._sooner:
            if not self._waiting:
                self._is_awake = False
                return False
            left = self._waiting[0][0] - self._clock()
            if left > timedelta(0):
                self._tell_of_many(self._waiting[0][0], left)
                self._sooner.wait(nap_s(left))
                return True
            due = self._take_due()
        try:
            self._ring(due)
        except Exception:  # noqa: BLE001 - what is due later must be begun all the same
            _LOG.exception(
                "A call that was due could not be started.", extra={"action": "alarm.failed"}
            )
        return True

    def _tell_of_many(self, moment: datetime, left: timedelta) -> None:
        many, told = self._moments[moment], self._told
        enough = 2 * told[1] if told is not None and told[0] == moment else _MANY
        if left <= _TOLD_AHEAD and many >= enough:
            self._told = (moment, many)
            self._stand_by(many)

    def _take_due(self) -> list[_T]:
        now, taken = self._clock(), []
        while self._waiting and self._waiting[0][0] <= now:
            moment, _, one = heapq.heappop(self._waiting)
            taken.append(one)
            self._moments[moment] -= 1
            if not self._moments[moment]:
                del self._moments[moment]
        return taken
