"""When the workspace's audience is most active, platform by platform.

`api` calls it for `GET /v1/golden-hour`. The caller carries its accounts with their regions, and
the key owner's zone for a workspace without regions; what its own results taught is one read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import audience_of
from chalicelib.domain.times.golden_hour import (
    GoldenHourResult,
    Hours,
    golden_hour,
    golden_hours,
    hours_of,
)
from chalicelib.domain.workspace.access import Caller
from chalicelib.storage.analytics.reads import AnalyticsReads


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
        """Return the golden hours that begin in a stretch of time, and whose they are."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        learned = self.results.learned(caller.workspace_id)
        found: dict[datetime, list[Platform]] = {}
        for platform in platforms:
            at = max(self.clock(), since - timedelta(microseconds=1))
            while (at := golden_hour(platform, audience, at, learned)) < until:
                found.setdefault(at, []).append(platform)
        return found
