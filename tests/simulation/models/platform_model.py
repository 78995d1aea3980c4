"""A model of the platforms behind the real sandbox connector: it takes posts and remembers truly.

What is taken is on the platform for good, whatever became of the answer. The moment at which the
worker let go of the request and the moment at which the platform took it are both kept: between
them the request is on its way, which nothing in the engine can shorten or take back.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta

from chalicelib.connectors.sandbox.connector import READ_LAG
from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.domain.outcome import CALL_DEADLINE
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.transport.failures import UnansweredError
from tests.simulation.faults import Fault
from tests.simulation.virtual_time.scheduler import Process, Task
from tests.simulation.world import World

_DEADLINE_S = CALL_DEADLINE.total_seconds()
RETRY_AFTER_S = (None, 20.0, 120.0, 600.0)
LIST_LAG_S = 600.0
"""How far behind the lists are of platforms that know no target of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One post on a platform: when its request was let go of, and when the platform took it."""

    entry: SandboxEntry
    sent_s: float
    taken_s: float
    stood_still: tuple[tuple[float, float], ...] = ()
    """From when until when the process that let go of it had stood still before."""

    def ran_s(self, since_s: float) -> float:
        """Return how long that process had been running since a moment when it let go of it."""
        stood_s = sum(max(end - max(begin, since_s), 0.0) for begin, end in self.stood_still)
        return self.sent_s - since_s - stood_s


@dataclass(slots=True)
class PlatformModel:
    """What all platforms took, behind the protocol of the sandbox's store."""

    world: World
    taken: list[Taken] = field(default_factory=list)
    outages: list[tuple[float, float]] = field(default_factory=list)
    """From when until when every call is refused, to be made again later."""
    calls: list[tuple[str, float, float]] = field(default_factory=list)
    """From when until when each call for an account was under way."""
    stuck: dict[str, tuple[float, float]] = field(default_factory=dict)
    """From when until when a platform answers nothing at all; it may take what it is sent."""
    platforms: dict[str, str] = field(default_factory=dict)
    """Which platform an account is on, by its id."""
    listed_accounts: set[str] = field(default_factory=set)
    """Which accounts are found by lists alone."""
    _hangs: dict[Task, float] = field(default_factory=dict)
    _counters: Counter[str] = field(default_factory=Counter)
    _outside: Process = field(init=False)

    def __post_init__(self) -> None:
        self._outside = Process(f"platform of {self.world.plan.seed}")

    def keep_file(self, name: str, pieces: Iterator[bytes]) -> bool:
        """Keep no bytes: nobody looks at them here."""
        del self, name, pieces
        return False

    def take(self, entry: SandboxEntry) -> None:
        """Take a post, unless the platform fails first; the answer may be lost."""
        begun_s = self.world.now
        try:
            self._take(entry, begun_s)
        finally:
            self.calls.append((entry.account_id, begun_s, self.world.now))

    def _take(self, entry: SandboxEntry, sent_s: float) -> None:
        way_s = self._hangs.pop(self.world.scheduler.current, 0.0)
        if any(begin <= sent_s < end for begin, end in self.outages):
            self.world.travel(0.05, 0.4)
            retry_s = self.world.chance.choice(RETRY_AFTER_S)
            raise RateLimitedError(None if retry_s is None else timedelta(seconds=retry_s))
        is_stuck = self.is_stuck(entry.platform)
        if is_stuck and self.world.chance.random() < 0.5:
            self.world.scheduler.sleep(_DEADLINE_S)
            raise UnansweredError
        fault = self.world.first("take", Fault.REFUSED, Fault.HUNG, Fault.LOST_ANSWER)
        fault = Fault.HUNG if is_stuck and fault is None else fault
        if fault is Fault.REFUSED:
            self.world.travel(0.05, 0.4)
            raise UnansweredError
        if fault is Fault.HUNG:
            way_s += self._hang_s(is_stuck=is_stuck)
        way_s = min(way_s + self.world.chance.uniform(0.02, 0.2), _DEADLINE_S - 0.1)
        taken = Taken(
            entry=self._shown(entry, way_s),
            sent_s=sent_s,
            taken_s=sent_s + way_s,
            stood_still=tuple(self.world.scheduler.current.process.stood_still),
        )
        # The request is on its way: whatever becomes of its sender, the platform gets it.
        self.world.scheduler.spawn(self._outside, lambda: self.taken.append(taken), after_s=way_s)
        answered_s = _DEADLINE_S if fault is Fault.HUNG else way_s + 0.1
        self.world.scheduler.sleep(answered_s)
        self.world.point("after take")
        if fault in (Fault.HUNG, Fault.LOST_ANSWER):
            raise UnansweredError

    def is_stuck(self, platform: str) -> bool:
        """Tell whether a platform answers nothing now."""
        begin, end = self.stuck.get(platform, (0.0, 0.0))
        return begin <= self.world.now < end

    def require_answers(self, platform: str) -> None:
        """Wait in vain for a platform that answers nothing now. Raises UnansweredError."""
        if self.is_stuck(platform):
            self.world.scheduler.sleep(_DEADLINE_S)
            raise UnansweredError

    def _hang_s(self, *, is_stuck: bool) -> float:
        chance = self.world.chance if is_stuck else self.world.faults.chance(Fault.HUNG)
        return chance.uniform(1.0, _DEADLINE_S - 1.0)

    def hang(self, seconds: float) -> None:
        """Let the running task's next request take that long: the connector's own wait."""
        self._hangs[self.world.scheduler.current] = seconds

    def _shown(self, entry: SandboxEntry, way_s: float) -> SandboxEntry:
        """Return it as it is shown: later than it was taken, at most by what its platform lags."""
        if not self.world.strikes(Fault.LATE_LISTING):
            return entry
        is_listed = entry.account_id in self.listed_accounts
        most_s = LIST_LAG_S if is_listed else READ_LAG.total_seconds()
        lag_s = way_s + self.world.faults.chance(Fault.LATE_LISTING).uniform(0.0, most_s)
        visible_at = max(
            entry.visible_at, self.world.scheduler.true_time() + timedelta(seconds=lag_s)
        )
        return replace(entry, visible_at=visible_at)

    def find(self, account_id: str, target_id: str) -> list[SandboxEntry]:
        """Return what was taken for a target, oldest first, removed ones too."""
        self.world.point("before find")
        self.require_answers(self.platforms.get(account_id, ""))
        self.world.travel(0.02, 0.2)
        found = [
            one.entry
            for one in self.taken
            if (one.entry.account_id, one.entry.target_id) == (account_id, target_id)
        ]
        self.world.travel(0.02, 0.2)
        self.world.point("after find")
        return found

    def listed(self, account_id: str) -> list[Taken]:
        """Return what an account's list shows now: up to one post, everything that is older."""
        now, shown = self.world.scheduler.true_time(), list[Taken]()
        mine = (one for one in self.taken if one.entry.account_id == account_id)
        for one in sorted(mine, key=lambda one: one.taken_s):
            if one.entry.visible_at > now:
                break
            shown.append(one)
        return shown

    def get(self, platform: Platform, remote_id: str) -> SandboxEntry | None:
        """Return one post, or None."""
        named = (platform, remote_id)
        entries = (one.entry for one in self.taken)
        return next((one for one in entries if (one.platform, one.remote_id) == named), None)

    def remove(self, platform: Platform, remote_id: str) -> bool:
        """Refuse: the simulation's clients delete nothing from platforms."""
        raise NotImplementedError

    def forget(self, account_ids: Collection[str]) -> None:
        """Refuse: the simulation deletes no workspace."""
        raise NotImplementedError

    def bump(self, key: str) -> int:
        """Count up a durable counter and return its new value, starting at 1."""
        self._counters[key] += 1
        return self._counters[key]
