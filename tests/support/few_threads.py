"""A system that gives so many threads and refuses the next ones, as Python tells of it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class FewThreads:
    """Gives every thread but within `gives`; `start` always does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refused = 0
        self.start = threading.Thread.start
        self._left: int | None = None
        asked = self._asked

        def start(thread: threading.Thread) -> None:
            asked(thread)

        monkeypatch.setattr(threading.Thread, "start", start)

    def _asked(self, thread: threading.Thread) -> None:
        if self._left == 0:
            self.refused += 1
            raise RuntimeError("can't start new thread")
        if self._left is not None:
            self._left -= 1
        self.start(thread)

    @contextmanager
    def gives(self, threads: int) -> Iterator[None]:
        """Give no more than so many for the block."""
        self._left = threads
        try:
            yield
        finally:
            self._left = None
