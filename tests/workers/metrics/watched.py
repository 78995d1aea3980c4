"""A sandbox platform whose calls for metrics are watched, and fail when a test says so."""

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.platforms.platform import Platform
from tests.support.analytics_room import AnalyticsRoom


class WatchedConnector(SandboxConnector):
    """A sandbox that notes how many posts each call asks about, and fails if told so."""

    def watch(self, batch: int = 50, calls: int = 1_000) -> None:
        self.asked: list[int] = []
        self.error: Exception | None = None
        self.metrics_batch = batch  # type: ignore[misc]  # one test's platform is another one
        self.metrics_calls = calls  # type: ignore[misc]

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        self.asked.append(len(lives))
        if self.error is not None:
            raise self.error
        return super().metrics(lives)


def watched(room: AnalyticsRoom, batch: int = 50, calls: int = 1_000) -> WatchedConnector:
    platform = Platform.LINKEDIN
    connector = WatchedConnector(platform, room.engine.sandbox, "http://127.0.0.1:8000")
    connector.watch(batch, calls)
    room.replace(platform, connector)
    return connector
