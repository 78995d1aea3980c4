"""The tick: everything whose time to wake is near becomes a wake message on the queue.

No cursor and no state: each tick reads the same window of the wake index, so a missed or doubled
tick costs nothing. What is overdue was lost on the way or lost its worker, and is sent again,
oldest first, as long as the queue is short; beside an empty queue nothing can be on its way, so
that after a restart everything goes out at once (docs/architecture.md "Tick").
"""

import heapq
import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import chain, islice

from chalicelib.domain.clock import Clock
from chalicelib.storage.dynamodb.tables import WAKE_SHARDS
from chalicelib.storage.engine.targets import TargetRef, TargetRepository
from chalicelib.storage.engine.wake_queue import PublishQueue

LOOK_AHEAD = timedelta(seconds=90)
OVERDUE_AFTER = timedelta(seconds=30)
LOST_AFTER = timedelta(seconds=2)
MOST_OVERDUE = 1_000
SHORT_QUEUE = 2_000
_THREADS = 8
_LOG = logging.getLogger(__name__)


class Dispatcher:
    """Moves targets from the wake index to the queue."""

    def __init__(self, targets: TargetRepository, queue: PublishQueue, clock: Clock) -> None:
        self._targets = targets
        self._queue = queue
        self._clock = clock

    def tick(self) -> int:
        """Send a wake message for everything that wakes soon or should have; return how many.

        Every tick says how long the oldest overdue target has waited: an alarm looks at that.
        """
        now = self._clock()
        overdue, oldest = self._send_overdue(now)
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="tick") as threads:
            near = sum(threads.map(lambda shard: self._send_near(shard, now), WAKE_SHARDS))
        waited_s = 0.0 if oldest is None else (now - oldest).total_seconds()
        counts = {"action": "tick", "near": near, "overdue": overdue, "oldest_overdue_s": waited_s}
        _LOG.info("Sent hints for the targets that wake soon.", extra=counts)
        return overdue + near

    def _send_near(self, shard: str, now: datetime) -> int:
        near = self._targets.waking(after=now, until=now + LOOK_AHEAD, shard=shard)
        return self._queue.send(near, now=now)

    def _send_overdue(self, now: datetime) -> tuple[int, datetime | None]:
        """Send what was lost, if the queue is short; return how many and when the oldest woke."""
        waiting, _, _ = self._queue.depth()
        until = now - (OVERDUE_AFTER if waiting else LOST_AFTER)
        if waiting >= SHORT_QUEUE:
            return 0, self._targets.oldest_waking(until)
        shards = (
            self._targets.waking(after=None, until=until, shard=shard, limit=MOST_OVERDUE)
            for shard in WAKE_SHARDS
        )
        oldest_first = heapq.merge(*shards, key=_wake_at)
        first = next(oldest_first, None)
        if first is None:
            return 0, None
        overdue = islice(chain([first], oldest_first), MOST_OVERDUE)
        return self._queue.send(overdue, now=now), first.wake_at


def _wake_at(ref: TargetRef) -> datetime:
    return ref.wake_at
