"""How many calls compute at once, before each waits for its server.

A call needs the processor until it waits. Python's threads get it one after the other, in an order
that we do not choose: if a thousand threads compute, each one waits for all the others at every
step. So only some calls compute, and the next one in turn begins when one of them waits or ends.

A call that hangs does not block the rest: it no longer counts once many later calls have overtaken
it, and if no call has moved on for two seconds, none of them counts.
"""

from collections.abc import Callable

from chalicelib.kit.limits.bulkhead import SLOW_AFTER_S, Running

_OVERTAKEN_BY = 4
"""So many times as many as compute at once."""


class Starts:
    """The calls that compute, the oldest first; its user holds the lock of the bounds."""

    def __init__(self, most: int | None, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._computing: dict[Running, int] = {}
        """How many had moved on when each began."""
        self._moved_on = 0
        self._moved_at = clock()

    def may_begin(self) -> bool:
        """Tell whether one more call may compute beside those that do."""
        if self._most is None:
            return True
        if self._clock() - self._moved_at >= SLOW_AFTER_S:
            self._computing.clear()
        overtaken = self._moved_on - _OVERTAKEN_BY * self._most
        while self._computing and next(iter(self._computing.values())) <= overtaken:
            del self._computing[next(iter(self._computing))]
        return len(self._computing) < self._most

    def begin(self, one: Running) -> None:
        """Count a call that begins to compute."""
        if self._most is None:
            return
        if not self._computing:
            self._moved_at = self._clock()
        self._computing[one] = self._moved_on

    def move_on(self, one: Running) -> bool:
        """Count a call no more that waits or has ended; tell whether it was counted."""
        if self._computing.pop(one, None) is None:
            return False
        self._moved_on += 1
        self._moved_at = self._clock()
        return True
