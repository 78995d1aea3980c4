"""The time of one machine whose clock may be wrong for a minute, and then right again.

In AWS the machines' clocks are kept right. Here a virtual machine is resumed, a source of time is
wrong, or somebody types `date -s`. What is stamped meanwhile, a lease, the next look at a platform
or a message's delay, would be wrong by the step for as long as the step was wide. So those times
are this clock's: it goes on as before when the wall clock steps, and follows only once that has
stood for two minutes. What people asked for at a second goes by the wall clock itself.
"""

import time
from collections.abc import Callable
from threading import Lock

from chalicelib.kit.dataclass import dataclass

PATIENCE_S = 120.0
"""How long a step of the wall clock must stand before it is followed."""
STEP_S = 0.5
"""What the wall clock moves by beyond the time that passed is a step, and no correction."""
_READ_WITHIN_S, _READINGS = 0.05, 5


@dataclass(slots=True)
class _Step:
    """Where the wall clock stands beside the time that passed, and since when."""

    ahead_s: float
    since_s: float


class SteadyClock:
    """Seconds since 1970, by a clock that no step of the wall clock takes along at once.

    `count_steps` tells of those both ways: whoever does something at every step compares it.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        passed: Callable[[], float] = time.monotonic,
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._wall = wall
        self._passed = passed
        self._patience_s = patience_s
        self._guard = Lock()
        ahead_s, _ = self._read()
        self._believed_s = self._former_s = ahead_s
        self._step: _Step | None = None
        self._stepped_at: float | None = None
        self._steps = 0

    def __call__(self) -> float:
        """Return the time."""
        with self._guard:
            ahead_s, passed_s = self._read()
            self._look(ahead_s, passed_s)
            return self._believed_s + passed_s

    def count_steps(self) -> int:
        """Return how many steps were noticed so far; following one counts, too."""
        self()
        return self._steps

    def undisturbed_s(self) -> float:
        """Return for how long no step was noticed; without end if there never was one."""
        self()
        with self._guard:
            stepped_at = self._stepped_at
        return float("inf") if stepped_at is None else self._passed() - stepped_at

    def _read(self) -> tuple[float, float]:
        """Return how far the wall clock is ahead of the time that passed, and that time.

        A thread that was put aside between two readings would see a step: it reads again.
        """
        for _ in range(_READINGS):
            before, wall, after = self._passed(), self._wall(), self._passed()
            if after - before < _READ_WITHIN_S:
                break
        return wall - after, after

    def _look(self, ahead_s: float, passed_s: float) -> None:
        if _is_same(ahead_s, self._believed_s):
            self._believed_s = ahead_s
            if self._step is not None:
                self._step = None
                self._note(passed_s)
        elif self._step is None or not _is_same(ahead_s, self._step.ahead_s):
            self._step = _Step(ahead_s, passed_s)
            self._note(passed_s)
        if self._step is not None and self._is_believed(self._step, passed_s):
            self._former_s, self._believed_s = self._believed_s, ahead_s
            self._step = None
            self._note(passed_s)

    def _is_believed(self, step: _Step, passed_s: float) -> bool:
        """Tell whether a step has stood for long, or leads back to what was believed before."""
        has_stood = passed_s - step.since_s >= self._patience_s
        return has_stood or _is_same(step.ahead_s, self._former_s)

    def _note(self, passed_s: float) -> None:
        self._steps += 1
        self._stepped_at = passed_s


def _is_same(one_s: float, other_s: float) -> bool:
    return abs(one_s - other_s) < STEP_S


machine_clock = SteadyClock()
"""This process's: whatever stamps a time on this machine reads it."""
