"""A clock that stays right while the machine's own is wrong for a minute.

In AWS the machines' clocks are kept right. Here a virtual machine is resumed, a source of time is
wrong, or somebody types `date -s`. Times set meanwhile (a lease, the next poll of a platform, a
message's delay) would be wrong by the whole step. So those times are this clock's: when the wall
clock steps it continues as before, and follows only once the step has lasted two minutes. Times
that people asked for go by the wall clock itself. A process that starts while the wall clock is
wrong continues from the state that the previous one kept. clock_gettime(2) has a clock that jumps
and clocks that know no date; this is made of both.
"""

import time
from collections.abc import Callable
from threading import Lock

from chalicelib.kit.aws_on_sqlite.kept_stand import KeptStand, Stand, Step, time_passed

PATIENCE_S = 120.0
"""How long a step of the wall clock must last before it is followed."""
STEP_S = 0.5
"""A move of the wall clock by more than this, beyond the time that passed, is a step."""
_READ_WITHIN_S, _READINGS = 0.05, 5
_KEPT_AGAIN_S = 0.1
"""After how much of small corrections the state is kept again."""


class SteadyClock:
    """Seconds since 1970, by a clock that does not follow a step of the wall clock at once.

    `count_steps` counts steps in both directions: code that acts at every step compares it.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        passed: Callable[[], float] = time_passed,
    ) -> None:
        self._wall = wall
        self._passed = passed
        self._guard = Lock()
        ahead_s, _ = self._read()
        self._believed_s = self._former_s = ahead_s
        self._step: Step | None = None
        self._stepped_at: float | None = None
        self._steps = 0
        self._kept: KeptStand | None = None
        self._kept_s = ahead_s

    def keep(self, kept: KeptStand) -> None:
        """Continue from the state of earlier processes, and keep it for later ones."""
        with self._guard:
            self._kept = kept
            stand = kept.read()
            if stand is not None:
                self._stand_at(stand)
            self._look(*self._read())
            self._write()

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
        """Return for how long no step was noticed; infinity if there never was one."""
        self()
        with self._guard:
            stepped_at = self._stepped_at
        return float("inf") if stepped_at is None else self._passed() - stepped_at

    def _read(self) -> tuple[float, float]:
        """Return by how much the wall clock is ahead of the time that passed, and that time.

        A thread that was suspended between two readings would see a step: it reads again.
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
            elif abs(ahead_s - self._kept_s) > _KEPT_AGAIN_S:
                self._write()
        elif self._step is None or not _is_same(ahead_s, self._step.ahead_s):
            self._notice(ahead_s, passed_s)
        if self._step is not None and self._is_believed(self._step, passed_s):
            self._former_s, self._believed_s = self._believed_s, ahead_s
            self._step = None
            self._note(passed_s)

    def _notice(self, ahead_s: float, passed_s: float) -> None:
        """Begin to wait, from when another process noticed it; follow a step that it follows."""
        self._step = Step(ahead_s=ahead_s, since_s=passed_s)
        others = None if self._kept is None else self._kept.read()
        if others is not None and _is_same(others.believed_s, ahead_s):
            self._stand_at(others)
        elif others is not None and others.step and _is_same(others.step.ahead_s, ahead_s):
            self._step = others.step
        self._note(passed_s)

    def _stand_at(self, stand: Stand) -> None:
        self._believed_s, self._former_s = stand.believed_s, stand.former_s
        self._step = stand.step

    def _is_believed(self, step: Step, passed_s: float) -> bool:
        """Tell whether a step has lasted for long, or leads back to the previous offset."""
        has_stood = passed_s - step.since_s >= PATIENCE_S
        return has_stood or _is_same(step.ahead_s, self._former_s)

    def _note(self, passed_s: float) -> None:
        self._steps += 1
        self._stepped_at = passed_s
        self._write()

    def _write(self) -> None:
        self._kept_s = self._believed_s
        if self._kept is not None:
            stand = Stand(believed_s=self._believed_s, former_s=self._former_s, step=self._step)
            self._kept.write(stand)


def _is_same(one_s: float, other_s: float) -> bool:
    return abs(one_s - other_s) < STEP_S


machine_clock = SteadyClock()
"""This process's clock: every stored time on this machine is read from it."""
