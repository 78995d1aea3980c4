"""How posts do: one post's metrics, and a workspace's over some days (docs/api.md "Results").

`api/resources/analytics` calls it. It reads what the metrics worker gathered and asks no platform.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.counters import day_of_fresh
from chalicelib.domain.analytics.metrics import Counts, PostMetrics, Summary, total_of
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.analytics.summary import Window, candidates, summary
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.analytics.reads import AnalyticsReads
from chalicelib.storage.posts.posts import PostRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Analytics:
    """What a caller may read of its workspace's results."""

    posts: PostRepository
    reads: AnalyticsReads
    clock: Clock

    def metrics(self, caller: Caller, post_id: str) -> PostMetrics:
        """Return what platforms reported of a post last. Raises PostNotFound."""
        post, results = in_parallel(
            lambda: self.posts.get(caller.workspace_id, post_id),
            lambda: self.reads.of_post(caller.workspace_id, post_id),
        )
        by_platform: dict[Platform, list[Counts]] = {target.platform: [] for target in post.targets}
        for platform, counts in _reported(post, results):
            by_platform[platform].append(counts)
        return PostMetrics(
            platforms={
                platform: total_of(reported) if reported else None
                for platform, reported in by_platform.items()
            }
        )

    def summary(self, caller: Caller, *, days: int) -> Summary:
        """Return what went live in the last `days` days of the workspace's clock, today included.

        Two round trips, however many posts there are.
        """
        zone = ZoneInfo(caller.timezone)
        window = Window(last=self.clock().astimezone(zone).date(), days=days)
        kept, fresh = self.reads.since(caller.workspace_id, window.first)
        in_all = [*kept, day_of_fresh(fresh, window.first, zone)]
        standings = candidates(in_all)
        captions = self.reads.captions(standing.post_id for standing in standings)
        return summary(window, in_all, standings, captions)


def _reported(post: Post, results: StoredPostMetrics | None) -> Iterator[tuple[Platform, Counts]]:
    """Yield what is known of each target that is live still."""
    if results is None:
        return
    for target in post.targets:
        known = results.targets.get(target.id)
        counts = None if known is None else known.counts
        if target.status is TargetStatus.PUBLISHED and counts is not None:
            yield target.platform, counts
