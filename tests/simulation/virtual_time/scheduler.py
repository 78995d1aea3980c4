"""Virtual time: tasks of several processes, of which exactly one runs, in an order from one seed.

A task is a greenlet. It runs until it sleeps, waits for something or ends; then the earliest next
event decides who goes on and what time it is. A process groups tasks: stalled, none of them goes
on before its time; killed, none of them ever does. Nothing here knows what the tasks do.
"""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from greenlet import GreenletExit, getcurrent, greenlet

BEGIN = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
"""When the virtual time of every run begins: half an hour before a month ends farthest east."""


@dataclass(slots=True, eq=False)
class Process:
    """One computer's process: its clock is off by `offset_s`, and it may stand still or be gone."""

    name: str
    offset_s: float = 0.0
    stalled_until: float = 0.0
    is_dead: bool = False
    frozen_but: "Task | None" = None
    """Which of its tasks alone goes on while the process is frozen; None while it is not."""
    thawed: list["Task"] = field(default_factory=list)
    """Whose turn came while it was frozen."""
    stood_still: list[tuple[float, float]] = field(default_factory=list)
    """From when until when it stood still."""
    things: dict[str, object] = field(default_factory=dict)
    """What the process keeps in memory, by name."""
    chance: random.Random = field(init=False)
    """What everything that happens to it draws from: nobody else's draws change it."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.name)


@dataclass(slots=True, eq=False)
class Task:
    """One thread of a process."""

    process: Process
    greenlet: greenlet
    is_waiting: bool = False
    waits_s: Callable[[], float | None] | None = None
    """Says at its time how long it goes on waiting, None where it does not."""
    turn: int = 0
    is_over: bool = False
    ended: list[Callable[[], None]] = field(default_factory=list)


class Scheduler:
    """Runs tasks in virtual time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.events = 0
        self.is_over = False
        self.refuses_threads = False
        """Whether no process can begin another thread."""
        self._queue: list[tuple[float, int, Task, int]] = []
        self._count = 0
        self._hub = getcurrent()
        self._outside = Task(Process("outside"), self._hub)
        self._current = self._outside
        self._tasks: dict[Task, None] = {}
        """All that live: dropped, a greenlet would run what cleans up."""

    @property
    def chance(self) -> random.Random:
        """Return the chance of the running process."""
        return self._current.process.chance

    @property
    def current(self) -> Task:
        """Return the task that runs."""
        return self._current

    def clock(self) -> datetime:
        """Return what the clock of the running task's process says."""
        return self.time_at(self.now + self._current.process.offset_s)

    def true_time(self) -> datetime:
        """Return the time itself, which no process knows."""
        return self.time_at(self.now)

    @staticmethod
    def time_at(seconds: float) -> datetime:
        """Return the moment that many seconds after the beginning."""
        return BEGIN + timedelta(microseconds=round(seconds * 1_000_000))

    def spawn(self, process: Process, work: Callable[[], object], *, after_s: float = 0.0) -> Task:
        """Start a task of a process; it begins when its turn comes."""
        task = Task(process, greenlet(lambda: self._live(work), parent=self._hub))
        self._tasks[task] = None
        self._later(task, after_s)
        return task

    def _live(self, work: Callable[[], object]) -> None:
        task = self._current
        try:
            work()
        finally:
            task.is_over = True
            self._tasks.pop(task, None)
            for tell in task.ended:
                tell()

    def sleep(self, seconds: float) -> None:
        """Let the running task go on after that time."""
        self._require_life()
        self._later(self._current, max(seconds, 0.0))
        self._switch()

    def park(self) -> None:
        """Stop the running task until somebody wakes it."""
        self._require_life()
        self._current.is_waiting = True
        self._switch()

    def park_for(self, seconds: float, waits_s: Callable[[], float | None] | None = None) -> bool:
        """Stop the running task until somebody wakes it, at most so long; tell whether one did.

        What `waits_s` returns then lets it wait on as if it had come back and been parked again,
        without the cost of both.
        """
        self._require_life()
        task = self._current
        task.is_waiting, task.waits_s = True, waits_s
        self._later(task, seconds)
        self._switch()
        was_woken = not task.is_waiting
        task.is_waiting, task.waits_s = False, None
        return was_woken

    def wake(self, task: Task, *, after_s: float = 0.0) -> None:
        """Let a parked task go on."""
        if task.is_waiting:
            task.is_waiting = False
            task.turn += 1
            self._later(task, after_s)

    def kill(self, process: Process) -> None:
        """End a process: nothing of it runs any more, not even what cleans up."""
        process.is_dead = True
        if self._current.process is process:
            self._switch()

    def freeze(self) -> None:
        """Let nothing of the running process go on but the task that runs."""
        self._current.process.frozen_but = self._current

    def thaw(self) -> None:
        """Let the running process go on: whose turn came meanwhile is late."""
        process = self._current.process
        process.frozen_but, late = None, process.thawed
        process.thawed = []
        for task in late:
            self._push(task, self.now)

    def stall(self, process: Process, seconds: float) -> None:
        """Let a process stand still, all its tasks at once."""
        process.stalled_until = max(process.stalled_until, self.now + seconds)
        process.stood_still.append((self.now, process.stalled_until))
        if self._current.process is process:
            self.sleep(0.0)

    def run(self, until: float) -> None:
        """Run everything that happens until then."""
        while self._queue and self._queue[0][0] <= until:
            at, _, task, turn = heapq.heappop(self._queue)
            if task.is_over or task.turn != turn:
                continue
            self.now = max(self.now, at)
            if task.process.is_dead:
                continue
            if task.process.frozen_but not in (None, task):
                task.process.thawed.append(task)
                continue
            if task.process.stalled_until > self.now:
                self._push(task, task.process.stalled_until)
            else:
                self._run_one(task)
        self.now = max(self.now, until)

    def _run_one(self, task: Task) -> None:
        self.events += 1
        if task.is_waiting and task.waits_s is not None:
            more_s = task.waits_s()
            if more_s is not None:
                self._later(task, more_s)
                return
        self._current = task
        task.greenlet.switch()
        self._current = self._outside

    def close(self) -> None:
        """End what was left: whatever its code tries on the way out is refused."""
        self.is_over = True
        for task in list(self._tasks):
            self._current = task
            task.greenlet.throw(GreenletExit)
        self._queue.clear()
        self._tasks.clear()
        self._current = self._outside

    def _later(self, task: Task, seconds: float) -> None:
        # A hair of chance decides between events of one moment.
        self._push(task, self.now + seconds + task.process.chance.random() * 1e-6)

    def _push(self, task: Task, at: float) -> None:
        self._count += 1
        heapq.heappush(self._queue, (at, self._count, task, task.turn))

    def _switch(self) -> None:
        self._hub.switch()
        self._require_life()

    def _require_life(self) -> None:
        if self.is_over:
            raise GreenletExit
        if self._current is self._outside:
            raise RuntimeError("Only a task can wait: nothing outside has a time of its own.")
