"""Everything that a run's tasks share: time, faults, chance, and the points where fate may strike.

A point is a moment in a process at which it may be killed or stalled: before a call is sent and
after its answer came, of DynamoDB, SQS and the platforms.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.simulation.faults import Fault, Faults, Plan
from tests.simulation.scheduler import Process, Scheduler

STALLS_S = (2.0, 8.0, 30.0, 70.0, 200.0)
SKEW_S = 2.0
"""How far a process's clock may be off: two of them then differ by at most 4 s."""


@dataclass(slots=True)
class World:
    """One run."""

    plan: Plan
    scheduler: Scheduler = field(init=False)
    faults: Faults = field(init=False)
    chance: random.Random = field(init=False)
    processes: list[Process] = field(default_factory=list)
    restart: Callable[[Process], None] = lambda _: None
    """What is done when a process was killed."""

    def __post_init__(self) -> None:
        self.scheduler = Scheduler(self.plan.seed)
        self.faults = Faults(self.plan)
        self.chance = random.Random(f"world {self.plan.seed}")

    @property
    def now(self) -> float:
        """Return the true time in seconds since the beginning."""
        return self.scheduler.now

    def process(self, name: str) -> Process:
        """Return a new process with a clock that is a little off."""
        offset = self.chance.uniform(-SKEW_S, SKEW_S) if self._has_skew() else 0.0
        process = Process(name, offset_s=offset)
        self.processes.append(process)
        return process

    def _has_skew(self) -> bool:
        return Fault.JUMPED in self.plan.faults

    def travel(self, low_s: float = 0.001, high_s: float = 0.008) -> None:
        """Let a message be on its way for a moment."""
        self.scheduler.sleep(self.chance.uniform(low_s, high_s))

    def point(self) -> None:
        """Let fate strike the running process here."""
        process = self.scheduler.current.process
        if self.faults.strikes(Fault.JUMPED):
            jump = self.faults.chance(Fault.JUMPED).uniform(-SKEW_S, SKEW_S)
            process.offset_s = jump
        if self.faults.strikes(Fault.STALLED):
            self.scheduler.stall(process, self.faults.chance(Fault.STALLED).choice(STALLS_S))
        if self.faults.strikes(Fault.KILLED):
            self.restart(process)
            self.scheduler.kill(process)
