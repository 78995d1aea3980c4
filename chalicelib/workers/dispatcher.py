"""The tick: sends a wake message to the queue for everything that is due to wake soon.

It has no cursor: each tick reads the same window of the wake index, three ticks wide, so a missed
or doubled tick costs nothing. A target gets one message for its second: from the first tick that
sees it, or from the write that set its time; a burst's messages come earlier (`bursts.py`). The
last tick before its second also sends a copy that arrives after it: normally that finds nothing to
do, and if the first message was lost it publishes the target. A tick knows from the mark of the one
before what was sent; without a mark, it sends everything. Near targets come first, before anything
that can be refused. A target that is due in a quarter of an hour (`CHECK_AHEAD`) gets a message for
its check.

An overdue target lost its message or its worker. It is sent again, workspaces in turn and oldest
first within each, as long as the queue is short (docs/engine.md "Tick").
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice, zip_longest

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.target import CHECK_AHEAD
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.switch import TickMark
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.storage.tables import WAKE_SHARDS
from chalicelib.workers.bursts import in_bursts

LOOK_AHEAD = timedelta(seconds=180)
EVERY = timedelta(seconds=60)
_LATE = timedelta(seconds=15)
"""Ticks come a minute apart, give or take this much."""
RESCUE_AFTER = timedelta(seconds=3)
"""How long after a target's second the copy of its message arrives."""
OVERDUE_AFTER = timedelta(seconds=30)
LOST_AFTER = timedelta(seconds=2)
MOST_OVERDUE = 10_000
"""How many overdue targets a tick sends again: what the lane handles in a minute."""
MOST_READ = 2_000
"""How many overdue targets of one shard a tick looks at to find every workspace's oldest."""
SHORT_QUEUE = 2_000
CHECK_WINDOW = timedelta(seconds=75)
"""Ticks come a minute apart, give or take some seconds; a check made twice costs a few reads."""
_CHECKED_LATE = timedelta(minutes=10)
"""How late a check may be: what is prepared ahead still has its own at its time."""
_THREADS = 8
_LOG = logging.getLogger(__name__)


class Dispatcher:
    """Moves targets from the wake index to the queue."""

    def __init__(
        self,
        targets: TargetRepository,
        queue: PublishQueue,
        clock: Clock,
        *,
        mark: TickMark,
        slower_queues: Sequence[PublishQueue] = (),
        places: int = 0,
    ) -> None:
        """Make a dispatcher; checks go to the first of the slower queues.

        `places` are the batches of `publish` that Lambda may run at once; 0 where they begin
        without delay: on one machine, or with kept pollers.
        """
        self._targets = targets
        self._queue = queue
        self._clock = clock
        self._slower_queue = slower_queues[0] if slower_queues else None
        self._places = places
        self._queues = {queue, *slower_queues}
        self._mark = mark

    def tick(self) -> int:
        """Send a wake message for everything that wakes soon or should have; return how many.

        Every tick logs how long the oldest overdue target has waited, for an alarm.
        """
        now, before = self._clock(), self._mark.read()
        if before is not None and before > now:
            before = None  # the clock was set back
        # What an older tick has sent does not cover what is known now.
        last = before if before is not None and now - before <= EVERY + _LATE else None
        shards = shards_in_turn(now)
        with HelpedPool(_THREADS, name="tick") as threads:
            sent = list(threads.map(lambda shard: self._send_near(shard, now, last), shards))
            checks = sum(threads.map(lambda shard: self._send_checks(shard, now, before), shards))
        near = sum(count for count, _ in sent)
        if all(is_whole for _, is_whole in sent):
            self._mark.write(now)
        overdue, oldest = self._send_overdue(now, is_first=last is None)
        waited_s = 0.0 if oldest is None else (now - oldest).total_seconds()
        counts = {
            "action": "tick",
            "near": near,
            "checks": checks,
            "overdue": overdue,
            "oldest_overdue_s": waited_s,
        }
        _LOG.info("Sent wake messages for the targets that wake soon.", extra=counts)
        return overdue + near

    def _send_near(self, shard: str, now: datetime, last: datetime | None) -> tuple[int, bool]:
        """Send what no tick sent before, and copies of the rest; return whether all were taken."""
        # What has just woken may have lost its message with a worker that was killed.
        near = list(
            self._targets.waking(after=now - LOST_AFTER, until=now + LOOK_AHEAD, shard=shard)
        )
        if not near:
            return 0, True
        seen_until = now - LOST_AFTER if last is None else last + LOOK_AHEAD
        first = [replace(ref, kind=MessageKind.TICK) for ref in near if ref.wake_at > seen_until]
        rescued_until = min(seen_until, now + EVERY + _LATE)
        copies = [
            replace(ref, kind=MessageKind.COPY) for ref in near if ref.wake_at <= rescued_until
        ]
        sent = sum(
            self._queue.send(some, now=now, late=None if ahead is None else -ahead)
            for ahead, some in in_bursts(first, self._places)
        )
        return sent + self._queue.send(copies, now=now, late=RESCUE_AFTER), sent == len(first)

    def _send_checks(self, shard: str, now: datetime, last: datetime | None) -> int:
        """Send a check for each target that wakes `CHECK_AHEAD` after the next minute.

        The index says when a target wakes, not when it is due: the check of one that wakes to be
        prepared sends itself again for later. What missed ticks did not send is checked late.
        """
        if self._slower_queue is None:
            return 0
        begin = now if last is None else max(now - _CHECKED_LATE, last + CHECK_WINDOW)
        found = [
            replace(ref, wake_at=ref.wake_at - CHECK_AHEAD, kind=MessageKind.TICK_CHECK)
            for ref in self._targets.waking(
                after=begin + CHECK_AHEAD, until=now + CHECK_AHEAD + CHECK_WINDOW, shard=shard
            )
        ]
        return self._slower_queue.send(found, now=now) if found else 0

    def _send_overdue(self, now: datetime, *, is_first: bool) -> tuple[int, datetime | None]:
        """Send what was lost, if the queue is short; return how many and when the oldest woke.

        For a while, a message that waits in the queue counts as not lost, unless nobody knows when
        it was sent: in the first tick after a start, or after the clock was set.
        """
        waiting = self._waiting()
        until = now - (LOST_AFTER if waiting == 0 or is_first else OVERDUE_AFTER)
        if waiting is None or waiting >= SHORT_QUEUE:
            return 0, self._targets.oldest_waking(until)
        overdue = [
            ref
            for shard in WAKE_SHARDS
            for ref in self._targets.waking(after=None, until=until, shard=shard, limit=MOST_READ)
        ]
        sent = self._queue.send(islice(_in_turn(overdue), MOST_OVERDUE), now=now)
        return sent, min((ref.wake_at for ref in overdue), default=None)

    def _waiting(self) -> int | None:
        """Return how many messages wait in all lanes, None if a queue does not answer."""
        counts = [queue.waiting() for queue in self._queues]
        return None if None in counts else sum(count or 0 for count in counts)


def shards_in_turn(now: datetime) -> tuple[str, ...]:
    """Return the shards, beginning at another one each minute: a tick that ends early skips none.

    The ones that it left out come first in one of the next minutes.
    """
    first = int(now.timestamp() // EVERY.total_seconds()) % len(WAKE_SHARDS)
    return WAKE_SHARDS[first:] + WAKE_SHARDS[:first]


def _in_turn(refs: Iterable[TargetRef]) -> Iterator[TargetRef]:
    """Yield each workspace's oldest, then each one's next, and so on."""
    by_workspace: dict[str, list[TargetRef]] = defaultdict(list)
    for ref in sorted(refs, key=lambda ref: ref.wake_at):
        by_workspace[ref.workspace_id].append(ref)
    for turn in zip_longest(*by_workspace.values()):
        yield from (ref for ref in turn if ref is not None)
