"""What follows where a target is claimed again and again without progress? Pure; the worker asks.

A claim that is lost without a word does not say why. The target may have ended its worker, by the
memory that it takes; or the machine was ended again and again, and the target is as good as any
other. The first must not end workers for ever, and the second goes out once the machine stays up:

| claims without progress | what follows |
|---|---|
| up to 10 | work on it at once |
| the 11th to 16th | work on it not before 0, 1, 3, 7, 15 and 30 minutes after it was due |
| each one after that | not before another hour: 1, 2, 3 hours after it was due |
| more than 10, a day after it was due | it fails: nothing is sent later than that |
| 10 or more, the last ended by an error that is the target's own | it fails: its worker lives |

What is claimed too early rests and costs no worker. Its time is scattered, so that targets that
were lost together with one that ends workers are not claimed together with it again.
"""

from datetime import timedelta
from typing import Final

from chalicelib.domain.engine.admission import TOO_LATE
from chalicelib.domain.engine.decision import Again, Facts, Over
from chalicelib.domain.engine.failures import KEEPS_STOPPING, WORN_OUT, WORN_OUT_IN_DOUBT
from chalicelib.domain.engine.what_follows import before_the_next_try
from chalicelib.domain.posts.progress import MOST_WAKES
from chalicelib.domain.posts.target import Target

_FIRST: Final = tuple(timedelta(minutes=m) for m in (0, 1, 3, 7, 15, 30))
_EVERY: Final = timedelta(hours=1)
_SCATTERED: Final = 0.25


def is_claimed_too_often(target: Target) -> bool:
    """Tell whether what follows for a target that was just claimed is to be asked."""
    return target.progress.wakes > MOST_WAKES


def after_claims(target: Target, facts: Facts) -> Again | Over | None:
    """Return what follows for a target that is claimed too often, or None to work on it."""
    wakes, due_at = target.progress.wakes, target.due_at or facts.now
    until, after = due_at + TOO_LATE, _after(wakes)
    if facts.now >= until:
        return give_up(target)
    if facts.now >= due_at + after:
        return None
    scattered = (after - _after(wakes - 1)) * _SCATTERED * (1 + facts.spread) / 2
    at = min(due_at + after + scattered, until)
    return Again(
        target=target,
        failed=KEEPS_STOPPING,
        waiting=target.retry_at(at, now=facts.now, wakes=wakes - 1),
        follows=before_the_next_try(at, until, now=facts.now),
        until=until,
    )


def give_up(target: Target) -> Over:
    """Return the end of a target that ends its workers; it may be out if it is in doubt."""
    return Over(target=target, failed=WORN_OUT_IN_DOUBT if target.is_in_doubt else WORN_OUT)


def _after(wakes: int) -> timedelta:
    """Return how long after it was due a target may be claimed so often."""
    more = wakes - MOST_WAKES - 1
    return _FIRST[max(more, 0)] if more < len(_FIRST) else (more - len(_FIRST) + 1) * _EVERY
