"""Pools that lose nothing when no thread is to be had.

Python's own keeps work that it could not start a thread for, and raises all the same: whoever gave
it does not know whether it will be done. Here work is either taken or it is not, and the next piece
of work tries for a thread again.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)
_TOLD_AGAIN_AFTER_S: Final = 60.0


class NoThreadError(RuntimeError):
    """No thread was to be had: the work was not taken."""


class ThreadPool(ThreadPoolExecutor):
    """Refuses work for which it has no thread and can start none.

    From one of its own threads it takes everything: that thread is free soon. Work has the context
    (`contextvars`) of whoever brought it.
    """

    def __init__(self, most: int, name: str = "") -> None:
        super().__init__(most, thread_name_prefix=name)
        self._here = threading.local()
        self._told_at = -_TOLD_AGAIN_AFTER_S

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Take work on, or raise NoThreadError and never do it."""
        ticket, context = threading.Lock(), copy_context()

        def work() -> _T:
            if not ticket.acquire(blocking=False):
                raise NoThreadError  # it was taken back, and nobody waits for this
            return context.run(fn, *args, **kwargs)

        self._here.is_refused = False
        taken = super().submit(work)
        is_refused = self._here.is_refused and not self._may_wait()
        if is_refused and ticket.acquire(blocking=False):
            raise NoThreadError("no thread could be started")
        return taken

    def _may_wait(self) -> bool:
        """Tell whether one of the pool's threads is sure to come to what waits for it."""
        return threading.current_thread() in self._threads

    def _adjust_thread_count(self) -> None:
        try:
            super()._adjust_thread_count()
        except RuntimeError:
            self._here.is_refused = True
            now = time.monotonic()
            if now > self._told_at + _TOLD_AGAIN_AFTER_S:
                self._told_at = now
                _LOG.exception("No thread could be started.", extra={"action": "thread.refused"})


def stand_by(pool: Executor, threads: int, within_s: float) -> None:
    """Have a pool begin threads, so that so many pieces of work that come at once find one each.

    Whoever begins a thread waits until it runs, which takes long on a busy machine. Those that
    could not be begun by then, or not at all, begin with the work.
    """
    until, all_there = time.monotonic() + within_s, threading.Event()
    with suppress(RuntimeError):
        for _ in range(threads):
            pool.submit(all_there.wait, within_s)
            if time.monotonic() > until:
                break
    all_there.set()


class WaitingPool(ThreadPool):
    """Lets work wait for one of its threads, the first of which begins with the pool."""

    def __init__(self, most: int, name: str = "") -> None:
        super().__init__(most, name)
        self.submit(int)

    def _may_wait(self) -> bool:
        return bool(self._threads)


class HelpedPool(ThreadPool):
    """Has whoever brings work do it when no thread is to be had: slower, and all the same."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Take work on, or do it here and now."""
        try:
            return super().submit(fn, *args, **kwargs)
        except NoThreadError:
            done: Future[_T] = Future()
            try:
                done.set_result(fn(*args, **kwargs))
            except Exception as error:  # noqa: BLE001 - the future carries it
                done.set_exception(error)
            return done
