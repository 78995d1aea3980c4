"""Sums over posts, as flat counters that can be added and subtracted, one sum per day.

A post's share is a pure function of its results. So a change of a post changes its day by the
difference of two shares, and nothing is ever counted twice, however often it is written. The
summary over 90 days reads 90 days, however many posts there are. A day's sum has its twenty best
posts: enough that the five best are right even when fifteen of them are deleted.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from datetime import date, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.post_metrics import StoredPostMetrics, StoredTargetMetrics
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass

STRENGTH_UNIT = 100


class Kind(StrEnum):
    """What is counted; the second half of a counter's name is its day or hour."""

    POSTS = "posts"
    LIKES = "likes"
    COMMENTS = "comments"
    SHARES = "shares"
    FOLLOWERS = "followers"
    ENGAGED = "engaged"
    """Likes, comments and shares by platform: `x`."""
    GAINED = "gained"
    """Views by the day of the viewing: `2026-11-20`."""
    TARGETS = "targets"
    """Live targets by platform and the hour at which they went live: `x 9`."""
    VIEWS = "views"
    """Their views, by the same."""
    GROWN = "grown"
    """Those of these targets whose first day is known."""
    STRENGTH = "strength"
    """The sum of 100 log2(1 + views of the first day) over these."""


Mark = tuple[Kind, str]
Counters = Counter[Mark]


def hour_mark(platform: Platform, hour: int) -> str:
    """Name a platform and an hour of the day."""
    return f"{platform} {hour}"


def read_hour_mark(mark: str) -> tuple[Platform, int]:
    """Read a name that `hour_mark` made."""
    platform, _, hour = mark.rpartition(" ")
    return Platform(platform), int(hour)


def share_of(stored: StoredPostMetrics | None) -> Counters:
    """Return what one post adds to its day; nothing for a post that is not in the counters."""
    share: Counters = Counter()
    if stored is None:
        return share
    share[Kind.POSTS, ""] = 1
    for target in stored.live:
        _add_target(share, target)
    return share


def _add_target(share: Counters, target: StoredTargetMetrics) -> None:
    hour = hour_mark(target.platform, target.hour)
    share[Kind.TARGETS, hour] += 1
    counts = target.counts
    if counts is not None:
        share[Kind.VIEWS, hour] += counts.views
        share[Kind.LIKES, ""] += counts.likes
        share[Kind.COMMENTS, ""] += counts.comments
        share[Kind.SHARES, ""] += counts.shares
        share[Kind.FOLLOWERS, ""] += counts.followers
        share[Kind.ENGAGED, target.platform.value] += counts.engagement
    for day, views in target.gained.items():
        share[Kind.GAINED, day.isoformat()] += views
    first_day = target.first_day_views
    if first_day is not None:
        share[Kind.GROWN, hour] += 1
        share[Kind.STRENGTH, hour] += round(STRENGTH_UNIT * math.log2(1 + first_day))


def replace_share(counters: Counters, before: Counters, after: Counters) -> Counters:
    """Return a sum with one share replaced by another."""
    total = counters.copy()
    total.subtract(before)
    total.update(after)
    return Counter({mark: count for mark, count in total.items() if count})


MOST_STANDINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A post's rank among others."""

    post_id: str
    views: int
    platforms: tuple[Platform, ...]

    @property
    def rank(self) -> tuple[int, str]:
        """Order standings: most views first, and the newest of equal posts first."""
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
        """Return it with a post's former results replaced by its present ones."""
        counters = replace_share(self.counters, share_of(before), share_of(after))
        changing = {one.post_id for one in (before, after) if one is not None}
        others = [standing for standing in self.top if standing.post_id not in changing]
        return replace(
            self,
            counters=counters,
            top=best_standings([*others, *_standing_of(after)], MOST_STANDINGS),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WentLive:
    """A target that went live and is not in the counters yet; `first` of its post or not."""

    post_id: str
    target_id: str
    platform: Platform
    at: datetime
    first: bool


def best_standings(standings: Iterable[Standing], most: int) -> tuple[Standing, ...]:
    """Return the best standings, best first."""
    return tuple(sorted(standings, key=lambda one: one.rank, reverse=True)[:most])


def days_of_fresh(
    fresh: Iterable[WentLive], since: date, last: date, zone: ZoneInfo
) -> list[DayCounters]:
    """Return newly live targets as if they were in the counters, without views yet."""
    by_day: dict[date, list[WentLive]] = {}
    for one in fresh:
        by_day.setdefault(one.at.astimezone(zone).date(), []).append(one)
    return [_fresh_on(day, some, zone) for day, some in by_day.items() if since <= day <= last]


def _fresh_on(day: date, fresh: Sequence[WentLive], zone: ZoneInfo) -> DayCounters:
    counters: Counters = Counter()
    platforms: dict[str, list[Platform]] = {one.post_id: [] for one in fresh if one.first}
    for target in fresh:
        counters[Kind.POSTS, ""] += target.first
        counters[Kind.TARGETS, hour_mark(target.platform, target.at.astimezone(zone).hour)] += 1
        if target.post_id in platforms:
            platforms[target.post_id].append(target.platform)
    top = [
        Standing(post_id=post_id, views=0, platforms=tuple(dict.fromkeys(its_own)))
        for post_id, its_own in platforms.items()
    ]
    return DayCounters(day=day, counters=counters, top=best_standings(top, MOST_STANDINGS))


def _standing_of(results: StoredPostMetrics | None) -> tuple[Standing, ...]:
    """Return a post's standing, none for one that is live nowhere."""
    if results is None or not results.live:
        return ()
    return (Standing(post_id=results.post_id, views=results.views, platforms=results.platforms),)
