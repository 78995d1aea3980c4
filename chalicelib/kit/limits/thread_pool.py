"""Thread pools that lose no work when no thread can be started, and end threads they do not need.

Python's own pool keeps work for which it could not start a thread, and raises nevertheless: the
caller does not know whether the work will be done. Here work is either accepted or refused, and the
next piece of work tries to start a thread again. Python's own pool also keeps all its threads. Here
the thread that was used last works first, and one that was idle for a minute ends.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Work = tuple["Future[Any]", Callable[[], object]]
_LOG = logging.getLogger(__name__)
_TOLD_AGAIN_AFTER_S: Final = 60.0
RESTS_S: Final = 60.0
"""How long an idle thread waits for work before it ends."""


class NoThreadError(RuntimeError):
    """No thread was to be had: the work was not taken."""


class _Worker:
    """What one thread does next: its work, or nothing and it ends."""

    def __init__(self, work: _Work) -> None:
        self.work: _Work | None = work
        self._calls = threading.Lock()
        self._calls.acquire()

    def wake(self) -> None:
        """End its rest."""
        self._calls.release()

    def rest(self, longest_s: float) -> None:
        """Return when it is woken, or after so long."""
        self._calls.acquire(timeout=longest_s)

    def forget_call(self) -> None:
        """Rest again the next time, though it was woken as its rest ended by itself."""
        self._calls.acquire(blocking=False)


class ThreadPool(Executor):
    """Refuses work for which it has no thread and can start none.

    From one of its own threads it takes everything: that thread is free soon. Work has the context
    (`contextvars`) of whoever brought it.
    """

    def __init__(self, most: int, name: str = "", *, rests_s: float = RESTS_S) -> None:
        self._most = most
        self._name = name
        self._rests_s = rests_s
        self._guard = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._resting: list[_Worker] = []
        """The one that rested last at the end."""
        self._waiting: deque[_Work] = deque()
        """What every thread is too busy for."""
        self._is_ended = False
        self._told_at = -_TOLD_AGAIN_AFTER_S

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Take work on, or raise NoThreadError and never do it."""
        done: Future[_T] = Future()
        work = (done, partial(copy_context().run, fn, *args, **kwargs))
        with self._guard:
            if self._is_ended:
                raise RuntimeError("this pool was told to end")
            if self._resting:
                worker = self._resting.pop()
                worker.work = work
                worker.wake()
            elif len(self._threads) >= self._most or not self._has_begun(work):
                self._waiting.append(work)
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as Python's
        """Take no more work; wait for what was taken, or cancel what has not begun."""
        with self._guard:
            self._is_ended = True
            dropped = list(self._waiting) if cancel_futures else []
            if cancel_futures:
                self._waiting.clear()
            for worker in self._resting:
                worker.wake()
            self._resting.clear()
            threads = list(self._threads)
        for done, _ in dropped:
            done.cancel()
        for thread in threads if wait else ():
            thread.join()

    def _has_begun(self, work: _Work) -> bool:
        """Begin a thread for work; False where the work can wait for another, or NoThreadError."""
        thread = threading.Thread(target=self._run, args=[_Worker(work)], daemon=True)
        thread.name = f"{self._name}_{thread.name}"
        try:
            thread.start()
        except RuntimeError as refused:
            self._tell_of_refusal()
            if self._may_wait():
                return False
            raise NoThreadError("no thread could be started") from refused
        self._threads.add(thread)
        return True

    def _tell_of_refusal(self) -> None:
        now = time.monotonic()
        if now > self._told_at + _TOLD_AGAIN_AFTER_S:
            self._told_at = now
            _LOG.exception("No thread could be started.", extra={"action": "thread.refused"})

    def _may_wait(self) -> bool:
        """Tell whether one of the pool's threads is sure to come to what waits for it."""
        return threading.current_thread() in self._threads

    def _run(self, worker: _Worker) -> None:
        while worker.work is not None:
            work, worker.work = worker.work, None
            _do(*work)
            del work  # nothing of it is kept while the thread rests
            self._find_work(worker)

    def _find_work(self, worker: _Worker) -> None:
        """Give a worker its next work, or none when there is none for long."""
        with self._guard:
            if self._waiting:
                worker.work = self._waiting.popleft()
                return
            if not self._is_ended:
                self._resting.append(worker)
        worker.rest(0 if self._is_ended else self._rests_s)
        with self._guard:
            worker.forget_call()
            if worker.work is None:
                with suppress(ValueError):  # the pool's end has woken it
                    self._resting.remove(worker)
                self._threads.discard(threading.current_thread())


def _do(done: "Future[Any]", call: Callable[[], object]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001 - whoever asks for the result gets it
        done.set_exception(error)
        del done, call  # the error holds this frame, which would hold the error
    else:
        done.set_result(result)


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
