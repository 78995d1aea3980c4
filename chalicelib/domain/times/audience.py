"""Where a workspace's followers live: its accounts' regions, weighted by the number of accounts.

`golden_hour` and the accounts' API read it. The heaviest region's zone is the audience's zone; the
first one named wins a tie, accounts oldest first (docs/api.md "Golden hours").
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from zoneinfo import ZoneInfo

from chalicelib.kit.dataclass import dataclass


class Region(StrEnum):
    """A part of the world as the wire names it, in docs/api.md's order."""

    UNITED_STATES = "United States"
    CANADA = "Canada"
    UK = "UK"
    EUROPE = "Europe"
    MIDDLE_EAST = "Middle East"
    INDIA = "India"
    SOUTHEAST_ASIA = "Southeast Asia"
    AUSTRALIA = "Australia"
    LATIN_AMERICA = "Latin America"
    AFRICA = "Africa"


ZONES: Mapping[Region, str] = MappingProxyType(
    {
        Region.UNITED_STATES: "America/New_York",
        Region.CANADA: "America/Toronto",
        Region.UK: "Europe/London",
        Region.EUROPE: "Europe/Paris",
        Region.MIDDLE_EAST: "Asia/Dubai",
        Region.INDIA: "Asia/Kolkata",
        Region.SOUTHEAST_ASIA: "Asia/Singapore",
        Region.AUSTRALIA: "Australia/Sydney",
        Region.LATIN_AMERICA: "America/Sao_Paulo",
        Region.AFRICA: "Africa/Lagos",
    }
)
"""The time zone used for each region."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """A workspace's followers by region; `weights` has the regions, heaviest first, or none."""

    timezone: str
    weights: Mapping[Region, int] = field(default_factory=dict)

    @property
    def regions(self) -> tuple[Region, ...]:
        """Return the regions, heaviest first; none when nobody named one."""
        return tuple(self.weights)

    @property
    def zones(self) -> tuple[tuple[ZoneInfo, int], ...]:
        """Return each part's zone and weight. Raises ZoneInfoNotFoundError."""
        if not self.weights:
            return ((ZoneInfo(self.timezone), 1),)
        return tuple((ZoneInfo(ZONES[region]), weight) for region, weight in self.weights.items())


def audience_of(
    accounts_regions: Mapping[str, tuple[str, ...]], fallback_timezone: str
) -> Audience:
    """Return the audience of these accounts, in the given zone when none names a region.

    Raises ValueError for a name that is no region.
    """
    named = Counter(
        Region(name) for regions in accounts_regions.values() for name in dict.fromkeys(regions)
    )
    if not named:
        return Audience(timezone=fallback_timezone)
    weights = dict(sorted(named.items(), key=lambda part: -part[1]))
    return Audience(timezone=ZONES[next(iter(weights))], weights=weights)


def audience_of_account(
    account_id: str, accounts_regions: Mapping[str, tuple[str, ...]], fallback_timezone: str
) -> Audience:
    """Return the audience of one account: its own regions, else those of all accounts."""
    own = accounts_regions.get(account_id, ())
    named = {account_id: own} if own else accounts_regions
    return audience_of(named, fallback_timezone)
