"""Results as rows of the posts table: one per post, one per day, and marks of new targets.

`counters` and `reads` read and write through these functions. The numbers that are added up or
charted are one compressed value per row: 90 days of single attributes would take too long to read,
and a post's row stays within the one kilobyte of a write unit.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from chalicelib.domain.analytics.counters import Counters, DayCounters, Kind, Standing, WentLive
from chalicelib.domain.analytics.learning import Learned, Lift
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.analytics.polling_schedule import FIRST_LOOK
from chalicelib.domain.analytics.post_metrics import (
    Snapshot,
    StoredPostMetrics,
    StoredTargetMetrics,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dynamodb.items import Item, compress, epoch, maybe_stamp, pack, unpack
from chalicelib.kit.dynamodb.records import Kind as Kept
from chalicelib.kit.dynamodb.records import Record
from chalicelib.storage.tables import (
    day_counters_key,
    fresh_key,
    learned_key,
    poll_shard,
    post_metrics_key,
)

_DAYS_KEPT = timedelta(days=400)
_PLATFORMS = {str(platform): platform for platform in Platform}


def _spell_snapshot(snapshot: Snapshot) -> list[int | None]:
    told = snapshot.metrics
    milliseconds = round(snapshot.at.timestamp() * 1000)
    return [milliseconds, told.views, told.likes, told.comments, told.shares, told.followers]


def _read_snapshot(values: list[int]) -> Snapshot:
    milliseconds, views, likes, comments, shares, followers = values
    metrics = Metrics(
        views=views, likes=likes, comments=comments, shares=shares, followers=followers
    )
    return Snapshot(datetime.fromtimestamp(milliseconds / 1000, UTC), metrics)


def _spell_days(days: Mapping[date, Snapshot]) -> dict[str, list[int | None]]:
    return {day.isoformat(): _spell_snapshot(one) for day, one in days.items()}


def _read_days(days: Mapping[str, list[int]]) -> dict[date, Snapshot]:
    return {date.fromisoformat(day): _read_snapshot(one) for day, one in days.items()}


_TARGET: Final = Record(
    StoredTargetMetrics,
    kinds={
        "days": Kept(_spell_days, _read_days),
        "first_day": Kept(_spell_snapshot, _read_snapshot),
    },
)


def _spell_targets(targets: Mapping[str, StoredTargetMetrics]) -> bytes:
    return compress({target_id: _TARGET.item(one) for target_id, one in targets.items()})


def _read_targets(kept: bytes) -> dict[str, StoredTargetMetrics]:
    return {target_id: _TARGET.value(one) for target_id, one in (unpack(kept) or {}).items()}


def _spell_counters(counters: Counters) -> bytes:
    by_kind: dict[str, dict[str, int]] = {}
    for (kind, mark), count in sorted(counters.items()):
        by_kind.setdefault(kind, {})[mark] = count
    return compress(by_kind)


def _read_counters(kept: bytes) -> Counters:
    by_kind = {Kind(kind): marks for kind, marks in (unpack(kept) or {}).items()}
    return Counter({(kind, m): n for kind, marks in by_kind.items() for m, n in marks.items()})


def _spell_top(top: tuple[Standing, ...]) -> bytes:
    return compress([[one.post_id, one.views, list(one.platforms)] for one in top])


def _read_top(kept: bytes) -> tuple[Standing, ...]:
    listed: Any = unpack(kept)
    return tuple(
        Standing(post_id=post_id, views=views, platforms=tuple(_PLATFORMS[name] for name in names))
        for post_id, views, names in listed
    )


def _spell_lifts(lifts: Mapping[Platform, Lift]) -> str:
    return pack({platform: list(percents) for platform, percents in lifts.items()})


def _read_lifts(kept: str) -> dict[Platform, Lift]:
    return {_PLATFORMS[name]: tuple(percents) for name, percents in (unpack(kept) or {}).items()}


def _spell_weekdays(lifts: Mapping[tuple[Platform, int], Lift]) -> str:
    return pack({f"{platform} {weekday}": list(one) for (platform, weekday), one in lifts.items()})


def _read_weekdays(kept: str) -> dict[tuple[Platform, int], Lift]:
    named = ((name.rpartition(" "), one) for name, one in (unpack(kept) or {}).items())
    return {(_PLATFORMS[name], int(weekday)): tuple(one) for (name, _, weekday), one in named}


_FRESH: Final = Record(WentLive, apart=("post_id", "target_id"), stored={"at": "live_at"})
_POST: Final = Record(
    StoredPostMetrics, apart=("post_id",), kinds={"targets": Kept(_spell_targets, _read_targets)}
)
_DAY: Final = Record(
    DayCounters,
    apart=("day",),
    stored={"counters": "tally"},
    kinds={"counters": Kept(_spell_counters, _read_counters), "top": Kept(_spell_top, _read_top)},
)
_LEARNED: Final = Record(
    Learned,
    kinds={
        "lifts": Kept(_spell_lifts, _read_lifts),
        "on_weekdays": Kept(_spell_weekdays, _read_weekdays),
    },
)


def fresh_item(workspace_id: str, fresh: WentLive, first_poll: timedelta | None = None) -> Item:
    """Return the mark of a target that went live; it is on the look index at once."""
    return {
        **fresh_key(workspace_id, fresh.post_id, fresh.target_id),
        "workspace_id": workspace_id,
        **_FRESH.item(fresh),
        **poll_columns(fresh.post_id, fresh.at + (first_poll or FIRST_LOOK)),
    }


def fresh_from(item: Item) -> WentLive:
    """Read such a mark."""
    _, post_id, target_id = item["sk"].split("#")
    return _FRESH.value(item, post_id=post_id, target_id=target_id)


def poll_columns(post_id: str, poll_at: datetime | None) -> Item:
    """Return the attributes that put a row on the look index, none to keep it off."""
    return {
        "look_at": maybe_stamp(poll_at),
        "look_shard": None if poll_at is None else poll_shard(post_id),
    }


def post_metrics_item(
    workspace_id: str, stored: StoredPostMetrics, poll_at: datetime | None
) -> Item:
    """Return a post's row."""
    return {
        **post_metrics_key(workspace_id, stored.post_id),
        "workspace_id": workspace_id,
        **_POST.item(stored),
        **poll_columns(stored.post_id, poll_at),
    }


def post_metrics_from(item: Item) -> StoredPostMetrics:
    """Read a post's row."""
    return _POST.value(item, post_id=item["sk"].removeprefix("POST#"))


def day_counters_item(workspace_id: str, stored: DayCounters) -> Item:
    """Return a day's row; it expires long after the last window that includes it."""
    expires_at = datetime.combine(stored.day, datetime.min.time(), UTC) + _DAYS_KEPT
    key = day_counters_key(workspace_id, stored.day)
    return {**key, **_DAY.item(stored), "expires_at": epoch(expires_at)}


def day_counters_from(item: Item) -> DayCounters:
    """Read a day's row."""
    return _DAY.value(item, day=date.fromisoformat(item["sk"].removeprefix("DAY#")))


def learned_item(workspace_id: str, learned: Learned) -> Item:
    """Return what a workspace's results taught about hours."""
    return {**learned_key(workspace_id), **_LEARNED.item(learned)}


def learned_from(item: Item) -> Learned:
    """Read it."""
    return _LEARNED.value(item)
