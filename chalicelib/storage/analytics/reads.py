"""Reads results for the summary, a post's metrics and golden hours.

None of these reads grows with the number of posts: a summary is one query over at most 90 rows of
days beside four for what went live in the last minutes, the best posts are one batch.
"""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from chalicelib.domain.analytics.counters import DayCounters, WentLive
from chalicelib.domain.analytics.learning import NOTHING_LEARNED, Learned
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import BatchRead, Expression, Table, between, partition
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.analytics.items import (
    day_counters_from,
    fresh_from,
    learned_from,
    learned_item,
    post_metrics_from,
)
from chalicelib.storage.posts.items import post_from
from chalicelib.storage.tables import (
    Tables,
    analytics_pk,
    day_counters_key,
    learned_key,
    live_pks,
    post_key,
    post_metrics_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_AFTER_ALL_DAYS = "DAY#~"


class AnalyticsReads:
    """Results of all workspaces; every method names the workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables, batch: BatchRead) -> None:
        self._rows = Table(client, tables.posts)
        self._table = tables.posts
        self._batch = batch

    def since(self, workspace_id: str, first: date) -> tuple[list[DayCounters], list[WentLive]]:
        """Return the days from `first` on, and the targets that are in no day's sum yet.

        Both are read in parallel: a target that is added to its day's sum meanwhile may be in both
        or in neither, in this one answer.
        """
        first_day = day_counters_key(workspace_id, first)["sk"]
        since = between(analytics_pk(workspace_id), first_day, _AFTER_ALL_DAYS)
        fresh = [partition(pk) for pk in live_pks(workspace_id)]
        with HelpedPool(1 + len(fresh), name="since") as threads:
            days, *marks = threads.map(self._read, [since, *fresh])
        found = [fresh_from(row) for rows in marks for row in rows]
        return [day_counters_from(row) for row in days], sorted(found, key=lambda one: one.at)

    def _read(self, keys: Expression) -> list[Item]:
        return list(self._rows.rows(keys, is_consistent=False))

    def of_post(self, workspace_id: str, post_id: str) -> StoredPostMetrics | None:
        """Return a post's metrics, None before its first poll."""
        row = self._rows.get(post_metrics_key(workspace_id, post_id))
        return None if row is None else post_metrics_from(row)

    def of_posts(self, workspace_id: str, post_ids: Iterable[str]) -> dict[str, StoredPostMetrics]:
        """Return the metrics of posts that were polled, by post id: one round of batches."""
        keys = [(self._table, post_metrics_key(workspace_id, post_id)) for post_id in post_ids]
        found = map(post_metrics_from, self._batch.read(keys).values()) if keys else ()
        return {stored.post_id: stored for stored in found}

    def read_posts(self, post_ids: Iterable[str]) -> dict[str, Post]:
        """Return those posts that are not deleted, without their targets."""
        rows = self._batch.read([(self._table, post_key(post_id)) for post_id in post_ids])
        return {row["pk"]: post_from(row) for row in rows.values() if "deleted_at" not in row}

    def read_learned(self, workspace_id: str) -> Learned:
        """Return what the workspace's results taught about hours."""
        row = self._rows.get(learned_key(workspace_id))
        return NOTHING_LEARNED if row is None else learned_from(row)

    def keep_learned(self, workspace_id: str, learned: Learned) -> None:
        """Keep what the workspace's results taught."""
        self._rows.put(learned_item(workspace_id, learned))
