"""How many calls may go on at once, and whose: the one rule for every limit of a process.

    bulkhead = Bulkhead(8, each=2)
    with bulkhead.enter(owner) as has_place: ...

With `each`, one owner has at most that many of the places. Without it, an owner's share grows while
places are free: a call may begin only if it leaves some free, and the more of them the more its
owner has already. So one owner alone takes nearly all places, and the next one, another owner or
another server, still finds a place at once. This is the rule of dynamic thresholds by which
switches share their memory among queues (Choudhury and Hahne, "Dynamic queue length thresholds for
shared-memory packet switches", IEEE/ACM Transactions on Networking 6(2), 1998).
"""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TypeVar

from chalicelib.kit.dataclass import dataclass

KeyT = TypeVar("KeyT")

SLOW_AFTER_S = 2.0
_OWN_FOR_A_FREE_PLACE = 4
"""An owner alone takes four fifths of the places."""
_SLOW_FOR_A_FREE_PLACE = 1
"""Of its calls to slow servers, half."""
_ALL_SLOW_FOR_A_FREE_PLACE = 8
_OF_A_SERVER_FOR_A_FREE_PLACE = 16


@dataclass(slots=True, eq=False)
class Running:
    """One running call: its owner, the server that answers it, and since when."""

    owner: str
    server: str
    begun: float


@dataclass(frozen=True, slots=True)
class Taken:
    """How many places are taken before one more call begins."""

    free: int
    own: int
    """Its owner's calls: those to slow servers if its own is slow, else those to the others."""
    at_server: int
    slow: int
    """All owners' calls to slow servers."""
    is_slow: bool
    """Whether its server is slow."""


def may_begin(taken: Taken, each: int | None = None) -> bool:
    """Tell whether one more call leaves enough to others, or is within its owner's `each`."""
    left = taken.free - 1
    if each is not None:
        return left >= 0 and taken.own < each
    own = _SLOW_FOR_A_FREE_PLACE if taken.is_slow else _OWN_FOR_A_FREE_PLACE
    leaves_to_owners = taken.own <= own * left
    leaves_to_servers = taken.at_server <= _OF_A_SERVER_FOR_A_FREE_PLACE * left
    leaves_to_quick_ones = not taken.is_slow or taken.slow <= _ALL_SLOW_FOR_A_FREE_PLACE * left
    return left >= 0 and leaves_to_owners and leaves_to_servers and leaves_to_quick_ones


class Bulkhead:
    """Counts the running calls of this process, under one lock; sums change with each call."""

    def __init__(
        self,
        places: int,
        clock: Callable[[], float] = time.monotonic,
        *,
        each: int | None = None,
    ) -> None:
        self.guard = threading.RLock()
        self._places = places
        self._each = each
        self._clock = clock
        self._running: set[Running] = set()
        self._young: dict[Running, None] = {}
        """The calls that are not slow yet, the oldest first."""
        self._slow_calls: Counter[str] = Counter()
        self._servers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """How many calls run for each owner, by server."""
        self._totals: Counter[str] = Counter()
        self._own: Counter[tuple[str, bool]] = Counter()
        self._slow = 0

    def takes(self, owner: str, server: str = "") -> bool:
        """Tell whether one more call of an owner to a server may begin."""
        with self.guard:
            self._grow_old()
            return self._may_begin(self._own[owner, self._is_slow(server)], server)

    def takes_any(self, server: str) -> bool:
        """Tell whether a call to a server may begin for an owner who has none."""
        with self.guard:
            self._grow_old()
            return self._may_begin(0, server)

    def takes_quick(self, owner: str) -> bool:
        """Tell whether one more call of an owner may begin, at a server without calls."""
        with self.guard:
            self._grow_old()
            taken = Taken(self.free, self._own[owner, False], 0, self._slow, is_slow=False)
            return may_begin(taken, self._each)

    def running_at(self, server: str, owner: str | None = None) -> int:
        """Return how many calls to a server run: all, or an owner's."""
        with self.guard:
            if owner is None:
                return self._totals[server]
            return self._servers[server][owner] if server in self._servers else 0

    @property
    def slow_servers(self) -> Collection[str]:
        """Return the servers with a call that has run for long."""
        with self.guard:
            self._grow_old()
            return self._slow_calls.keys()

    def is_slow(self, server: str) -> bool:
        """Tell whether a server has a call that has run for long."""
        with self.guard:
            self._grow_old()
            return self._is_slow(server)

    def begin(self, owner: str, server: str = "") -> Running:
        """Count a call that begins."""
        with self.guard:
            one = Running(owner, server, self._clock())
            self._running.add(one)
            self._young[one] = None
            self._count(one, 1)
        return one

    def end(self, one: Running) -> None:
        """Count a call that has ended."""
        with self.guard:
            if one not in self._running:
                return
            self._running.discard(one)
            self._count(one, -1)
            if one in self._young:
                del self._young[one]
            else:
                self._count_slow(one.server, -1)

    @contextmanager
    def enter(self, owner: str, server: str = "") -> Iterator[bool]:
        """Count a call while the block runs, if there is a place for it; yield whether there is."""
        with self.guard:
            one = None
            if self.takes(owner, server):
                one = self.begin(owner, server)
        try:
            yield one is not None
        finally:
            if one is not None:
                self.end(one)

    @property
    def free(self) -> int:
        """Return how many places are free."""
        return self._places - len(self._running)

    def _is_slow(self, server: str) -> bool:
        return server in self._slow_calls

    def _may_begin(self, own: int, server: str) -> bool:
        is_slow = self._is_slow(server)
        taken = Taken(self.free, own, self._totals[server], self._slow, is_slow)
        return may_begin(taken, self._each)

    def _grow_old(self) -> None:
        """Count as slow the calls that have become so."""
        slow_since = self._clock() - SLOW_AFTER_S
        while self._young:
            oldest = next(iter(self._young))
            if oldest.begun > slow_since:
                return
            del self._young[oldest]
            self._count_slow(oldest.server, 1)

    def _count(self, one: Running, more: int) -> None:
        is_slow = self._is_slow(one.server)
        _add(self._servers[one.server], one.owner, more)
        _add(self._totals, one.server, more)
        _add(self._own, (one.owner, is_slow), more)
        self._slow += more * is_slow
        if one.server not in self._totals:
            del self._servers[one.server]

    def _count_slow(self, server: str, more: int) -> None:
        """Count a server's slow calls; with the first and without the last, all its calls move."""
        before = self._is_slow(server)
        _add(self._slow_calls, server, more)
        after = self._is_slow(server)
        if before == after:
            return
        for owner, calls in self._servers.get(server, Counter()).items():
            _add(self._own, (owner, before), -calls)
            _add(self._own, (owner, after), calls)
        self._slow += self._totals[server] * (after - before)


def _add(sums: Counter[KeyT], key: KeyT, more: int) -> None:
    """Change a sum, and forget it at zero."""
    sums[key] += more
    if not sums[key]:
        del sums[key]
