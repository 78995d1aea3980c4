"""Answers whoever has no key and no session, after those who have one.

Threads that compute get the interpreter in turn: beside eight that answer a crowd, each step of a
caller's request waited for all eight. So one of the crowd computes at a time, waits a moment for
requests of callers that are under way, and leaves callers who were there a moment ago as much time
as it took. One that takes long waits for a store, and lets the next begin.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress

from chalicelib.kit.asgi.messages import Response

PATIENCE_S = 0.02
"""How long each waits for callers: a request takes a few milliseconds."""

LONG_S = 0.05
RECENT_S = 1.0


class Crowd:
    """Whoever asks for what anybody may have; belongs to one event loop.

    `pool` has threads for those that wait for a store.
    """

    def __init__(
        self, pool: Executor, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        self._pool = pool
        self._sleep = sleep
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

    async def answer(self, work: Callable[[], Response]) -> Response:
        """Answer one of the crowd in a thread, when it is its turn."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._no_caller.wait(), PATIENCE_S)
            began = loop.time()
            answering = loop.run_in_executor(self._pool, work)
            await asyncio.wait({answering}, timeout=LONG_S)
            if self._was_caller_after(began - RECENT_S):
                await self._sleep(loop.time() - began)
        return await answering

    def _was_caller_after(self, moment: float) -> bool:
        return self._callers > 0 or (self._caller_until is not None and self._caller_until > moment)
