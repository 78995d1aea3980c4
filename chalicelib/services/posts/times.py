"""When a target goes out that names no time, and which queue times are free.

Scheduling and editing ask: a target's own future time, else its platform's next golden hour; queue
times belong to the whole post (docs/api.md "States and transitions").
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.target import Target
from chalicelib.domain.times.audience import audience_of_account
from chalicelib.domain.times.golden_hour import (
    golden_hour,
)
from chalicelib.domain.times.queue_slots import upcoming
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.analytics.reads import AnalyticsReads
from chalicelib.storage.posts.queue_slots import QueueSlotRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetTimes:
    """Finds times for targets."""

    slots: QueueSlotRepository
    results: AnalyticsReads

    def learned(self, caller: Caller) -> Learned:
        """Return what the workspace's own results taught about hours."""
        return self.results.learned(caller.workspace_id)

    def own_or_golden(
        self, caller: Caller, target: Target, learned: Learned, now: datetime
    ) -> datetime:
        """Return the target's own time if it is still to come, else its next golden hour."""
        own = target.scheduled_at
        if own is not None and own > now:
            return own
        return self.golden(caller, target.platform, target.account_id, learned, now=now)

    def golden(
        self,
        caller: Caller,
        platform: Platform,
        account_id: str,
        learned: Learned,
        *,
        now: datetime,
    ) -> datetime:
        """Return the next golden hour of an account's own audience."""
        audience = audience_of_account(account_id, caller.accounts, caller.member_timezone)
        return golden_hour(platform, audience, now, learned).astimezone(UTC)

    def free(self, caller: Caller, *, now: datetime, besides: str) -> Iterator[datetime]:
        """Yield the workspace's free queue times within the next 60 days, soonest first."""
        workspace_id = caller.workspace_id
        slots, taken = in_parallel(
            lambda: self.slots.list(workspace_id),
            lambda: self.slots.soon_taken(workspace_id, now),
        )
        candidates = upcoming(slots, caller.timezone, now)
        return self.slots.all_free_from(workspace_id, candidates, besides=besides, known=taken)
