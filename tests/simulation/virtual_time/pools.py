"""Thread pools of a simulated process and what their calls come to, in the shape of Python's."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from chalicelib.kit.limits.thread_pool import NoThreadError
from tests.simulation.virtual_time.cooperative import Event
from tests.simulation.virtual_time.scheduler import Scheduler, Task


class Future:
    """What a pool's call came to."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._done = Event(scheduler)
        self._result: Any = None
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Future], object]] = []

    def finish(self, result: object, error: BaseException | None) -> None:
        """Note the end and tell all that wait."""
        self._result, self._error = result, error
        self._done.set()
        for callback in self._callbacks:
            callback(self)

    def set_result(self, result: object) -> None:
        """End with a result."""
        self.finish(result, None)

    def set_exception(self, error: BaseException) -> None:
        """End with an error."""
        self.finish(None, error)

    def done(self) -> bool:
        """Tell whether the call is over."""
        return self._done.is_set()

    def cancel(self) -> bool:
        """Leave it as it is: every call has begun already."""
        return False

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Wait for the end; return what was raised. Raises TimeoutError."""
        if not self._done.wait(timeout):
            raise TimeoutError
        return self._error

    def result(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - as Python's
        """Wait for the end; return or raise what it came to."""
        error = self.exception(timeout)
        if error is not None:
            raise error
        return self._result

    def add_done_callback(self, callback: Callable[["Future"], object]) -> None:
        """Call back at the end."""
        if self.done():
            callback(self)
        else:
            self._callbacks.append(callback)


class Pool:
    """A pool of so many threads, each begun when it is first needed and never ended.

    Where no thread begins, it takes only what one of its own is free for, or brings itself.
    """

    def __init__(
        self, scheduler: Scheduler, max_workers: int | None = None, *_: object, **__: object
    ) -> None:
        self._scheduler = scheduler
        self._most = max_workers or 8
        self._begun = self._busy = 0
        self._own: list[Task] = []
        """Those that are busy."""
        self._waiting: list[Callable[[], None]] = []

    def submit(self, call: Callable[..., object], *args: object, **named: object) -> Future:
        """Make a call in a thread of the pool as soon as one is free. Raises NoThreadError."""
        if not self._has_thread():
            return self._refuse(call, *args, **named)
        future = Future(self._scheduler)

        def work() -> None:
            self._own.append(self._scheduler.current)
            try:
                result = call(*args, **named)
            except Exception as error:  # noqa: BLE001 - the future carries it
                self._next()
                future.finish(None, error)
            else:
                self._next()
                future.finish(result, None)

        self._waiting.append(work)
        self._begin()
        return future

    def _has_thread(self) -> bool:
        """Tell whether what is brought now will be done: `kit/limits/thread_pool.py` says when."""
        is_whole = self._begun >= self._most
        can_begin = not self._scheduler.refuses_threads
        return is_whole or can_begin or self._busy < self._begun or self._may_wait()

    def _may_wait(self) -> bool:
        return self._scheduler.current in self._own

    def _refuse(self, call: Callable[..., object], *args: object, **named: object) -> Future:
        del call, args, named
        raise NoThreadError("no thread could be started")

    def _next(self) -> None:
        self._busy -= 1
        self._own.remove(self._scheduler.current)
        self._begin()

    def _begin(self) -> None:
        while self._waiting and self._busy < self._may_be_busy():
            self._busy += 1
            self._begun = max(self._begun, self._busy)
            self._scheduler.spawn(self._scheduler.current.process, self._waiting.pop(0))

    def _may_be_busy(self) -> int:
        return self._begun if self._scheduler.refuses_threads else self._most

    def map(self, call: Callable[..., object], *several: Iterable[object]) -> Iterator[Any]:
        """Make a call for each; yield the results in order."""
        futures = [self.submit(call, *each) for each in zip(*several, strict=False)]
        return (future.result() for future in futures)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as Python's
        """Take no further call."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()


class PoolOfHelpers(Pool):
    """One whose work is done by who brings it where there is no thread, as `HelpedPool`."""

    def _refuse(self, call: Callable[..., object], *args: object, **named: object) -> Future:
        future = Future(self._scheduler)
        try:
            future.finish(call(*args, **named), None)
        except Exception as error:  # noqa: BLE001 - the future carries it
            future.finish(None, error)
        return future
