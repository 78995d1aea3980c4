"""Metrics of one server for Prometheus.

The trigger runner starts it. They are served on loopback (`GOLDENHOUR_METRICS_PORT`): some are read
from the stores at each scrape, and attempts are counted in this process from their log lines.
"""

import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.accounts import Health
from chalicelib.local.telemetry import LATENESS_BUCKETS_S
from chalicelib.services.operator.engine_control import EngineStatus
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


class StateFigures(Collector):
    """Metrics that are read at each scrape: lateness, queues, sign-ins, disk."""

    def __init__(
        self,
        *,
        engine_status: Callable[[], EngineStatus],
        workspaces: WorkspaceRepository,
        accounts: AccountRepository,
        data_dir: Path,
        clock: Clock,
    ) -> None:
        self._engine_status = engine_status
        self._workspaces = workspaces
        self._accounts = accounts
        self._data_dir = data_dir
        self._clock = clock

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        status, now = self._engine_status(), self._clock()
        late = status.oldest_overdue
        overdue_s = 0.0 if late is None else (now - late).total_seconds()
        yield _figure("goldenhour_paused", "1 while nothing may be sent", status.paused)
        yield _figure("goldenhour_overdue_seconds", "How late the oldest target is", overdue_s)
        queue = _figure("goldenhour_queue_messages", "Wake messages", labels=("state",))
        for state in ("waiting", "working", "delayed", "dead"):
            queue.add_metric([state], getattr(status, state))
        yield queue
        yield self._sign_ins()
        free = shutil.disk_usage(self._data_dir).free
        yield _figure("goldenhour_disk_free_bytes", "Room left for the data directory", free)

    def _sign_ins(self) -> GaugeMetricFamily:
        figure = _figure("goldenhour_accounts", "Accounts by health", labels=("health",))
        counts = dict.fromkeys(Health, 0)
        for workspace_id in self._workspaces.marks():
            with suppress(ValueError, KeyError, TypeError):  # the doctor names whose
                for account in self._accounts.list(workspace_id):
                    counts[account.health] += 1
        for health, count in counts.items():
            figure.add_metric([health], count)
        return figure


def _figure(
    name: str, about: str, value: float | None = None, labels: tuple[str, ...] = ()
) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, about, value=value, labels=labels or None)


class AttemptCounts(logging.Handler):
    """Counts attempts by their log lines."""

    def __init__(self, registry: CollectorRegistry) -> None:
        super().__init__()
        self._attempts = Counter(
            "goldenhour_attempts", "Attempts to post, by outcome", ["outcome"], registry=registry
        )
        self._lateness = Histogram(
            "goldenhour_lateness_seconds",
            "How late a first success was",
            buckets=LATENESS_BUCKETS_S,
            registry=registry,
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line if it is about an attempt."""
        facts = vars(record)
        if facts.get("action") != "attempt":
            return
        self._attempts.labels("ok" if facts.get("ok") else str(facts.get("error_code"))).inc()
        late = facts.get("lateness_s")
        if facts.get("ok") and isinstance(late, int | float):
            self._lateness.observe(max(0.0, late))


def serve_figures(port: int, state: StateFigures) -> None:
    """Answer on loopback until the process ends."""
    registry = CollectorRegistry()
    registry.register(state)
    logging.getLogger().addHandler(AttemptCounts(registry))
    start_http_server(port, addr="127.0.0.1", registry=registry)
