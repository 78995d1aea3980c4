"""What it costs to follow a live post, by the schedule of the product and by fixed times.

`cost` prints it: one post of two targets for a month, every poll at its due moment. Two posts are
compared: one that gains views steadily all month, which no schedule can poll less often without
knowing less, and one that gains no more views after two days.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.sandbox.connector import SandboxConnector, sandbox_metrics
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.analytics.polling_schedule import next_poll
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.tables import poll_shard
from chalicelib.workers.metrics.worker import MetricsWorker
from tests.api.http_room import Room

Plan = Callable[[StoredPostMetrics, str, datetime], datetime | None]

FOLLOWED: Final = timedelta(days=30)
MOVES_FOR: Final = timedelta(days=2)
_FIXED_FIRST_DAY: Final = (10, 30, 60, 120, 240, 480, 960, 1440)


def fixed_times(stored: StoredPostMetrics, _workspace_id: str, now: datetime) -> datetime | None:
    """Return the next poll by times that ask nothing about a post.

    Eight on the first day, then daily for two weeks, every third day up to 30, every seventh up to
    90: the product's own schedule before it followed what moves.
    """
    live_at = min(target.live_at for target in stored.live)
    ages = [timedelta(minutes=minutes) for minutes in _FIXED_FIRST_DAY]
    ages += [timedelta(days=days) for days in (*range(2, 15), *range(17, 31, 3), *range(36, 91, 7))]
    return next((live_at + age for age in ages if live_at + age > now), None)


PLANS: Final[dict[str, Plan]] = {"fixed times": fixed_times, "recent growth": next_poll}


class RestingConnector(SandboxConnector):
    """A sandbox whose posts nobody looks at any more after two days."""

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return figures that stand still after a while."""
        return [
            sandbox_metrics(live.remote_id, min(live.now - live.published_at, MOVES_FOR))
            for live in lives
        ]


def let_posts_rest(room: Room) -> None:
    """Make every platform of a house one whose posts come to rest."""
    connectors = room.house.deployment.connectors.sandbox
    for platform in list(connectors):
        connectors[platform] = RestingConnector(  # type: ignore[index]  # a dict in this house
            Platform(platform), room.house.sandbox, "http://127.0.0.1:8000"
        )


@dataclass(frozen=True, slots=True)
class Follower:
    """The metrics worker of a house, under one plan, over the shards of one post."""

    room: Room
    worker: MetricsWorker

    @staticmethod
    def by(plan: Plan, room: Room, post_id: str) -> "Follower":
        """Return one that polls by a plan."""
        worker = room.house.deployment.upkeep.metrics_worker
        updates = replace(worker.counter_updates, plan=plan)
        shards = frozenset({poll_shard(post_id)})
        return Follower(room, replace(worker, counter_updates=updates, shards=shards))

    def polls(self, begin_poll: Callable[[], None]) -> Iterator[int]:
        """Poll for a month, each time in the due moment; yield how many rows were due."""
        clock = self.room.house.clock
        end = clock() + FOLLOWED
        while (due := self._due(end)) is not None:
            clock.now = max(clock(), due)
            begin_poll()
            yield self.worker.run()

    def _due(self, end: datetime) -> datetime | None:
        rows = self.worker.counter_updates.counter_rows
        polls = (p for shard in self.worker.shards for p in rows.due(end, shard=shard, limit=100))
        return min((poll.at for poll in polls), default=None)
