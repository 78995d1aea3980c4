"""Follows which calls wait for which, through threads, however busy the machine is.

    waits = Waits()
    with waits.followed():
        place = waits.next()

What is submitted to a pool begins where its submitter was; who takes a result, or waits for the
pool's end, goes on behind what the pool did.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from chalicelib.kit.limits.thread_pool import ThreadPool


class Waits:
    """The length of the longest chain of calls behind what each thread does now."""

    def __init__(self) -> None:
        self._thread = threading.local()
        self._ends: dict[Future[Any], list[int]] = {}
        self._pools: dict[ThreadPool, list[Future[Any]]] = {}

    def next(self) -> int:
        """Return the place of this thread's next call in the longest chain that ends with it."""
        self._thread.length = self._length + 1
        return self._length

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow what is given to pools inside."""
        submit, result = ThreadPool.submit, Future.result
        shutdown = ThreadPool.shutdown

        def submitting(
            pool: ThreadPool, work: Callable[..., Any], /, *given: object, **named: object
        ) -> Future[Any]:
            length = [self._length]
            future = submit(pool, self._doing, length, partial(work, *given, **named))
            self._ends[future] = length
            self._pools.setdefault(pool, []).append(future)
            return future

        def taking(future: Future[Any], timeout: float | None = None) -> object:
            try:
                return result(future, timeout)
            finally:
                self._go_behind(future)

        def ending(pool: ThreadPool, wait: bool = True, **named: bool) -> None:  # noqa: FBT001, FBT002 - the library's own
            shutdown(pool, wait, **named)
            for future in self._pools.pop(pool, []):
                self._go_behind(future)

        with (
            patch.object(ThreadPool, "submit", submitting),
            patch.object(ThreadPool, "shutdown", ending),
            patch.object(Future, "result", taking),
        ):
            yield

    @property
    def _length(self) -> int:
        return getattr(self._thread, "length", 0)

    def _doing(self, length: list[int], work: Callable[[], object]) -> object:
        self._thread.length = length[0]
        try:
            return work()
        finally:
            length[0] = self._length

    def _go_behind(self, future: Future[Any]) -> None:
        self._thread.length = max(self._length, *self._ends.get(future, [0]))
