"""Places for calls to platforms: threads, of which no platform may take all.

A platform that hangs keeps its places busy; what else is due for it waits behind, and everybody
else's calls go on. Once many of its calls have been going on for long, it counts as stalled.
"""

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Executor, Future

SLOW_AFTER_S = 2.0
_SHARE = 0.75
_STALLED_SHARE = 0.125

Work = Callable[[], None]


class Places:
    """The threads of this process in which visible calls are made."""

    def __init__(
        self, pool: Executor, threads: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pool = pool
        self._most = max(1, int(threads * _SHARE))
        self._most_slow = max(1, int(threads * _STALLED_SHARE))
        self._clock = clock
        self._guard = threading.Lock()
        self._begun: dict[str, list[float]] = defaultdict(list)
        self._waiting: dict[str, deque[tuple[Work, Future[None]]]] = defaultdict(deque)
        self._taken: dict[str, int] = defaultdict(int)

    def submit(self, platform: str, work: Work) -> Future[None]:
        """Make a call when the platform has a place; return what tells its end."""
        done: Future[None] = Future()
        with self._guard:
            if self._taken[platform] >= self._most:
                self._waiting[platform].append((work, done))
                return done
            self._taken[platform] += 1
        self._pool.submit(self._run, platform, work, done)
        return done

    def is_stalled(self, platform: str) -> bool:
        """Tell whether many calls to the platform have been going on for long."""
        slow_since = self._clock() - SLOW_AFTER_S
        with self._guard:
            begun = self._begun.get(platform, [])
            return sum(one <= slow_since for one in begun) >= self._most_slow

    def _run(self, platform: str, work: Work, done: Future[None]) -> None:
        begun = self._clock()
        with self._guard:
            self._begun[platform].append(begun)
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            done.set_exception(error)
        else:
            done.set_result(None)
        finally:
            self._go_on(platform, begun)

    def _go_on(self, platform: str, begun: float) -> None:
        """Give the place to the platform's next call, or back."""
        with self._guard:
            self._begun[platform].remove(begun)
            if not self._waiting[platform]:
                self._taken[platform] -= 1
                return
            work, done = self._waiting[platform].popleft()
        self._pool.submit(self._run, platform, work, done)
