"""How posts do, as `api/resources/analytics` and the app read it (docs/api.md "Results").

What was gathered is read; no platform is asked.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.counters import day_of_fresh
from chalicelib.domain.analytics.metrics import PostMetrics, Summary, TargetMetrics
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.analytics.summary import Window, candidates, summary
from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.analytics.reads import AnalyticsReads
from chalicelib.storage.posts.posts import PostRepository

AT_ONCE = 50
MOST_DAYS = 366
"""A summary's longest window; sums of a day are kept for 400."""
_LIVE = TargetStatus.PUBLISHED


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
        return _metrics_of(post, results)

    def of_posts(self, caller: Caller, posts: Sequence[Post]) -> Mapping[str, PostMetrics]:
        """Return what platforms reported of posts last, by post id."""
        results = self.reads.of_posts(caller.workspace_id, [post.id for post in posts])
        return {post.id: _metrics_of(post, results.get(post.id)) for post in posts}

    def summary(self, caller: Caller, *, days: int) -> Summary:
        """Return what went live in the last `days` days of the workspace's clock, today included.

        Two round trips, however many posts there are.
        """
        today = self.clock().astimezone(ZoneInfo(caller.timezone)).date()
        return self._summary(caller, Window(last=today, days=days))

    def summary_between(self, caller: Caller, since: date, until: date | None) -> Summary:
        """Return what went live from a day on, to one that is not included, or today."""
        today = self.clock().astimezone(ZoneInfo(caller.timezone)).date()
        last = today if until is None else until - timedelta(days=1)
        days = (last - since).days + 1
        if not 1 <= days <= MOST_DAYS:
            message = f"`from` must be 1 to {MOST_DAYS} days before `to`, or before tomorrow."
            raise InvalidInput(message, loc=("query", "from"))
        return self._summary(caller, Window(last=last, days=days, is_past=last < today))

    def _summary(self, caller: Caller, window: Window) -> Summary:
        kept, fresh = self.reads.since(caller.workspace_id, window.first)
        new = day_of_fresh(fresh, window.first, ZoneInfo(caller.timezone))
        in_all = [day for day in (*kept, new) if not (window.is_past and day.day > window.last)]
        standings = candidates(in_all)
        captions = self.reads.captions(standing.post_id for standing in standings)
        return summary(window, in_all, standings, captions)


def _metrics_of(post: Post, results: StoredPostMetrics | None) -> PostMetrics:
    """Return what is known of a post; of a target only while it is live."""
    known = {} if results is None else results.targets
    return PostMetrics(
        targets=tuple(
            TargetMetrics(
                target_id=target.id,
                account_id=target.account_id,
                platform=target.platform,
                handle=target.handle,
                counts=stored.counts if stored else None,
                views_by_day=stored.gained if stored else {},
            )
            for target in post.targets
            for stored in [known.get(target.id) if target.status is _LIVE else None]
        )
    )
