"""Places for calls to platforms: threads, of which no platform may take all.

Calls wait in turn by workspace and platform, so that one workspace's thousand do not stand before
another's one. A platform that hangs keeps its places busy, and everybody else's calls go on; once
many of its calls have been going on for long, it counts as stalled. What a call leaves to be kept
needs no place: few threads do that beside the calls that are due.
"""

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import field, replace

from chalicelib.domain.dataclass import dataclass

SLOW_AFTER_S = 2.0
PATIENCE_S = 5.0
"""How long an outcome waits for calls that are due: so much longer a crash finds a doubt."""
_SHARE = 0.75
_STALLED_SHARE = 0.125

Work = Callable[[], "Rest | None"]
"""A call to a platform; returns what is left to do after it."""
Rest = Callable[[], Work | None]
"""What keeps a call's outcome; returns the calls that follow."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call to a platform for a workspace; `done` tells the end of it and of its rest."""

    workspace_id: str
    platform: str
    work: Work
    # Looked up when it is made: the simulation has futures of its own.
    done: "Future[None]" = field(default_factory=lambda: Future())  # noqa: PLW0108


class Places:
    """The threads of this process in which visible calls are made."""

    def __init__(
        self,
        pool: Executor,
        threads: int,
        rests: Executor,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._rests = rests
        self._threads = threads
        self._most = max(1, int(threads * _SHARE))
        self._most_slow = max(1, int(threads * _STALLED_SHARE))
        self._clock = clock
        self._guard = threading.Lock()
        self._all_begun = threading.Condition(self._guard)
        self._begun: dict[str, list[float]] = defaultdict(list)
        self._waiting: dict[tuple[str, str], deque[Call]] = {}
        self._turns: deque[tuple[str, str]] = deque()
        self._taken: dict[str, int] = defaultdict(int)

    def begin(self, calls: Iterable[Call]) -> None:
        """Make calls that are due together, each when it is its turn."""
        with self._guard:
            for call in calls:
                self._wait_in_line(call)
        self._begin()

    def is_stalled(self, platform: str) -> bool:
        """Tell whether many calls to the platform have been going on for long."""
        slow_since = self._clock() - SLOW_AFTER_S
        with self._guard:
            begun = self._begun.get(platform, [])
            return sum(one <= slow_since for one in begun) >= self._most_slow

    def _wait_in_line(self, call: Call) -> None:
        turn = (call.workspace_id, call.platform)
        if turn not in self._waiting:
            self._waiting[turn] = deque()
            self._turns.append(turn)
        self._waiting[turn].append(call)

    def _begin(self) -> None:
        """Give free places to the calls whose turn it is."""
        with self._guard:
            calls = list(self._next_calls())
            if not self._turns:
                self._all_begun.notify_all()
        for call in calls:
            self._pool.submit(self._run, call)

    def _next_calls(self) -> Iterator[Call]:
        """Yield calls, one of each turn after the other, until no place or no turn is left."""
        passed = 0
        while passed < len(self._turns) and self._threads > sum(self._taken.values()):
            turn = self._turns.popleft()
            passed += 1
            if self._taken[turn[1]] < self._most:
                passed = 0
                self._taken[turn[1]] += 1
                yield self._waiting[turn].popleft()
            if self._waiting[turn]:
                self._turns.append(turn)
            else:
                del self._waiting[turn]

    def _run(self, call: Call) -> None:
        begun, rest = self._clock(), None
        with self._guard:
            self._begun[call.platform].append(begun)
        try:
            rest = call.work()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            call.done.set_exception(error)
        finally:
            with self._guard:
                self._begun[call.platform].remove(begun)
                self._taken[call.platform] -= 1
            self._begin()
        if rest is not None:
            self._rests.submit(self._finish, call, rest, self._clock() + PATIENCE_S)
        elif not call.done.done():
            call.done.set_result(None)

    def _finish(self, call: Call, rest: Rest, latest: float) -> None:
        """Let calls that are due go first, for a while, then do the rest."""
        with self._guard:
            self._all_begun.wait_for(lambda: not self._turns, max(latest - self._clock(), 0.0))
        try:
            work = rest()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            call.done.set_exception(error)
            return
        if work is None:
            call.done.set_result(None)
        else:
            self.begin([replace(call, work=work)])
