"""How results stand in the posts table: a row a post, a row a day, a mark for what is fresh.

`counters` and `reads` read and write through these functions. What is added up or charted is
one compressed value each: 90 days of single attributes would take too long to read, and a post's
row stays within the one kilobyte that a write unit pays for.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from chalicelib.domain.analytics.counters import DayCounters, Kind, Standing, WentLive
from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.analytics.polling_schedule import FIRST_LOOK
from chalicelib.domain.analytics.post_metrics import (
    Snapshot,
    StoredPostMetrics,
    StoredTargetMetrics,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.dynamodb.items import (
    Item,
    compress,
    instant,
    maybe_instant,
    maybe_stamp,
    pack,
    stamp,
    unpack,
)
from chalicelib.storage.dynamodb.tables import (
    day_counters_key,
    fresh_key,
    learned_key,
    poll_shard,
    post_metrics_key,
)

_DAYS_KEPT = timedelta(days=400)
_PLATFORMS = {str(platform): platform for platform in Platform}


def fresh_item(workspace_id: str, fresh: WentLive, first_poll: timedelta | None = None) -> Item:
    """Return the mark of a target that went live; it stands on the look index at once."""
    return {
        **fresh_key(workspace_id, fresh.post_id, fresh.target_id),
        "workspace_id": workspace_id,
        "platform": fresh.platform,
        "live_at": stamp(fresh.at),
        "first": fresh.first,
        **polled_at(fresh.post_id, fresh.at + (first_poll or FIRST_LOOK)),
    }


def fresh_from(item: Item) -> WentLive:
    """Read such a mark."""
    _, post_id, target_id = item["sk"].split("#")
    return WentLive(
        post_id=post_id,
        target_id=target_id,
        platform=Platform(item["platform"]),
        at=instant(item["live_at"]),
        first=item["first"],
    )


def polled_at(post_id: str, poll_at: datetime | None) -> Item:
    """Return what puts a row on the look index, or keeps it off."""
    return {
        "look_at": maybe_stamp(poll_at),
        "look_shard": None if poll_at is None else poll_shard(post_id),
    }


def post_metrics_item(
    workspace_id: str, stored: StoredPostMetrics, poll_at: datetime | None
) -> Item:
    """Return a post's row."""
    targets = {target_id: _target_values(one) for target_id, one in stored.targets.items()}
    return {
        **post_metrics_key(workspace_id, stored.post_id),
        "workspace_id": workspace_id,
        "live_day": stored.live_day.isoformat(),
        "targets": compress(targets),
        "version": stored.version,
        **polled_at(stored.post_id, poll_at),
    }


def post_metrics_from(item: Item) -> StoredPostMetrics:
    """Read a post's row."""
    targets = unpack(item["targets"]) or {}
    return StoredPostMetrics(
        post_id=item["sk"].removeprefix("POST#"),
        live_day=date.fromisoformat(item["live_day"]),
        targets={target_id: _target(values) for target_id, values in targets.items()},
        version=item["version"],
    )


def _target_values(target: StoredTargetMetrics) -> Mapping[str, Any]:
    return {
        "platform": target.platform,
        "live_at": stamp(target.live_at),
        "hour": target.hour,
        "days": {day.isoformat(): _snapshot_values(one) for day, one in target.days.items()},
        "first_day": None if target.first_day is None else _snapshot_values(target.first_day),
        "missed_at": maybe_stamp(target.missed_at),
        "resting_until": maybe_stamp(target.resting_until),
        "removed": target.removed,
    }


def _target(values: Mapping[str, Any]) -> StoredTargetMetrics:
    first_day = values["first_day"]
    return StoredTargetMetrics(
        platform=Platform(values["platform"]),
        live_at=instant(values["live_at"]),
        hour=values["hour"],
        days={date.fromisoformat(day): _snapshot(one) for day, one in values["days"].items()},
        first_day=None if first_day is None else _snapshot(first_day),
        missed_at=maybe_instant(values["missed_at"]),
        resting_until=maybe_instant(values["resting_until"]),
        removed=values["removed"],
    )


def _snapshot_values(snapshot: Snapshot) -> list[int | None]:
    told = snapshot.metrics
    milliseconds = round(snapshot.at.timestamp() * 1000)
    return [milliseconds, told.views, told.likes, told.comments, told.shares, told.followers]


def _snapshot(values: list[int]) -> Snapshot:
    milliseconds, views, likes, comments, shares, followers = values
    metrics = Metrics(
        views=views, likes=likes, comments=comments, shares=shares, followers=followers
    )
    return Snapshot(datetime.fromtimestamp(milliseconds / 1000, UTC), metrics)


def day_counters_item(workspace_id: str, stored: DayCounters) -> Item:
    """Return a day's row; it goes by itself long after the last window has passed it."""
    counters: dict[str, dict[str, int]] = {}
    for (kind, mark), count in sorted(stored.counters.items()):
        counters.setdefault(kind, {})[mark] = count
    top = [[one.post_id, one.views, list(one.platforms)] for one in stored.top]
    expires_at = datetime.combine(stored.day, datetime.min.time(), UTC) + _DAYS_KEPT
    return {
        **day_counters_key(workspace_id, stored.day),
        "tally": compress(counters),
        "top": compress(top),
        "version": stored.version,
        "expires_at": int(expires_at.timestamp()),
    }


def day_counters_from(item: Item) -> DayCounters:
    """Read a day's row."""
    counters = {Kind(kind): marks for kind, marks in (unpack(item["tally"]) or {}).items()}
    top: Any = unpack(item["top"])
    return DayCounters(
        day=date.fromisoformat(item["sk"].removeprefix("DAY#")),
        counters=Counter(
            {
                (kind, mark): count
                for kind, marks in counters.items()
                for mark, count in marks.items()
            }
        ),
        top=tuple(
            Standing(
                post_id=post_id, views=views, platforms=tuple(map(_PLATFORMS.__getitem__, names))
            )
            for post_id, views, names in top
        ),
        version=item["version"],
    )


def learned_item(workspace_id: str, learned: Learned) -> Item:
    """Return what a workspace's results taught about hours."""
    lifts = {platform: list(percents) for platform, percents in learned.lifts.items()}
    return {
        **learned_key(workspace_id),
        "timezone": learned.timezone,
        "lifts": pack(lifts),
    }


def learned_from(item: Item) -> Learned:
    """Read it."""
    lifts = unpack(item["lifts"]) or {}
    return Learned(
        timezone=item["timezone"],
        lifts={Platform(name): tuple(percents) for name, percents in lifts.items()},
    )
