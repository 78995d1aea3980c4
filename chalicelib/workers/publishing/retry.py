"""When a transient failure is tried again, and when the service gives up (docs/api.md "Sandbox").

Waits grow to ten minutes with jitter, until an hour after the target was due; a platform's own
Retry-After is honoured up to a day.
"""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

from chalicelib.domain.outcome import Failed

WAITS = tuple(timedelta(seconds=s) for s in (5, 15, 45, 120, 300, 600))
BUDGET = timedelta(hours=1)
LONGEST_RETRY_AFTER = timedelta(hours=24)
_JITTER = 0.2


class RetryPolicy:
    """Decides the next try; `spread` yields a number in [-1, 1] for the jitter."""

    def __init__(
        self,
        spread: Callable[[], float] = lambda: random.uniform(-1, 1),  # noqa: S311  # jitter
    ) -> None:
        self._spread = spread

    def next_attempt(
        self, failed: Failed, *, tries: int, due_at: datetime, now: datetime
    ) -> datetime | None:
        """Return when to try again after `tries` earlier tries, or None to give up."""
        if not failed.is_transient:
            return None
        wait = WAITS[min(tries, len(WAITS) - 1)] * (1 + _JITTER * self._spread())
        asked = failed.retry_after or timedelta(0)
        next_try = now + max(wait, asked)
        budget = LONGEST_RETRY_AFTER if asked > wait else BUDGET
        return next_try if next_try <= due_at + budget else None
