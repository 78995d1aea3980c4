"""When the workspace's audience is most active, platform by platform.

`api` calls it for `GET /v1/golden-hour`. The caller carries all it takes, so it reads nothing:
accounts with their regions, and the key owner's zone for a workspace without regions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from chalicelib.domain.access import Caller
from chalicelib.domain.audience import audience_of
from chalicelib.domain.clock import Clock
from chalicelib.domain.golden_hour import GoldenHourResult, golden_hours
from chalicelib.domain.platforms import Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHours:
    """Golden hours of the caller's workspace."""

    clock: Clock

    def get(self, caller: Caller, platforms: Sequence[Platform]) -> GoldenHourResult:
        """Return the next golden hour of each platform, of which there is one at least."""
        audience = audience_of(caller.accounts, caller.member_timezone)
        return golden_hours(platforms, audience, self.clock())
