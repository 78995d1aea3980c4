"""A simulated nine o'clock: so many targets due in one second, played by AWS's rules.

`play` goes through events in order of time: ticks send messages, the event source hands batches to
containers as fast as it may, each container arms its targets, and from the second on claims, calls
and keeps outcomes on one processor, while all containers share tables, key and account. What each
target asks for is counted on the real code (`counting`). Pure, and the same for the same seed.
"""

import heapq
import math
import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from benchmarks.capacity import limits
from benchmarks.capacity.preparation import Lane
from benchmarks.capacity.throughput import Throughput
from chalicelib.bootstrap.engine import CALLS
from chalicelib.kit.limits.bulkhead import Bulkhead, Running

BATCH = 100
"""Targets of one invocation of `publish` (`app.py`)."""
_SERVERS = 8
"""Platforms among which targets are spread."""
EVERY_S, LOOK_AHEAD_S, TICK_WALL_S, RESCUE_S = 60.0, 180.0, 55.0, 3.0
"""The tick's times (`workers/dispatcher.py`) and its function's time limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """What one target asks for: processor seconds, calls of the key, write units by place."""

    send_cpu_s: float
    arm_cpu_s: float
    claim_cpu_s: float
    outcome_cpu_s: float
    rescue_cpu_s: float
    decrypts: float
    claim: Mapping[str, float]
    outcome: Mapping[str, float]
    key_of_a_workspace: float
    """Write units of a claim and an outcome each to the busiest key of one workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What the account and the stage's parameters allow."""

    places: int
    prepare_places: int
    retry_places: int = 0
    """None where retries share the places of preparation."""
    ahead_s: float = 10.0
    pollers: int = 0
    writes: float = limits.NEW_TABLE_WRITES
    decrypts: float = limits.KMS_A_SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What is due at nine."""

    targets: int
    of_one_workspace: bool = False
    upload_s: float | None = None
    call_s: float = limits.CALL_S
    """How long a platform takes to answer: half as long to half as long again."""
    refused: int = 0
    """Targets that a platform has been refusing since before, and that are tried again."""


@dataclass(slots=True)
class Outcome:
    """How late each call began, in order, and what Lambda is paid for."""

    late_s: list[float] = field(default_factory=list)
    invocations: int = 0
    busy_s: float = 0.0
    prepare_s: float = 0.0
    tried_again: int = 0
    longest_chain: int = 1
    """Functions that woke each other, from a tick on."""
    stopped: int = 0
    """Messages that Lambda's guard on chains would have stopped, were it not allowed."""

    def percentile(self, share: float) -> float:
        """Return how late the call is of which so many are no later."""
        return self.late_s[max(math.ceil(share * len(self.late_s)) - 1, 0)]


@dataclass(slots=True)
class Container:
    """One execution, with one processor."""

    began: float
    left: int
    bulkhead: Bulkhead
    free_at: float = 0.0
    waiting: deque[int] = field(default_factory=deque)
    kept_back: int = 0

    def works(self, now: float, cpu_s: float) -> float:
        """Return when the processor has done this, after all that it was given before."""
        self.free_at = max(self.free_at, now) + cpu_s
        return self.free_at


class Play:
    """One morning. Times are seconds from the second at which all is due."""

    def __init__(self, day: Day, stage: Stage, asks: Asks, seed: int) -> None:
        self.day, self.stage, self.asks = day, stage, asks
        self.outcome = Outcome()
        self._chance = random.Random(seed)  # noqa: S311 - a simulation
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._count = 0
        self._key = Throughput(stage.decrypts)
        self._starts = Throughput(limits.NEW_CONTAINERS / 10, limits.NEW_CONTAINERS)
        self._tables = {p: Throughput(stage.writes) for p in {*asks.claim, *asks.outcome}}
        self._workspace = Throughput(limits.PARTITION_WRITES)
        self._now = -math.inf
        self._visible: deque[int] = deque()
        self._claimed: set[int] = set()
        self._slots, self._free, self._gathering = 0, 0, 0
        self._is_growing = False
        self._idle = 1

    def run(self) -> Outcome:
        """Let everything happen."""
        self._send()
        while self._events:
            self._now, _, happen = heapq.heappop(self._events)
            happen(self._now)
        self.outcome.late_s.sort()
        return self.outcome

    def _at(self, when: float, happen: Callable[[float], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (when, self._count, happen))

    # Messages: the tick's, and the prepare lane's part where there are files.

    def _send(self) -> None:
        """Let each target's message arrive, its copy, and what waited for its file."""
        ready = self._ready()
        arrivals: dict[float, list[int]] = {}
        first = -LOOK_AHEAD_S + self._chance.uniform(0, EVERY_S)
        a_tick = int(TICK_WALL_S / self.asks.send_cpu_s)
        for target, ready_at in enumerate(ready):
            ticks, place = divmod(target, a_tick)
            sent = first + ticks * EVERY_S + place * self.asks.send_cpu_s
            arrives = round(max(sent, -self.stage.ahead_s), 1)
            if ready_at > arrives:
                self._claimed.add(target)
                self._at(max(ready_at, 0.0), self._prepared_late)
            else:
                arrivals.setdefault(arrives, []).append(target)
            if sent < 0:
                arrivals.setdefault(RESCUE_S, []).append(target)
        for when, targets in arrivals.items():
            self._chance.shuffle(targets)  # SQS keeps no order
            self._at(when, partial(self._arrive, targets))

    def _ready(self) -> Sequence[float]:
        """Return when each target's file is uploaded."""
        if self.day.upload_s is None:
            return [-math.inf] * self.day.targets
        lane = Lane(self.stage.prepare_places, self.stage.retry_places, self._chance)
        lane.refuse(self.day.refused, self.day.call_s)
        ready = lane.prepare(self.day.targets, self.day.upload_s)
        self.outcome.prepare_s += lane.busy_s
        self.outcome.longest_chain, self.outcome.stopped = lane.longest_chain, lane.stopped
        return ready

    def _prepared_late(self, now: float) -> None:
        """Go on in the prepare lane, which holds what was not ready in time."""
        self.outcome.late_s.append(self._written(now, self.asks.claim))
        self._written(now, self.asks.outcome)

    def _arrive(self, targets: list[int], now: float) -> None:
        self._visible.extend(targets)
        if not self._slots:
            pollers = self.stage.pollers * limits.BATCHES_OF_A_POLLER or limits.FIRST_BATCHES
            self._slots = self._free = min(pollers, self.stage.places)
        self._gather(now)

    def _gather(self, now: float) -> None:
        """Let free slots gather batches; take on another slot while more is left than they do."""
        while self._free and len(self._visible) > self._gathering * BATCH:
            self._free -= 1
            self._gathering += 1
            gathers_s = limits.BATCH_COLLECTED_S
            if self.stage.pollers:
                # Each poller's ten share its hundred messages a second.
                gathers_s = limits.BATCHES_OF_A_POLLER * BATCH / limits.MESSAGES_OF_A_POLLER
            self._at(now + self._chance.uniform(0, gathers_s), self._begin)
        grows = not self.stage.pollers and self._slots < min(self.stage.places, limits.MOST_BATCHES)
        if grows and self._visible and not self._free and not self._is_growing:
            self._is_growing = True
            self._at(now + 1 / limits.BATCHES_A_SECOND, self._grow)

    def _grow(self, now: float) -> None:
        self._is_growing = False
        self._slots += 1
        self._free += 1
        self._gather(now)

    # A container.

    def _begin(self, now: float) -> None:
        """Start an execution with what its slot gathered."""
        self._gathering -= 1
        batch = [self._visible.popleft() for _ in range(min(BATCH, len(self._visible)))]
        if not batch:
            self._free += 1
            return
        if self._idle:
            self._idle -= 1
            starts = now + (limits.FROZEN_S if not self.outcome.invocations else 0.0)
        else:
            starts = self._starts.take(now, 1) + limits.COLD_S * self._chance.uniform(0.7, 1.3)
        self.outcome.invocations += 1
        bulkhead = Bulkhead(CALLS, lambda: self._now)
        ready = starts + 3 * limits.TABLE_S
        container = Container(began=now, left=len(batch), bulkhead=bulkhead, free_at=ready)
        for target in batch:
            if target in self._claimed:
                done = container.works(now, self.asks.rescue_cpu_s)
                self._at(done, partial(self._ended, container))
                continue
            armed = container.works(now, self.asks.arm_cpu_s)
            armed = max(armed, self._key.take(armed, self.asks.decrypts)) + limits.TABLE_S
            self._at(max(armed, 0.0), partial(self._due, container, target))

    def _due(self, container: Container, target: int, now: float) -> None:
        container.waiting.append(target)
        self._call_next(now, container)

    def _call_next(self, now: float, container: Container) -> None:
        """Make calls while there are places, and then keep outcomes that were kept back."""
        while container.waiting and container.bulkhead.takes(*self._whose(container.waiting[0])):
            self._claim(now, container, container.waiting.popleft())
        while container.kept_back and not container.waiting:
            container.kept_back -= 1
            self._keep(now, container)

    def _claim(self, now: float, container: Container, target: int) -> None:
        asks = container.works(now, self.asks.claim_cpu_s)
        if target in self._claimed:
            self._at(asks + limits.TABLE_S, partial(self._ended, container))
            return
        claimed = self._written(asks, self.asks.claim)
        if claimed - asks > limits.GIVES_UP_S:
            self.outcome.tried_again += 1
            tick = (math.floor(asks / EVERY_S) + 1) * EVERY_S + self._chance.uniform(0, 5)
            self._at(tick, partial(self._arrive, [target]))
            self._at(asks + limits.GIVES_UP_S, partial(self._ended, container))
            return
        self._claimed.add(target)
        running = container.bulkhead.begin(*self._whose(target))
        self.outcome.late_s.append(claimed)
        answers = claimed + self.day.call_s * self._chance.uniform(0.5, 1.5)
        self._at(answers, partial(self._answered, container, running))

    def _whose(self, target: int) -> tuple[str, str]:
        """Return a target's workspace and the server of its platform."""
        owner = "one" if self.day.of_one_workspace else f"workspace {target}"
        return owner, f"server {target % _SERVERS}"

    def _answered(self, container: Container, running: Running, now: float) -> None:
        container.bulkhead.end(running)
        container.kept_back += 1
        self._call_next(now, container)

    def _keep(self, now: float, container: Container) -> None:
        kept = self._written(container.works(now, self.asks.outcome_cpu_s), self.asks.outcome)
        self._at(kept, partial(self._ended, container))

    def _ended(self, container: Container, now: float) -> None:
        container.left -= 1
        if not container.left:
            self.outcome.busy_s += now - container.began
            self._idle += 1
            self._free += 1
            self._gather(now)

    def _written(self, now: float, units: Mapping[str, float]) -> float:
        """Return when a write is done: all its places serve it, and the waits between its tries."""
        served = [self._tables[place].take(now, count) for place, count in units.items()]
        if self.day.of_one_workspace:
            served.append(self._workspace.take(now, self.asks.key_of_a_workspace))
        done = max(served)
        throttled = self._chance.uniform(0, 0.64) if done - now > 1 / 2 else 0.0
        return done + throttled + limits.TABLE_S


def play(day: Day, stage: Stage, asks: Asks, *, seed: int = 9) -> Outcome:
    """Return how late so many targets are on a stage, and what Lambda is paid for."""
    return Play(day, stage, asks, seed).run()
