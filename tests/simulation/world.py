"""Everything that a run's tasks share: time, faults, chance, and the points where fate may strike.

A point is a moment in a process at which it may be killed or stalled: before a call is sent and
after its answer came, of DynamoDB, SQS and the platforms.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.simulation.faults import Fault, Faults, Out, Plan
from tests.simulation.virtual_time.scheduler import Process, Scheduler

STALLS_S = (2.0, 8.0, 30.0, 70.0, 200.0)
SKEW_S = 2.0
"""How far a process's clock may be off: two of them then differ by at most 4 s."""


@dataclass(slots=True)
class World:
    """One run."""

    plan: Plan
    scheduler: Scheduler = field(init=False)
    faults: Faults = field(init=False)
    processes: list[Process] = field(default_factory=list)
    restart: Callable[[Process], None] = lambda _: None
    """What is done when a process was killed."""
    disk_is_full: bool = False
    """Whether every write is refused."""
    without: dict[Out, float] = field(default_factory=dict)
    """What the stage is without now, and until when."""

    def __post_init__(self) -> None:
        self.scheduler = Scheduler()
        self.faults = Faults(self.plan)

    @property
    def chance(self) -> random.Random:
        """Return what the running process draws from."""
        return self.scheduler.chance

    @property
    def now(self) -> float:
        """Return the true time in seconds since the beginning."""
        return self.scheduler.now

    def process(self, name: str) -> Process:
        """Return a new process with a clock that is a little off."""
        process = Process(f"{name} of {self.plan.seed}")
        process.offset_s = process.chance.uniform(-self.clocks_off_s, self.clocks_off_s)
        self.processes.append(process)
        return process

    @property
    def clocks_off_s(self) -> float:
        """Return how far clocks of processes may be off in this run."""
        return SKEW_S if Fault.JUMPED in self.plan.faults else 0.0

    def travel(self, low_s: float = 0.001, high_s: float = 0.008) -> None:
        """Let a message be on its way for a moment."""
        self.scheduler.sleep(self.chance.uniform(low_s, high_s))

    def strikes(self, kind: Fault, where: str = "") -> bool:
        """Tell whether a fault strikes at this point of a call."""
        return self.faults.strikes(kind, self.now, where)

    def first(self, where: str, *kinds: Fault) -> Fault | None:
        """Return the first of these kinds that strikes here."""
        return next((kind for kind in kinds if self.strikes(kind, where)), None)

    def point(self, where: str) -> None:
        """Let fate strike the running process here."""
        process = self.scheduler.current.process
        if self.strikes(Fault.JUMPED, where):
            process.offset_s = self.faults.chance(Fault.JUMPED).uniform(-SKEW_S, SKEW_S)
        if self.strikes(Fault.STALLED, where):
            self.scheduler.stall(process, self.faults.chance(Fault.STALLED).choice(STALLS_S))
        if self.strikes(Fault.KILLED, where):
            self.restart(process)
            self.scheduler.kill(process)
