"""What goes wrong in a run: which kinds, how often, and how often each was struck.

Each kind draws from a chance of its own, so that leaving one kind out of a plan changes nothing
about when the others strike: that is what makes a failing plan shrink.
"""

import random
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Fault(StrEnum):
    """What can go wrong at a point of a run."""

    # DynamoDB
    THROTTLED = "DynamoDB: throttled"
    CONFLICT = "DynamoDB: transaction conflict"
    NOT_APPLIED = "DynamoDB: timed out, not applied"
    APPLIED = "DynamoDB: timed out, applied"
    LATE_WRITE = "DynamoDB: timed out, applied late beside its retry"
    INDEX_LAG = "DynamoDB: an index follows a minute late"
    # SQS
    QUEUE_DOWN = "SQS: a call fails"
    ENTRY_FAILED = "SQS: an entry of a batch fails"
    TWICE = "SQS: delivered twice"
    LATE_MESSAGE = "SQS: delivered late"
    # Processes and clocks
    KILLED = "process: killed"
    STALLED = "process: stalled"
    JUMPED = "clock: jumped"
    TICK_MISSED = "tick: missed"
    TICK_TWICE = "tick: twice"
    # Platforms
    LOST_ANSWER = "platform: took it, answer lost"
    REFUSED = "platform: 5xx, took nothing"
    HUNG = "platform: hung, took it at the end"
    LATE_LISTING = "platform: lists it late"
    # New ones come last: the dice of a seed's other kinds stay as they were.
    LEFT_UNDONE = "DynamoDB: a batch is read in part"
    ITEM_THROTTLED = "DynamoDB: one item of a transaction throttled"
    TOKEN_ENDED = "platform: ended a token before its time"
    REFRESH_LOST = "platform: refreshed, answer lost"
    KEYS_DOWN = "KMS: a call fails"


PER_CALL = {
    Fault.THROTTLED: 0.006,
    Fault.CONFLICT: 0.006,
    Fault.NOT_APPLIED: 0.003,
    Fault.APPLIED: 0.005,
    Fault.LATE_WRITE: 0.004,
    Fault.INDEX_LAG: 0.02,
    Fault.QUEUE_DOWN: 0.03,
    Fault.ENTRY_FAILED: 0.05,
    Fault.TWICE: 0.1,
    Fault.LATE_MESSAGE: 0.05,
    Fault.KILLED: 0.002,
    Fault.STALLED: 0.006,
    Fault.JUMPED: 0.004,
    Fault.TICK_MISSED: 0.1,
    Fault.TICK_TWICE: 0.1,
    Fault.LOST_ANSWER: 0.1,
    Fault.REFUSED: 0.1,
    Fault.HUNG: 0.05,
    Fault.LATE_LISTING: 0.3,
    Fault.LEFT_UNDONE: 0.1,
    Fault.ITEM_THROTTLED: 0.01,
    Fault.TOKEN_ENDED: 0.03,
    Fault.REFRESH_LOST: 0.1,
    Fault.KEYS_DOWN: 0.01,
}
"""How likely each is at each of its points."""


_PAUSED, _SIGNED, _TWINS = 0.25, 0.5, 0.4
_OUTAGES, _DISCONNECTED, _REVOKED = 0.3, 0.25, 0.3
_ON_LAMBDA, _APPROVALS = 0.5, 0.25
_RESTORES = (0, 0, 0, 1, 2)
_SETS_CLOCK, _ON_FREE = 0.5, 0.3
_GOES_WITHOUT = 0.1
_FILLS_DISK, _REFUSES_THREADS, _REBUILDS = 0.4, 0.4, 0.3
_ENDS_MONTH, _STUCK, _GOES_BACK = 0.3, (0, 0, 0, 1, 2), 0.2
_ON_ONE_MACHINE, _HANGS, _ON_TRIAL, _KEY_ENDS, _FAIR = 0.3, 0.3, 0.25, 0.25, 0.5


class Out(StrEnum):
    """What a stage may be without for some minutes, as whole regions were."""

    TABLES = "no call of DynamoDB is answered"
    SLOW = "each call of DynamoDB takes up to three seconds"
    HOT = "a quarter of DynamoDB's keys takes no write"
    UNREAD = "a quarter of DynamoDB's keys cannot be read"
    QUEUES = "SQS takes no call and delivers nothing"
    KEYS = "KMS takes no call"
    FUNCTIONS = "no function begins"
    RULES = "no tick comes; the last two come all at once then"


@dataclass(frozen=True, slots=True)
class Strike:
    """One thing that went wrong: at the first such point of that kind of call from then on."""

    kind: Fault
    at_s: float
    where: str
    place: int = 0
    """How many such points of that very instant it leaves alone: a batch has one for each entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One run: everything in it follows from these values."""

    seed: int
    targets: int = 20
    hours: float = 1.0
    workspaces: int = 1
    is_paused: bool = False
    """Whether an operator stops the engine for some minutes."""
    has_outage: bool = False
    """Whether every platform refuses all calls for some minutes, and people delete meanwhile."""
    restores: int = 0
    """How often a backup of some minutes before is all that is left."""
    goes_back: bool = False
    """Whether the disk goes back to a snapshot of up to 40 minutes before, and nobody says so."""
    disconnects: bool = False
    """Whether an account is disconnected around a popular second."""
    is_revoked: bool = False
    """Whether a person takes the permission of a signed in account back."""
    containers: int = 3
    """How many work off a queue when nothing is to do; more come while all are at work."""
    approvals: bool = False
    """Whether a contributor writes the posts, and others approve or reject them."""
    on_lambda: bool = False
    """Whether containers stand still between their batches, and are ended at their time-outs."""
    on_one_machine: bool = False
    """Whether all queues and rules are worked off by one process, in many threads."""
    hangs: bool = False
    """Whether the last of several workspaces has nothing but posts to two platforms that hang."""
    on_trial: bool = False
    """Whether the first workspace is on trial: so many posts, and fewer on X."""
    sets_clock: bool = False
    """Whether the clock of the one machine is set wrong now and then, and put right."""
    fills_disk: bool = False
    """Whether the disk of the one machine is full now and then, for up to two minutes."""
    refuses_threads: bool = False
    """Whether the one machine begins no further thread now and then, for up to two minutes."""
    rebuilds: bool = False
    """Whether new versions of the one machine make its wake index anew, and are cut off at it."""
    goes_without: tuple[Out, ...] = ()
    """What the stage is without now and then, for up to a quarter of an hour."""
    on_free: bool = False
    """Whether an author on the Free plan plans posts too, of which nothing may be sent."""
    stuck: int = 0
    """How many platforms answer nothing for some minutes, all at once."""
    ends_month: bool = False
    """Whether the first workspace has little left of two months, and lives where one ends."""
    key_ends: bool = False
    """Whether a second key, which some calls are made with, is revoked at a popular second."""
    is_fair: bool = False
    """Whether queues prefer messages of groups that hold up few readers, as SQS does."""
    signed: bool = False
    """Whether two platforms' accounts are signed in to, and found by their lists alone."""
    twins: bool = False
    """Whether some posts have a twin: another post of the same text for the same accounts."""
    guards_chains: bool = False
    """Whether Lambda ends chains of sixteen messages of ours too, which the template forbids it."""
    copies_s: tuple[float, float] = (0.5, 8.0)
    """How long it takes at least, and at most, to make a copy of a file."""
    faults: frozenset[Fault] = frozenset(Fault)
    only: frozenset[int] | None = None
    """Which of the plan's posts are made, by their number; None means all."""
    strikes: tuple["Strike", ...] | None = None
    """Exactly what goes wrong; None means by chance."""

    @property
    def is_undisturbed(self) -> bool:
        """Whether nothing fails, is stopped or is lost in it; the machine may lack something."""
        stops = self.is_paused or self.has_outage or self.stuck or self.restores or self.goes_back
        return not (self.faults or stops or self.goes_without)

    @property
    def lacks(self) -> bool:
        """Whether its one machine lacks disk, threads, its index or the right time."""
        lacks = self.fills_disk or self.refuses_threads or self.rebuilds or self.sets_clock
        return self.on_one_machine and lacks


def popular_seconds(plan: Plan, mark: str = "") -> list[float]:
    """Return for which seconds many posts of a workspace are made, by its mark.

    `run` draws the same numbers before it draws anything else.
    """
    chance = random.Random(f"posts {plan.seed}{mark}")
    return [chance.uniform(0.1, 0.9) * plan.hours * 3_600 for _ in range(3)]


def a_plan(seed: int, *, targets: int = 20, hours: float = 1.0) -> Plan:
    """Return the plan of a seed: some kinds of faults together, sometimes all, sometimes none."""
    chance = random.Random(f"plan {seed}")
    share = chance.choice((0.0, 0.25, 0.5, 0.75, 1.0, 1.0, 1.0))
    kinds = frozenset(kind for kind in Fault if chance.random() < share)
    workspaces, is_paused = chance.choice((1, 2, 3)), chance.random() < _PAUSED
    shape = random.Random(f"shape {seed}")
    plan = Plan(
        seed=seed,
        targets=targets,
        hours=hours,
        workspaces=workspaces,
        is_paused=is_paused,
        faults=kinds,
        containers=shape.choice((1, 3, 5)),
        signed=shape.random() < _SIGNED,
        twins=shape.random() < _TWINS,
        has_outage=shape.random() < _OUTAGES,
        disconnects=shape.random() < _DISCONNECTED,
    )
    restores = 0 if is_paused else shape.choice(_RESTORES)
    is_revoked = plan.signed and shape.random() < _REVOKED
    on_lambda = random.Random(f"lambda {seed}").random() < _ON_LAMBDA
    approvals = random.Random(f"approvals {seed}").random() < _APPROVALS
    world = random.Random(f"world {seed}")
    plan = replace(
        plan,
        restores=restores,
        is_revoked=is_revoked,
        on_lambda=on_lambda,
        approvals=approvals,
        on_one_machine=world.random() < _ON_ONE_MACHINE and not on_lambda,
        hangs=world.random() < _HANGS and workspaces > 1,
        on_trial=world.random() < _ON_TRIAL,
        key_ends=world.random() < _KEY_ENDS,
        is_fair=world.random() < _FAIR,
        on_free=random.Random(f"free {seed}").random() < _ON_FREE,
        sets_clock=random.Random(f"sets clock {seed}").random() < _SETS_CLOCK,
    )
    ends_month = random.Random(f"month {seed}").random() < _ENDS_MONTH
    stuck = random.Random(f"stuck {seed}").choice(_STUCK)
    surroundings = random.Random(f"surroundings {seed}")
    goes_back = random.Random(f"goes back {seed}").random() < _GOES_BACK
    region = random.Random(f"region {seed}")
    goes_without = tuple(one for one in Out if region.random() < _GOES_WITHOUT)
    return replace(
        plan,
        goes_back=goes_back and not (is_paused or restores),
        ends_month=ends_month and not plan.on_trial,
        stuck=stuck,
        goes_without=() if plan.on_one_machine else goes_without,
        fills_disk=surroundings.random() < _FILLS_DISK,
        refuses_threads=surroundings.random() < _REFUSES_THREADS,
        rebuilds=surroundings.random() < _REBUILDS,
    )


@dataclass(slots=True)
class Faults:
    """Decides at each point whether something goes wrong there."""

    plan: Plan
    is_armed: bool = False
    struck: list[Strike] = field(default_factory=list)
    _dice: dict[Fault, random.Random] = field(default_factory=dict)
    _left: dict[tuple[Fault, str], list[Strike]] = field(default_factory=dict)
    _details: dict[Fault, random.Random] = field(default_factory=dict)
    _instants: dict[tuple[Fault, str], tuple[float, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for strike in sorted(self.plan.strikes or (), key=lambda strike: strike.at_s):
            self._left.setdefault((strike.kind, strike.where), []).append(strike)

    def strikes(self, kind: Fault, now: float, where: str) -> bool:
        """Tell whether this kind strikes here, and note it."""
        if not self.is_armed or kind not in self.plan.faults:
            return False
        place = self._place(kind, now, where)
        if self.plan.strikes is not None:
            return self._as_planned(Strike(kind, now, where, place))
        if kind not in self._dice:
            self._dice[kind] = random.Random(f"{kind} {self.plan.seed}")
        if self._dice[kind].random() >= PER_CALL[kind]:
            return False
        self._note(Strike(kind, now, where, place))
        return True

    def _place(self, kind: Fault, now: float, where: str) -> int:
        """Return how many points of this kind of call there were at this very instant."""
        last, count = self._instants.get((kind, where), (-1.0, -1))
        place = count + 1 if last == now else 0
        self._instants[kind, where] = (now, place)
        return place

    def _as_planned(self, here: Strike) -> bool:
        left = self._left.get((here.kind, here.where))
        if not left or left[0].at_s > here.at_s:
            return False
        if left[0].at_s == here.at_s and here.place < left[0].place:
            return False
        self._note(left.pop(0))
        return True

    def _note(self, strike: Strike) -> None:
        self.struck.append(strike)
        key = f"{strike.kind} {self.plan.seed} {strike.at_s:.6f}"
        self._details[strike.kind] = random.Random(key)

    def chance(self, kind: Fault) -> random.Random:
        """Return what the last strike of a kind draws its details from: how long, how late."""
        return self._details[kind]
