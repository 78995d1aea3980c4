"""The engine room with polls: time goes by, targets go out, and platforms are asked when due.

room = a_results_room(emulator, tmp_path)
post = room.published("Fresh bread")
room.pass_time(timedelta(days=1))
room.views(post)
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.domain.analytics.metrics import PostMetrics, Summary
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.storage.analytics.counters import DuePoll
from chalicelib.storage.tables import poll_shard
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room


@dataclass(slots=True)
class AnalyticsRoom:
    """An engine room and the metrics worker, over the same clock."""

    engine: EngineRoom
    shards: set[str] = field(default_factory=set)

    def published(
        self, caption: str, *, platforms: tuple[Platform, ...] = (Platform.LINKEDIN,)
    ) -> Post:
        """Make a text-only post and let it go out at once."""
        post = self.engine.scheduled(caption, in_=timedelta(0), platforms=platforms)
        self.engine.run_due()
        self.shards.add(poll_shard(post.id))
        return self.engine.post(post)

    def due(self, until: datetime) -> list[DuePoll]:
        """Return every poll until then at what was published here, the first one first."""
        counter_rows = self.engine.deployment.posting.counter_updates.counter_rows
        due_polls = [
            poll
            for shard in self.shards
            for poll in counter_rows.due(until, shard=shard, limit=10_000)
        ]
        return sorted(due_polls, key=lambda poll: poll.at)

    def collect(self) -> int:
        """Run one round of the metrics worker, over the shards that posts of this room are on."""
        worker = self.engine.deployment.upkeep.metrics_worker
        return replace(worker, shards=frozenset(self.shards)).run()

    def pass_time(self, time: timedelta) -> None:
        """Let time go by; whatever is due to be polled is polled in that very moment."""
        end = self.engine.clock() + time
        while due_polls := self.due(end):
            self.engine.clock.now = max(self.engine.clock(), due_polls[0].at)
            self.collect()
        self.engine.clock.now = end

    def metrics(self, post: Post) -> PostMetrics:
        """Return a post's metrics as the API's service tells them."""
        return self.engine.deployment.people.analytics.metrics(self.engine.caller, post.id)

    def summary(self, days: int = 28) -> Summary:
        """Return the workspace's summary."""
        return self.engine.deployment.people.analytics.summary(self.engine.caller, days=days)

    def replace(self, platform: Platform, connector: SandboxConnector) -> None:
        """Put another connector in a platform's place."""
        connectors = self.engine.deployment.connectors
        connector.first_poll = None
        connectors.sandbox[platform] = connector  # type: ignore[index]  # a dict in this room


def an_analytics_room(
    emulator: EmulatorProcess,
    folder: Path,
    *,
    platforms: tuple[Platform, ...] = (Platform.LINKEDIN, Platform.X),
) -> AnalyticsRoom:
    """Return a results room with an account on each platform named, polled as real ones are."""
    room = AnalyticsRoom(an_engine_room(emulator, folder, platforms=platforms))
    for connector in room.engine.deployment.connectors.sandbox.values():
        connector.first_poll = None  # type: ignore[attr-defined]  # the sandbox's own connectors
    return room
