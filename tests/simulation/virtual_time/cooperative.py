"""Threads and locks of a simulated process, in the shape of Python's own.

`substitution.py` puts them where the engine's modules have the real ones. Only what those modules
use is here; anything else they may come to use fails loudly.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress

from tests.simulation.virtual_time.scheduler import Scheduler, Task


class Lock:
    """A lock: who cannot have it waits in line."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._holder: Task | None = None
        self._depth = 0
        self._line: list[Task] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT001, FBT002 - as Python's
        """Take the lock."""
        while self._is_taken():
            if not blocking:
                return False
            task = self._scheduler.current
            self._line.append(task)
            if timeout < 0:
                self._scheduler.park()
            elif not self._scheduler.park_for(timeout):
                self._line.remove(task)
                return False
        self._holder = self._scheduler.current
        self._depth += 1
        return True

    def _is_taken(self) -> bool:
        return self._holder is not None and not self._holder.is_over

    def release(self) -> None:
        """Give the lock to the next in line."""
        self._depth -= 1
        if self._depth == 0:
            self._holder = None
            if self._line:
                self._scheduler.wake(self._line.pop(0))

    def locked(self) -> bool:
        """Tell whether somebody has it."""
        return self._is_taken()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class ReentrantLock(Lock):
    """A lock that its holder may take again."""

    def _is_taken(self) -> bool:
        return super()._is_taken() and self._holder is not self._scheduler.current


class Condition:
    """Waiting for something that another thread of the process brings about."""

    def __init__(self, scheduler: Scheduler, lock: Lock | None = None) -> None:
        self._scheduler = scheduler
        self._lock = lock or ReentrantLock(scheduler)
        self._waiting: list[Task] = []
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        """Let go of the lock until somebody notifies."""
        task = self._scheduler.current
        self._waiting.append(task)
        self._lock.release()
        if timeout is None:
            self._scheduler.park()
            was_told = True
        else:
            was_told = self._scheduler.park_for(timeout)
        if task in self._waiting:
            self._waiting.remove(task)
        self._lock.acquire()
        return was_told

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        """Wait until it holds."""
        ends_at = None if timeout is None else self._scheduler.now + timeout
        while not predicate():
            left = None if ends_at is None else ends_at - self._scheduler.now
            if left is not None and left <= 0:
                return False
            self.wait(left)
        return True

    def notify(self, n: int = 1) -> None:
        """Wake some that wait."""
        woken, self._waiting = self._waiting[:n], self._waiting[n:]
        for task in woken:
            self._scheduler.wake(task)

    def notify_all(self) -> None:
        """Wake all that wait."""
        self.notify(len(self._waiting))


class Event:
    """A flag that can be waited for."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._condition = Condition(scheduler)
        self._is_set = False

    def is_set(self) -> bool:
        """Tell whether it is set."""
        return self._is_set

    def set(self) -> None:
        """Set it and wake all that wait."""
        self._is_set = True
        self._condition.notify_all()

    def clear(self) -> None:
        """Take it back."""
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set."""
        with self._condition:
            return self._condition.wait_for(self.is_set, timeout)


class Thread:
    """A thread of the process that makes it."""

    def __init__(
        self,
        scheduler: Scheduler,
        target: Callable[..., object],
        args: Iterable[object] = (),
        **_: object,
    ) -> None:
        self._scheduler = scheduler
        self._work: Callable[[], object] = lambda: target(*args)
        self._done = Event(scheduler)
        self._has_begun = False
        self.daemon = True

    def start(self) -> None:
        """Begin. Raises RuntimeError where threads are short, as Python does."""
        if self._scheduler.refuses_threads:
            raise RuntimeError("can't start new thread")
        self._has_begun = True
        task = self._scheduler.spawn(self._scheduler.current.process, self._work_quietly)
        task.ended.append(self._done.set)

    def _work_quietly(self) -> None:
        with suppress(Exception):  # it ends the thread, as Python's does
            self._work()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        self._done.wait(timeout)

    def is_alive(self) -> bool:
        """Tell whether it runs."""
        return self._has_begun and not self._done.is_set()


class Timer(Thread):
    """A thread that begins later, unless it is cancelled before."""

    def __init__(
        self, scheduler: Scheduler, interval: float, function: Callable[[], object]
    ) -> None:
        self._cancelled = Event(scheduler)

        def wait_and_call() -> None:
            if not self._cancelled.wait(interval):
                function()

        super().__init__(scheduler, wait_and_call)

    def cancel(self) -> None:
        """Never begin."""
        self._cancelled.set()
