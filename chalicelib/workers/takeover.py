"""Ends dead workers' leases when a local stack starts: no other worker can hold them there."""

from datetime import datetime
from functools import partial

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.progress import LEASE, TAKEOVER_GRACE
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import TickMark
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.tables import WAKE_SHARDS
from chalicelib.workers.dispatcher import OVERDUE_AFTER

_LONG_AGO = 2 * OVERDUE_AFTER
"""So that the first tick sends them, whatever messages are still in the queue."""
_AT_ONCE = 2
"""How often a target is taken from a dead worker at once: the target may have killed it.

After that, its lease ends by itself. A stack whose process dies five times within a minute stops.
"""
_THREADS = 16


@dataclass(frozen=True, slots=True)
class Takeover:
    """Ends earlier workers' leases when a local stack starts; safe only while no worker runs.

    Only one stack runs on a data directory, so a lease that exists before any worker runs belongs
    to a dead one. In AWS the end of a lease shows that its worker died. Targets that were armed
    have no lease, and their messages are gone: the first tick sends them again.
    """

    targets: TargetRepository
    mark: TickMark
    clock: Clock

    def run(self) -> int:
        """Let every held target wake now that was not lost often; return how many there were.

        The first tick waits for this, and what is due in that moment for the tick: targets that
        nobody held are only read, and leases are ended side by side, which share syncs of the disk.
        """
        now = self.clock()
        self.mark.forget()
        with HelpedPool(_THREADS, name="takeover") as threads:
            held = [
                ref
                for some in threads.map(partial(self._find_held, now), WAKE_SHARDS)
                for ref in some
            ]
            return sum(threads.map(partial(self._free, now), held))

    def _find_held(self, now: datetime, shard: str) -> list[TargetRef]:
        near = self.targets.waking(after=None, until=now + LEASE + TAKEOVER_GRACE, shard=shard)
        return self.targets.find_held(list(near), wakes=_AT_ONCE)

    def _free(self, now: datetime, ref: TargetRef) -> bool:
        """End a lease, no later than it would have ended by itself.

        The first process after the machine's start cannot tell whether the clock is wrong, and may
        believe to be hours ahead.
        """
        return self.targets.end_lease(ref, at=min(now - _LONG_AGO, ref.wake_at))
