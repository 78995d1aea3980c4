"""The plain values of a decision: the facts it needs, the move that comes next, the verdict.

`verdicts.py` returns them, the publish worker makes the moves and keeps the verdicts.
"""

from datetime import datetime, timedelta
from typing import TypeAlias

from chalicelib.domain.outcome import Checkpoint, Done, Failed, Sent
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a verdict depends on besides the target and the outcome. Times are UTC.

    `now` is the moment of the decision, `answered_at` that of the platform's answer (None: now).
    `by_wall` is the moment by the machine's clock, by which targets become due (None: now); it
    differs on one machine whose clock was just set. `irreversible` and `step_timeout` are the
    connector's. `spread` is a number in [-1, 1] that spreads retries. `is_deleted` tells that the
    post was deleted meanwhile, and `outage` how long nobody worked on the target before this claim
    (`find_outage`); both are read only where a call is in doubt.
    """

    now: datetime
    by_wall: datetime | None = None
    irreversible: frozenset[str] = frozenset()
    step_timeout: timedelta = timedelta(0)
    answered_at: datetime | None = None
    spread: float = 0.0
    is_deleted: bool = False
    outage: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Start:
    """Prepare: nothing becomes visible."""


@dataclass(frozen=True, slots=True)
class Step:
    """Make the step of this checkpoint, which makes nothing visible."""

    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class VisibleStep:
    """Save the doubt, then make the step of this checkpoint, which makes the post visible."""

    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Reconcile:
    """Ask the platform, read-only, what became of a call whose answer is missing."""

    checkpoint: Checkpoint
    sent: Sent


Move: TypeAlias = Start | Step | VisibleStep | Reconcile


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """The post is live since `at`. `found` tells that a reconciliation found it."""

    target: Target
    done: Done
    at: datetime
    found: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """The target failed for good; `follows` is what its person reads after the reason.

    `found` is the result of the reconciliation, if one ended it.
    """

    target: Target
    failed: Failed
    found: str | None = None
    follows: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """The try of `target` failed; `waiting` is the target while it waits for the next try.

    `follows` is what its person reads after the reason; no try is made after `until`.
    """

    target: Target
    failed: Failed
    waiting: Target
    follows: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Rest:
    """Release the target until it wakes."""

    target: Target


@dataclass(frozen=True, slots=True)
class Remind:
    """Nothing is sent: the target's author is reminded to post it by hand."""

    target: Target


@dataclass(frozen=True, slots=True)
class GoOn:
    """Make the next move at once; without `is_kept` nothing is saved first: redoing is cheap."""

    target: Target
    is_kept: bool


Verdict: TypeAlias = Live | Over | Again | Rest | Remind | GoOn
