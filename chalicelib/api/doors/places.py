"""Places for work of which only so much may be under way: so many in all, so many for each owner.

The doors take one for every stream and every larger body. Who waits for a place costs next to
nothing; who waits in vain is told to come again.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from chalicelib.domain.errors import Busy


class Places:
    """Counts who has how many places; belongs to one event loop."""

    def __init__(self, *, in_all: int, each: int, wait_s: float) -> None:
        self._in_all = in_all
        self._each = each
        self._wait_s = wait_s
        self._taken: Counter[str] = Counter()
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[None]:
        """Take a place for as long as the block runs. Raises Busy when none becomes free."""
        try:
            async with asyncio.timeout(self._wait_s), self._freed:
                await self._freed.wait_for(lambda: self._has_place(owner))
                self._taken[owner] += 1
        except TimeoutError:
            raise Busy from None
        try:
            yield
        finally:
            self._taken[owner] -= 1
            self._taken += Counter()  # which forgets owners that have none left
            async with self._freed:
                self._freed.notify_all()

    def _has_place(self, owner: str) -> bool:
        return self._taken.total() < self._in_all and self._taken[owner] < self._each
