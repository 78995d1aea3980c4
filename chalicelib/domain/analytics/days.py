"""All posts of a workspace that went live on one day, added up, and the best of them.

The summary over 90 days reads 90 of these, however many posts there are. Of a day's posts the
twenty best stand here: enough that the five best are right even when fifteen of them go.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.counters import Counters, Kind, changed, hour_mark, share_of
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.platforms.platform import Platform

MOST_STANDINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one post does among others."""

    post_id: str
    views: int
    platforms: tuple[Platform, ...]

    @property
    def rank(self) -> tuple[int, str]:
        """Order standings: most views first, of equals the newest post first."""
        return self.views, self.post_id


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCounters:
    """The sum of a day's posts; `version` grows with every write, 0 before the first."""

    day: date
    counters: Counters = field(default_factory=Counter)
    top: tuple[Standing, ...] = ()
    version: int = 0

    def with_change(
        self, before: StoredPostMetrics | None, after: StoredPostMetrics | None
    ) -> "DayCounters":
        """Return it with a post's results as they are now in the place of what they were."""
        counters = changed(self.counters, share_of(before), share_of(after))
        changing = {one.post_id for one in (before, after) if one is not None}
        others = [standing for standing in self.top if standing.post_id not in changing]
        return replace(
            self, counters=counters, top=best([*others, *_standing(after)], MOST_STANDINGS)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WentLive:
    """A target that went live and is not in the counters yet; `first` of its post or not."""

    post_id: str
    target_id: str
    platform: Platform
    at: datetime
    first: bool


def best(standings: Iterable[Standing], most: int) -> tuple[Standing, ...]:
    """Return the best standings, best first."""
    return tuple(sorted(standings, key=lambda one: one.rank, reverse=True)[:most])


def day_of_fresh(fresh: Iterable[WentLive], since: date, zone: ZoneInfo) -> DayCounters:
    """Return what went live a moment ago as if it were in the counters: seen by nobody yet."""
    recent = [target for target in fresh if target.at.astimezone(zone).date() >= since]
    counters: Counters = Counter()
    platforms: dict[str, list[Platform]] = {one.post_id: [] for one in recent if one.first}
    for target in recent:
        counters[Kind.POSTS, ""] += target.first
        counters[Kind.TARGETS, hour_mark(target.platform, target.at.astimezone(zone).hour)] += 1
        if target.post_id in platforms:
            platforms[target.post_id].append(target.platform)
    top = [
        Standing(post_id=post_id, views=0, platforms=tuple(dict.fromkeys(its_own)))
        for post_id, its_own in platforms.items()
    ]
    return DayCounters(day=since, counters=counters, top=best(top, MOST_STANDINGS))


def _standing(results: StoredPostMetrics | None) -> tuple[Standing, ...]:
    """Return a post's standing, none for one that is live nowhere."""
    if results is None or not results.live:
        return ()
    return (Standing(post_id=results.post_id, views=results.views, platforms=results.platforms),)
