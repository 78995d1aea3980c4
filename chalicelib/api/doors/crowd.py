"""Answers strangers (requests without a known key or session) after known callers, at every door.

Python's threads take turns at computing: beside eight threads for strangers, each step of a known
caller's request waited for all eight. So only one stranger's request computes at a time. It waits a
moment for callers' requests that are under way, and afterwards leaves recent callers twice the time
that it took. A request that takes long waits for a store, and lets the next one begin.

Each door has a queue of its own and they take turns, so a crowd at one door delays nobody at the
others: a monitor, a platform that fetches a file, somebody who returns after a day.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from enum import Enum
from typing import TypeVar

from chalicelib.kit.limits.thread_pool import WaitingPool

ResultT = TypeVar("ResultT")

PATIENCE_S = 0.02
"""How long a stranger's request waits for callers': these take a few milliseconds."""

_REST = 2
LONG_S = 0.05
STRANGERS_THREADS = 8
RECENT_S = 1.0


class Door(Enum):
    """Where strangers come to; each has a queue."""

    PAGES = "pages"
    """What anybody may have: pages, documents, sign-ins, links of reviews."""
    UNKNOWN = "unknown"
    """With a key or a session that let nobody in lately: made up, ended, or just not seen yet."""
    FILES = "files"
    """Files at addresses that are secrets: platforms fetch them, direct uploads bring them."""
    MONITORS = "monitors"


class Crowd:
    """The strangers' requests of one event loop.

    `pool` has threads for those that wait for a store.
    """

    def __init__(
        self, pool: Executor, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        self._pool = pool
        self._sleep = sleep
        self._queues: defaultdict[Door, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(1)
        )
        self._turn = asyncio.Semaphore(1)
        self._callers = 0
        self._no_caller = asyncio.Event()
        self._no_caller.set()
        self._caller_until: float | None = None

    @contextmanager
    def caller(self) -> Iterator[None]:
        """Have the crowd wait for what is done in the block."""
        self._callers += 1
        self._no_caller.clear()
        try:
            yield
        finally:
            self._callers -= 1
            self._caller_until = asyncio.get_running_loop().time()
            if not self._callers:
                self._no_caller.set()

    async def answer(self, work: Callable[[], ResultT], door: Door = Door.PAGES) -> ResultT:
        """Do something for one of the crowd in a thread, when it is its turn."""
        loop = asyncio.get_running_loop()
        async with self._queues[door], self._turn:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._no_caller.wait(), PATIENCE_S)
            began = loop.time()
            answering = loop.run_in_executor(self._pool, work)
            await asyncio.wait({answering}, timeout=LONG_S)
            if self._was_caller_after(began - RECENT_S):
                await self._sleep(_REST * (loop.time() - began))
        return await answering

    def _was_caller_after(self, moment: float) -> bool:
        return self._callers > 0 or (self._caller_until is not None and self._caller_until > moment)


def strangers() -> Crowd:
    """Return the crowd of a server: whatever answers strangers in its process shares one."""
    return Crowd(WaitingPool(STRANGERS_THREADS, name="stranger"))
