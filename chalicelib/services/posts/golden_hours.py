"""Golden hours: when the audience of the caller's workspace is most active.

The API calls it for `GET /v1/golden-hour`, the app's calendar for some days, scheduling and editing
for targets without a time. The caller has its accounts with their regions; what the workspace's own
results say about hours is one read.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import audience_of, audience_of_account
from chalicelib.domain.times.golden_hour import (
    GoldenHourResult,
    Hours,
    golden_hour,
    golden_hours,
    golden_hours_of,
    hours_of,
)
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.analytics.reads import AnalyticsReads


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHours:
    """Golden hours of the caller's workspace."""

    results: AnalyticsReads
    clock: Clock

    def get(self, caller: Caller, platforms: Sequence[Platform]) -> GoldenHourResult:
        """Return the next golden hour of each platform, of which there is one at least."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        learned = self.results.read_learned(caller.workspace_id)
        return golden_hours(platforms, audience, self.clock(), learned)

    def with_hours(
        self, caller: Caller, platforms: Sequence[Platform]
    ) -> tuple[GoldenHourResult, dict[Platform, Hours]]:
        """Return the same with each platform's hours, before and after own results count."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        learned, now = self.results.read_learned(caller.workspace_id), self.clock()
        hours = {platform: hours_of(platform, audience, now, learned) for platform in platforms}
        return golden_hours(platforms, audience, now, learned), hours

    def between(
        self, caller: Caller, platforms: Sequence[Platform], since: datetime, until: datetime
    ) -> dict[datetime, dict[Platform, float | None]]:
        """Return the golden hours to come within a time: when, where, and how good each is."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        learned = self.results.read_learned(caller.workspace_id)
        zone = ZoneInfo(audience.timezone)
        begin = max(self.clock(), since)
        first, last = begin.astimezone(zone).date(), until.astimezone(zone).date()
        days = [first + timedelta(days=ahead) for ahead in range((last - first).days + 1)]
        found: dict[datetime, dict[Platform, float | None]] = {}
        for platform in platforms:
            for at in golden_hours_of(platform, audience, days, learned):
                if begin <= at < until:
                    found.setdefault(at, {})[platform] = learned.times_usual(platform, at)
        return found

    def read_learned(self, caller: Caller) -> Learned:
        """Return what the workspace's own results say about hours."""
        return self.results.read_learned(caller.workspace_id)

    def next_of_accounts(
        self, caller: Caller, going_to: Mapping[str, Platform], learned: Learned, now: datetime
    ) -> dict[str, datetime]:
        """Return the next golden hour of each account, each with its platform."""
        return {
            account_id: self.next_of(caller, platform, account_id, learned, now=now)
            for account_id, platform in going_to.items()
        }

    def next_of(
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
