"""LoopPlaces limit the streams that are under way in an event loop: in all, and for each owner.

The doors take one for every file that comes in or goes out, and for larger bodies. Waiting for a
place costs next to nothing. While a stream waits because all places are taken, the slowest of the
very slow ones is ended: a slow connection is served as long as it keeps nobody out.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from chalicelib.kit.limits.bulkhead import Bulkhead

CRAWLING_BYTES_A_SECOND = 64 * 1024
SETTLED_S = 5.0
"""How long a stream is left alone whatever its pace."""

_LOOK_EVERY_S = 0.25


class TakenPlace:
    """One taken place; it counts the bytes of its stream, so that its pace is known."""

    def __init__(self, limit: asyncio.Timeout, now: float) -> None:
        self._limit = limit
        self._since, self._bytes = now, 0
        self._before: float | None = None
        self.is_over = False

    def count(self, size: int) -> None:
        """Note how many bytes came or went."""
        now = asyncio.get_running_loop().time()
        if now - self._since > SETTLED_S:
            self._before = self._pace(now)
            self._since, self._bytes = now, 0
        self._bytes += size

    def crawls(self, now: float) -> float | None:
        """Return its pace, in bytes a second, if it is slow and no longer new."""
        if self.is_over or (self._before is None and now - self._since < SETTLED_S):
            return None
        pace = self._pace(now) if now - self._since >= SETTLED_S else self._before or 0.0
        return pace if pace < CRAWLING_BYTES_A_SECOND else None

    def give_way(self, now: float) -> None:
        """End whatever the place was taken for, with what `LoopPlaces` raises when it is full."""
        self.is_over = True
        self._limit.reschedule(now)

    def _pace(self, now: float) -> float:
        return self._bytes / max(now - self._since, 1e-3)


class LoopPlaces:
    """Counts each owner's places in one event loop. `full` makes the error when none is free."""

    def __init__(
        self, *, in_all: int, each: int, wait_s: float, full: Callable[[], Exception]
    ) -> None:
        self._bulkhead = Bulkhead(in_all, each=each)
        self._wait_s = wait_s
        self._full = full
        self._taken: list[TakenPlace] = []
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[TakenPlace]:
        """Take a place for as long as the block runs.

        Raises `full` when none becomes free, or when the block has to give way.
        """
        await self._wait(owner)
        entry, taken = self._bulkhead.begin(owner), None
        try:
            async with asyncio.timeout(None) as limit:
                taken = TakenPlace(limit, asyncio.get_running_loop().time())
                self._taken.append(taken)
                yield taken
        except TimeoutError:
            if taken is not None and taken.is_over:
                raise self._full() from None
            raise
        finally:
            if taken is not None:
                self._taken.remove(taken)
            self._bulkhead.end(entry)
            async with self._freed:
                self._freed.notify_all()

    async def _wait(self, owner: str) -> None:
        now = asyncio.get_running_loop().time
        end = now() + self._wait_s
        while not self._bulkhead.takes(owner):
            left = end - now()
            if left <= 0:
                raise self._full()
            self._make_room(now())
            try:
                async with asyncio.timeout(min(left, _LOOK_EVERY_S)), self._freed:
                    await self._freed.wait()
            except TimeoutError:
                continue

    def _make_room(self, now: float) -> None:
        """Have the slowest give way, if all places are taken."""
        if self._bulkhead.free > 0:
            return
        paces = [(pace, one) for one in self._taken if (pace := one.crawls(now)) is not None]
        if paces:
            min(paces, key=lambda one: one[0])[1].give_way(now)
