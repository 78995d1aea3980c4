"""Somebody sets the clock of the one machine that everything runs on, and puts it right again.

By a second or by hours, back or ahead, for less than a minute. Whoever looks from outside keeps the
right time: a post may be late until the clock is right, and early only while it ran ahead.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from chalicelib.kit.aws_on_sqlite.kept_stand import KeptStand, Stand
from chalicelib.kit.aws_on_sqlite.steady_clock import SteadyClock
from tests.simulation.virtual_time.scheduler import BEGIN, Process, Scheduler

_LEAST_S, _MOST_S = 1.0, 12 * 3_600.0
_WRONG_S = (0.5, 60.0)
_APART_S = (20.0, 240.0)
_NOTICED_S = (0.0, 1.0)
"""How soon the machine's tick comes after a step: it looks every second."""
RECOVERS_S = 3.0


@dataclass(frozen=True, slots=True)
class Setting:
    """A clock that was off by so much for a while."""

    begin_s: float
    end_s: float
    off_s: float


class OnDisk(KeptStand):
    """What the machine's processes keep for each other; each has a small error of its own."""

    def __init__(self, machine: "MachineClock", process: Process) -> None:
        self._machine = machine
        self._process = process

    def read(self) -> Stand | None:
        """Return what was kept last."""
        kept = self._machine.kept
        return None if kept is None else _moved(kept, self._process.offset_s)

    def write(self, stand: Stand) -> None:
        """Keep it beyond this process."""
        self._machine.kept = _moved(stand, -self._process.offset_s)


def _moved(stand: Stand, by_s: float) -> Stand:
    step = stand.step and replace(stand.step, ahead_s=stand.step.ahead_s + by_s)
    believed_s, former_s = stand.believed_s + by_s, stand.former_s + by_s
    return Stand(believed_s=believed_s, former_s=former_s, step=step)


@dataclass(slots=True)
class MachineClock:
    """The clock of one machine, for every process on it."""

    scheduler: Scheduler
    off_s: float = 0.0
    settings: list[Setting] = field(default_factory=list)
    kept: Stand | None = None

    def wall_of(self, process: Process) -> Callable[[], datetime]:
        """Return what a process reads."""
        return lambda: self.scheduler.time_at(self.scheduler.now + process.offset_s + self.off_s)

    def steady_of(self, process: Process) -> Callable[[], datetime]:
        """Return what a process stamps things by."""
        begin_s = BEGIN.timestamp()
        steady = SteadyClock(
            lambda: begin_s + self.scheduler.now + process.offset_s + self.off_s,
            lambda: self.scheduler.now,
        )
        steady.keep(OnDisk(self, process))
        return lambda: self.scheduler.time_at(steady() - begin_s)

    def keep_setting(self, seed: int, notice: Callable[[float], None], end_s: float) -> None:
        """Set it again and again until then; `notice` has the machine tick so much later."""
        chance = random.Random(f"clock {seed}")
        while True:
            self.scheduler.sleep(chance.uniform(*_APART_S))
            if self.scheduler.now > end_s:
                return
            size_s = _LEAST_S * (_MOST_S / _LEAST_S) ** chance.random()
            wrong_s, begin_s = chance.uniform(*_WRONG_S), self.scheduler.now
            self.off_s = chance.choice((-1, 1)) * size_s
            self.settings.append(Setting(begin_s, begin_s + wrong_s, self.off_s))
            notice(chance.uniform(*_NOTICED_S))
            self.scheduler.sleep(wrong_s)
            self.off_s = 0.0
            notice(chance.uniform(*_NOTICED_S))

    def may_be_early(self, sent_s: float) -> float:
        """Return how much too early by the right time something may be sent then."""
        ahead = (
            max(one.off_s, 0.0)
            for one in self.settings
            if one.begin_s <= sent_s <= one.end_s + RECOVERS_S
        )
        return max(ahead, default=0.0)

    def explains_s(self, due_s: float, sent_s: float) -> float:
        """Return how late a wrong clock may make what was due then and sent at last."""
        return sum(
            max(min(one.end_s, sent_s) - max(one.begin_s, due_s), 0.0) + RECOVERS_S
            for one in self.settings
            if one.begin_s <= sent_s and due_s <= one.end_s + RECOVERS_S
        )
