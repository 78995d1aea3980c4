"""A thread that does one thing again and again until it is told to stop.

Each run returns how long to wait until the next one, so that no two runs overlap; it handles its
own failures, as only it knows what they mean.
"""

import threading
from collections.abc import Callable


class Repeated:
    """Runs something in a thread of its own; `run` returns the seconds until the next time.

    The first time comes at the start, or `first_wait_s` after it.
    """

    def __init__(self, name: str, run: Callable[[], float], *, first_wait_s: float = 0.0) -> None:
        self._work = run
        self._first_wait_s = first_wait_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Start no further run."""
        self._stopping.set()

    def join(self, timeout_s: float) -> None:
        """Wait for a run in progress."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        wait_s = self._first_wait_s
        while not self._stopping.wait(wait_s):
            wait_s = self._work()
