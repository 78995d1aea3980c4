"""One slow account must not hold every thread: who is being worked on right now, and how long.

The publish worker enters a lane per account; once several runs of one account have taken long,
the account's other targets wait a little instead of taking threads from everybody else.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SLOW_AFTER_S = 2.0
MOST_SLOW_RUNS = 3


class SlowAccounts:
    """The runs of this process, by account. Time is monotonic: only lengths matter."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._begun: dict[str, list[float]] = defaultdict(list)

    def is_clogged(self, account_id: str) -> bool:
        """Tell whether several runs of the account have been going on for long."""
        slow_since = self._clock() - SLOW_AFTER_S
        with self._guard:
            begun = self._begun.get(account_id, [])
            return sum(one <= slow_since for one in begun) >= MOST_SLOW_RUNS

    @contextmanager
    def enter(self, account_id: str) -> Iterator[None]:
        """Count a run of the account while the block runs."""
        begun = self._clock()
        with self._guard:
            self._begun[account_id].append(begun)
        try:
            yield
        finally:
            with self._guard:
                self._begun[account_id].remove(begun)
                if not self._begun[account_id]:
                    del self._begun[account_id]
