"""What gathers and keeps results, wired together for `bootstrap`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chalicelib.domain.clock import Clock
from chalicelib.storage.dynamodb.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from chalicelib.connectors.shared.auth.tokens import TokenKeeper
    from chalicelib.connectors.shared.registry import Connectors
    from chalicelib.services.analytics import CounterUpdates
    from chalicelib.services.posts.live_posts import LivePosts
    from chalicelib.storage.analytics.reads import AnalyticsReads
    from chalicelib.storage.workspace.changes import WorkspaceTable
    from chalicelib.workers.metrics.worker import MetricsWorker


def make_analytics_reads(client: DynamoDBClient, tables: Tables) -> AnalyticsReads:
    """Return results as they are read."""
    from chalicelib.storage.analytics.reads import AnalyticsReads
    from chalicelib.storage.dynamodb.transaction import BatchRead

    return AnalyticsReads(client, tables, BatchRead(client))


def make_counter_updates(client: DynamoDBClient, tables: Tables, clock: Clock) -> CounterUpdates:
    """Return what keeps results and their sums."""
    from chalicelib.services.analytics import CounterUpdates
    from chalicelib.storage.analytics.counters import CounterRows
    from chalicelib.storage.dynamodb.transaction import BatchRead

    counter_rows = CounterRows(client, tables, BatchRead(client))
    return CounterUpdates(counter_rows=counter_rows, clock=clock)


def make_metrics_worker(
    directory: WorkspaceTable,
    live_posts: LivePosts,
    connectors: Connectors,
    tokens: TokenKeeper,
    clock: Clock,
) -> MetricsWorker:
    """Return what asks platforms how live posts do."""
    from chalicelib.storage.workspace.accounts import AccountRepository
    from chalicelib.workers.metrics.calls import MetricCalls
    from chalicelib.workers.metrics.worker import MetricsWorker

    return MetricsWorker(
        counter_updates=live_posts.counter_updates,
        reads=make_analytics_reads(directory.client, directory.tables),
        directory=directory,
        accounts=AccountRepository(directory),
        live_posts=live_posts,
        begin_calls=partial(MetricCalls, connectors, tokens, clock),
        clock=clock,
    )
