"""When posts go out: golden hours, weekly queue times, and the time of a target that names none.

The API calls it for `GET /v1/golden-hour` and queue slots, scheduling and editing for a target's
time: its own future one, else its platform's next golden hour; queue times belong to the whole post
(docs/api.md "States and transitions"). The caller carries its accounts with their regions; what its
own results taught is one read. Removing a slot moves no post that is already scheduled.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import NamedTuple
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import QueueSlotNotFound
from chalicelib.domain.ids import is_id, new_id
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.target import Target
from chalicelib.domain.times.audience import audience_of, audience_of_account
from chalicelib.domain.times.golden_hour import (
    GoldenHourResult,
    Hours,
    golden_hour,
    golden_hours,
    golden_hours_of,
    hours_of,
)
from chalicelib.domain.times.queue_slots import MOST_SLOTS, QueueSlot, upcoming
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.analytics.reads import AnalyticsReads
from chalicelib.storage.posts.queue_slots import QueueSlotRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHours:
    """Golden hours of the caller's workspace."""

    results: AnalyticsReads
    clock: Clock

    def get(self, caller: Caller, platforms: Sequence[Platform]) -> GoldenHourResult:
        """Return the next golden hour of each platform, of which there is one at least."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        learned = self.results.learned(caller.workspace_id)
        return golden_hours(platforms, audience, self.clock(), learned)

    def learned(
        self, caller: Caller, platforms: Sequence[Platform]
    ) -> tuple[GoldenHourResult, dict[Platform, Hours]]:
        """Return the same with each platform's hours, before and after own results count."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        learned, now = self.results.learned(caller.workspace_id), self.clock()
        hours = {platform: hours_of(platform, audience, now, learned) for platform in platforms}
        return golden_hours(platforms, audience, now, learned), hours

    def between(
        self, caller: Caller, platforms: Sequence[Platform], since: datetime, until: datetime
    ) -> dict[datetime, list[Platform]]:
        """Return the golden hours still to come in a stretch of time, and whose they are."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        learned = self.results.learned(caller.workspace_id)
        zone = ZoneInfo(audience.timezone)
        begin = max(self.clock(), since)
        first, last = begin.astimezone(zone).date(), until.astimezone(zone).date()
        days = [first + timedelta(days=ahead) for ahead in range((last - first).days + 1)]
        found: dict[datetime, list[Platform]] = {}
        for platform in platforms:
            for at in golden_hours_of(platform, audience, days, learned):
                if begin <= at < until:
                    found.setdefault(at, []).append(platform)
        return found


class SlotList(NamedTuple):
    """A workspace's queue times, oldest first, and the next instant that is free, if any is."""

    slots: list[QueueSlot]
    next_free: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSlots:
    """The queue times of the caller's workspace."""

    slots: QueueSlotRepository
    clock: Clock

    def list(self, caller: Caller) -> SlotList:
        """Return the queue times and the next one that is free within the next 60 days."""
        workspace_id, now = caller.workspace_id, self.clock()
        slots, taken = in_parallel(
            lambda: self.slots.list(workspace_id),
            lambda: self.slots.soon_taken(workspace_id, now),
        )
        candidates = upcoming(slots, caller.timezone, now)
        return SlotList(slots, self.slots.free_from(workspace_id, candidates, known=taken))

    def free_until(self, caller: Caller, until: datetime) -> tuple[SlotList, Sequence[datetime]]:
        """Return the queue times, and those up to an instant at which no post goes out."""
        workspace_id, now = caller.workspace_id, self.clock()
        slots, taken = in_parallel(
            lambda: self.slots.list(workspace_id),
            lambda: self.slots.soon_taken(workspace_id, now),
        )
        candidates = upcoming(slots, caller.timezone, now)
        free = self.slots.all_free_from(workspace_id, candidates, known=taken)
        first = next(free, None)
        if first is None or first >= until:
            return SlotList(slots, first), []
        return SlotList(slots, first), [first, *takewhile(lambda at: at < until, free)]

    def add(
        self, caller: Caller, *, weekdays: Iterable[int], time: str, label: str = ""
    ) -> QueueSlot:
        """Add a queue time; each weekday counts once.

        Raises InvalidInput when the workspace has as many as there can be. The limit keeps lists
        short; two calls at the same moment may pass it by one.
        """
        if len(self.slots.list(caller.workspace_id)) >= MOST_SLOTS:
            message = f"A workspace has at most {MOST_SLOTS} queue times. Remove one first."
            raise InvalidInput(message, loc=("body",))
        slot = QueueSlot(
            id=new_id(self.clock()), weekdays=tuple(sorted(set(weekdays))), time=time, label=label
        )
        self.slots.add(caller.workspace_id, slot)
        return slot

    def remove(self, caller: Caller, slot_id: str) -> None:
        """Remove a queue time. Raises QueueSlotNotFound."""
        if not is_id(slot_id) or not self.slots.remove(caller.workspace_id, slot_id):
            raise QueueSlotNotFound


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
