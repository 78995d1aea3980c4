"""How long ahead messages are sent: earlier for a burst, because Lambda begins batches slowly.

An event source of SQS begins with five batches and adds five more each second (Lambda guide,
"Configuring scaling behavior for SQS event source mappings"). Of ten thousand targets in one second
only half would have begun by then. So the messages of a large burst come earlier: each batch takes
a place and waits there until its targets are to be armed (`publishing/firing.py`). If few targets
share a second, all batches begin at once, and waiting is the only cost: their messages come later
than usual.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.wake_queue import ARM_AHEAD
from chalicelib.storage.tables import WAKE_SHARDS

BATCH = 100
"""Targets that one invocation of `publish` takes (`app.py`)."""
_FIRST_BATCHES = 5
_BATCHES_A_SECOND = 5
_BEGUN_WITHIN = timedelta(seconds=5)
"""A batch is gathered, its container starts, and its targets are armed."""
FEW_AHEAD = timedelta(seconds=4)
"""SQS gathers a batch for up to a second, and a cold container takes one or two to begin."""
MOST_AHEAD = timedelta(seconds=45)
"""Enough for two hundred batches, which is what a stage reserves places for."""


def ahead_of(targets: int, places: int) -> timedelta:
    """Return how long ahead the messages of so many targets of one second are to arrive.

    `places` are the batches that may run at once. A batch that waits costs money and takes a place
    from others, so no message comes earlier than its batch needs. Without `places` waiting costs
    nothing, and all come at the usual time.
    """
    if targets <= BATCH * min(places, _FIRST_BATCHES):
        return FEW_AHEAD
    batches = min(math.ceil(targets / BATCH), places)
    begun = timedelta(seconds=max(batches - _FIRST_BATCHES, 0) / _BATCHES_A_SECOND)
    return min(max(begun + _BEGUN_WITHIN, ARM_AHEAD), MOST_AHEAD)


def in_bursts(
    refs: Iterable[TargetRef], places: int
) -> Iterator[tuple[timedelta | None, list[TargetRef]]]:
    """Yield one shard's targets by how long ahead their messages are to arrive, None as always.

    Shards are alike, so each tells how many targets a second has in all.
    """
    seconds: dict[datetime, list[TargetRef]] = defaultdict(list)
    for ref in refs:
        seconds[ref.wake_at.replace(microsecond=0)].append(ref)
    ahead: dict[timedelta, list[TargetRef]] = defaultdict(list)
    for some in seconds.values():
        ahead[ahead_of(len(some) * len(WAKE_SHARDS), places)] += some
    for time, some in ahead.items():
        yield None if time == ARM_AHEAD else time, some
