"""How many calls may go on at once, and whose: one rule for both lanes.

A quarter of the places are an owner's at most. Of all places, and of an owner's, half are for
what has just begun and half for servers that are slow, together: so whatever hangs, in however many
places, quick calls find one within two seconds, and mostly at once; an owner's own ones too.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field

from chalicelib.kit.dataclass import dataclass

SLOW_AFTER_S = 2.0


@dataclass(slots=True, eq=False)
class Running:
    """One call that goes on: whose it is, what answers it, since when."""

    owner: str
    server: str
    begun: float


@dataclass(slots=True)
class Room:
    """What is taken at one moment."""

    places: int
    taken: int = 0
    fresh: int = 0
    owners: Counter[str] = field(default_factory=Counter)
    begun: Counter[str] = field(default_factory=Counter)
    """How many of an owner's have just begun."""
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    slow: set[str] = field(default_factory=set)

    def count(self, one: Running, *, is_slow: bool) -> None:
        """Add what goes on."""
        self.taken += 1
        self.fresh += not is_slow
        self.owners[one.owner] += 1
        self.begun[one.owner] += not is_slow
        self.pairs[one.owner, one.server] += 1
        if is_slow:
            self.slow.add(one.server)

    @property
    def is_full(self) -> bool:
        """Tell whether there is no place for anybody."""
        return self.taken >= self.places or self.fresh >= self._half

    def takes(self, owner: str, server: str) -> bool:
        """Tell whether one more call of an owner to a server may begin."""
        quarter = max(1, self.places // 4)
        slow = {pair: count for pair, count in self.pairs.items() if pair[1] in self.slow}
        theirs = sum(count for pair, count in slow.items() if pair[0] == owner)
        is_slow = server in self.slow
        is_harmless = not is_slow or sum(slow.values()) < self._half
        is_harmless_to_them = not is_slow or theirs < max(1, quarter // 2)
        has_share = self.owners[owner] < quarter
        is_steady = self.begun[owner] < max(1, quarter // 2)
        return not self.is_full and has_share and is_steady and is_harmless and is_harmless_to_them

    @property
    def _half(self) -> int:
        return max(1, self.places // 2)


class Bounds:
    """What goes on in this process, under one lock."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.guard = threading.RLock()
        self._places = places
        self._clock = clock
        self._running: set[Running] = set()

    def room(self) -> Room:
        """Return what is taken now."""
        with self.guard:
            room, slow_since = Room(self._places), self._clock() - SLOW_AFTER_S
            for one in self._running:
                room.count(one, is_slow=one.begun <= slow_since)
            return room

    def begin(self, owner: str, server: str) -> Running:
        """Count a call that begins."""
        one = Running(owner, server, self._clock())
        with self.guard:
            self._running.add(one)
        return one

    def end(self, one: Running) -> None:
        """Count it no more."""
        with self.guard:
            self._running.discard(one)

    @contextmanager
    def enter(self, owner: str, server: str) -> Iterator[bool]:
        """Count a call while the block runs, if there is a place for it; yield whether there is."""
        with self.guard:
            one = None
            if self.room().takes(owner, server):
                one = self.begin(owner, server)
        try:
            yield one is not None
        finally:
            if one is not None:
                self.end(one)
