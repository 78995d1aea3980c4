"""What follows if a target is claimed again and again without progress? Pure; the worker asks.

If a worker dies, its claim does not say why. The target may have killed it, by the memory that it
needs; or the machine was stopped again and again, and the target is like any other. The first must
not kill workers for ever, and the second must go out once the machine stays up:

| claims without progress | what follows |
|---|---|
| up to 10 | work on it at once |
| the 11th to 16th | work on it not before 0, 1, 3, 7, 15 and 30 minutes after it was due |
| each one after that | not before another hour: 1, 2, 3 hours after it was due |
| more than 10, a day after it was due | it fails: nothing is sent later than that |
| 10 or more, the last ended by an error that is the target's own | it fails: its worker lives |

A target that is claimed too early is postponed, and costs no worker. Its new time is spread, so
that targets that were lost together with one that kills workers are not claimed with it again.
Claims that end before anybody can ask this page, as where tables cannot be read, come faster than
it lets them. Only as many of them count as it would have let, and the target is claimed again at
once.
"""

from datetime import timedelta
from typing import Final

from chalicelib.domain.engine.decision import Again, Facts, Over
from chalicelib.domain.engine.failures import KEEPS_STOPPING, WORN_OUT, WORN_OUT_IN_DOUBT
from chalicelib.domain.engine.verdicts import TOO_LATE
from chalicelib.domain.engine.what_follows import before_the_next_try
from chalicelib.domain.posts.progress import MOST_WAKES
from chalicelib.domain.posts.target import Target

_FIRST: Final = tuple(timedelta(minutes=m) for m in (0, 1, 3, 7, 15, 30))
_EVERY: Final = timedelta(hours=1)
_SCATTERED: Final = 0.25


def is_claimed_too_often(target: Target) -> bool:
    """Tell whether a target that was just claimed has had so many claims that this page decides."""
    return target.progress.wakes > MOST_WAKES


def after_claims(target: Target, facts: Facts) -> Again | Over | None:
    """Return what follows for a target with too many claims, or None to work on it."""
    claims, due_at = target.progress.wakes, target.due_at or facts.now
    wakes = _count(claims, facts.now - due_at)
    until, after = due_at + TOO_LATE, _after(wakes)
    if facts.now >= until:
        return give_up(target)
    if wakes == claims and facts.now >= due_at + after:
        return None
    scattered = (after - _after(wakes - 1)) * _SCATTERED * (1 + facts.spread) / 2
    at = min(max(due_at + after + scattered, facts.now), until)
    return Again(
        target=target,
        failed=KEEPS_STOPPING,
        waiting=target.retry_at(at, now=facts.now, wakes=wakes - 1),
        follows=before_the_next_try(at, until, now=facts.now),
        until=until,
    )


def give_up(target: Target) -> Over:
    """Return the end of a target that kills its workers; if it is in doubt, it may be live."""
    return Over(target=target, failed=WORN_OUT_IN_DOUBT if target.is_in_doubt else WORN_OUT)


def _count(claims: int, late: timedelta) -> int:
    """Return how many claims count: one whose time is to come, and those whose time has passed."""
    first = MOST_WAKES + 1
    passed = max((n for n in range(first, claims) if _after(n) <= late), default=first)
    return claims if claims <= passed + 1 else passed


def _after(wakes: int) -> timedelta:
    """Return how long after it was due a target may be claimed so often."""
    more = wakes - MOST_WAKES - 1
    return _FIRST[max(more, 0)] if more < len(_FIRST) else (more - len(_FIRST) + 1) * _EVERY
