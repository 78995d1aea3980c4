"""Goes on with what dead workers had when a local stack starts: nobody else can have it there."""

from datetime import datetime

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.progress import LEASE, TAKEOVER_GRACE
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.engine.switch import TickMark
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.tables import WAKE_SHARDS
from chalicelib.workers.dispatcher import OVERDUE_AFTER

_LONG_AGO = 2 * OVERDUE_AFTER
"""So that the first tick sends them, whatever waits in the queue since the stack died."""


@dataclass(frozen=True, slots=True)
class Takeover:
    """Ends what earlier workers held when a local stack starts; safe only while no worker runs.

    One stack runs on a data directory, so a lease that is there before any worker runs belongs to
    nobody. In AWS a lease's own end tells that its worker died. What they had armed is held by no
    lease, and its message is gone: the first tick sends it again.
    """

    targets: TargetRepository
    mark: TickMark
    clock: Clock

    def run(self) -> int:
        """Let every held target wake now; return how many there were."""
        now = self.clock()
        self.mark.forget()
        return sum(self._free(shard, now) for shard in WAKE_SHARDS)

    def _free(self, shard: str, now: datetime) -> int:
        """End the leases of a shard: none later than it would have ended by itself.

        The first process after the machine's start cannot tell whether the clock is wrong, and may
        believe to be hours ahead.
        """
        until = now + LEASE + TAKEOVER_GRACE
        held = self.targets.waking(after=None, until=until, shard=shard)
        return sum(
            self.targets.end_lease(ref, at=min(now - _LONG_AGO, ref.wake_at)) for ref in held
        )
