"""Lets many requests share one sync of the disk: each answer waits until its changes are on it.

A sync takes milliseconds, whatever it writes. While one is under way the changes of further
requests gather, and the next sync takes them all. Reads wait too for what they may have seen.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from chalicelib.local.emulator.state_file import Changes, StateFile


class GroupCommit:
    """Writes changes in the order in which they were made; used from the event loop only."""

    def __init__(self, state: StateFile, loop: asyncio.AbstractEventLoop) -> None:
        self._state = state
        self._loop = loop
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="commit")
        self._gathered = Changes()
        self._next: asyncio.Future[None] | None = None
        self._running: asyncio.Future[None] | None = None

    async def written(self, changes: Changes) -> None:
        """Return once these changes, and all that were made before them, are on the disk."""
        self.add(changes)
        waited = self._next or self._running
        if waited is not None:
            await asyncio.shield(waited)

    def add(self, changes: Changes) -> None:
        """Take changes for the next sync without waiting for it."""
        if not changes:
            return
        self._gathered.take(changes)
        if self._next is None:
            self._next = self._loop.create_future()
        if self._running is None:
            self._begin()

    def write_now(self) -> None:
        """Write what is gathered and wait for it: at the end of the process."""
        self._thread.shutdown(wait=True)
        self._state.write(self._gathered)
        self._gathered = Changes()

    def _begin(self) -> None:
        gathered, self._gathered = self._gathered, Changes()
        self._running, self._next = self._next, None
        write = self._loop.run_in_executor(self._thread, self._state.write, gathered)
        write.add_done_callback(lambda _: self._end())

    def _end(self) -> None:
        """Tell those who wait; a failed write has ended the process already."""
        if self._running is not None:
            self._running.set_result(None)
        self._running = None
        if self._gathered:
            self._begin()
