"""Sums over posts, as flat counters that can be added up and taken away again.

A post's share is a pure function of its results. So a change of a post changes its day by the
difference of two shares, and nothing is ever counted twice, however often it is written.
"""

import math
from collections import Counter
from enum import StrEnum

from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.analytics.target_metrics import StoredTargetMetrics
from chalicelib.domain.platforms.platform import Platform

STRENGTH_UNIT = 100


class Kind(StrEnum):
    """What is counted; the second half of a mark says for which day or hour."""

    POSTS = "posts"
    LIKES = "likes"
    COMMENTS = "comments"
    SHARES = "shares"
    FOLLOWERS = "followers"
    ENGAGED = "engaged"
    """Likes, comments and shares by platform: `x`."""
    GAINED = "gained"
    """Views by the day on which they were seen: `2026-11-20`."""
    TARGETS = "targets"
    """Live targets by platform and the hour at which they went live: `x 9`."""
    VIEWS = "views"
    """Their views, by the same."""
    GROWN = "grown"
    """Those of them whose first day is known."""
    STRENGTH = "strength"
    """The sum of 100 log2(1 + views of the first day) over these."""


Mark = tuple[Kind, str]
Counters = Counter[Mark]


def hour_mark(platform: Platform, hour: int) -> str:
    """Name a platform and an hour of the day."""
    return f"{platform} {hour}"


def read_hour_mark(mark: str) -> tuple[Platform, int]:
    """Read what `hour_mark` named."""
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


def changed(counters: Counters, before: Counters, after: Counters) -> Counters:
    """Return a sum in which one share takes the place of another."""
    total = counters.copy()
    total.subtract(before)
    total.update(after)
    return Counter({mark: count for mark, count in total.items() if count})
