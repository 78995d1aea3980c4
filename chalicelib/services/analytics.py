"""The results of a workspace's posts, for `api/resources/analytics` and the app.

It reads the metrics that were stored earlier and calls no platform (docs/api.md "Results").
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.counters import DayCounters, days_of_fresh
from chalicelib.domain.analytics.metrics import PostMetrics, Summary, TargetMetrics
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics, in_line
from chalicelib.domain.analytics.summary import Window, candidates, summary
from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.times.local_time import first_instant
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.analytics.reads import AnalyticsReads
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository

AT_ONCE = 50
MOST_DAYS = 366
"""A summary's longest window; sums of a day are kept for 400."""
MOST_POSTS = 2_000
"""The most posts that one summary reads: sums by day cannot be split by account or label."""
_LIVE = TargetStatus.PUBLISHED
_A_PAGE = 200
_LATE = timedelta(days=1)
"""How long after its scheduled time a target may have gone live, because of retries."""

Keeps: TypeAlias = Callable[[Target], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analytics:
    """What a caller may read of its workspace's results."""

    posts: PostRepository
    lists: PostLists
    reads: AnalyticsReads
    clock: Clock

    def metrics(self, caller: Caller, post_id: str) -> PostMetrics:
        """Return the latest metrics of a post. Raises PostNotFound."""
        post, results = in_parallel(
            lambda: self.posts.get(caller.workspace_id, post_id),
            lambda: self.reads.of_post(caller.workspace_id, post_id),
        )
        return _metrics_of(post, results)

    def of_posts(self, caller: Caller, posts: Sequence[Post]) -> Mapping[str, PostMetrics]:
        """Return the latest metrics of several posts, by post id."""
        results = self.reads.of_posts(caller.workspace_id, [post.id for post in posts])
        return {post.id: _metrics_of(post, results.get(post.id)) for post in posts}

    def summary(self, caller: Caller, *, days: int) -> Summary:
        """Return the results of the last `days` days in the workspace's time zone, with today.

        It takes two round trips, however many posts there are.
        """
        return self.summary_in(caller, self.window(caller, days=days))

    def window(self, caller: Caller, *, days: int) -> Window:
        """Return the last `days` days in the workspace's time zone, today included."""
        today = self.clock().astimezone(ZoneInfo(caller.timezone)).date()
        return Window(last=today, days=days)

    def summary_between(self, caller: Caller, since: date, until: date | None) -> Summary:
        """Return what went live from a day on, to one that is not included, or today."""
        today = self.clock().astimezone(ZoneInfo(caller.timezone)).date()
        days = ((until or today + timedelta(days=1)) - since).days
        if not 1 <= days <= MOST_DAYS:
            message = f"`from` must be 1 to {MOST_DAYS} days before `to`, or before tomorrow."
            raise InvalidInput(message, loc=("query", "from"))
        last = since + timedelta(days=days - 1)
        return self.summary_in(caller, Window(last=last, days=days, is_past=last < today))

    def summary_in(self, caller: Caller, window: Window) -> Summary:
        """Return the results of the posts that went live within the window."""
        kept, fresh = self.reads.since(caller.workspace_id, window.first)
        new = days_of_fresh(fresh, window.first, window.last, ZoneInfo(caller.timezone))
        in_all = [day for day in (*kept, *new) if not (window.is_past and day.day > window.last)]
        standings = candidates(in_all)
        best = self.reads.read_posts(standing.post_id for standing in standings)
        return summary(window, in_all, standings, best)

    def summary_of(
        self, caller: Caller, window: Window, keeps: Keeps, *, label: str | None = None
    ) -> Summary:
        """Return the same for some accounts only, or for posts with a label, read post by post.

        Raises InvalidInput for more than MOST_POSTS posts.
        """
        days: dict[date, DayCounters] = {}
        seen: dict[str, Post] = {}
        for post, part in self._parts_in(caller, window, keeps, label):
            day = days.get(part.live_day, DayCounters(day=part.live_day))
            days[day.day] = day.with_change(None, part)
            seen[post.id] = post
        in_all = list(days.values())
        return summary(window, in_all, candidates(in_all), seen)

    def by_views(
        self, caller: Caller, window: Window, keeps: Keeps, *, label: str | None = None
    ) -> list[tuple[Post, int]]:
        """Return what of these is live still with its views, most views first.

        Raises InvalidInput for more than MOST_POSTS posts.
        """
        parts = self._parts_in(caller, window, keeps, label)
        live = [(post, part.views) for post, part in parts if part.live]
        return sorted(live, key=lambda one: (one[1], one[0].id), reverse=True)

    def _parts_in(
        self, caller: Caller, window: Window, keeps: Keeps, label: str | None
    ) -> Iterator[tuple[Post, StoredPostMetrics]]:
        """Yield what `live_in` does, with what is known of the targets that are kept."""
        for post, stored in self.live_in(caller, window, label=label):
            wanted = {target.id for target in post.targets if keeps(target)}
            kept = {one: known for one, known in stored.targets.items() if one in wanted}
            if kept:
                yield post, replace(stored, targets=kept)

    def live_in(
        self, caller: Caller, window: Window, *, label: str | None = None
    ) -> Iterator[tuple[Post, StoredPostMetrics]]:
        """Yield the posts that went live within the window and their metrics, newest first.

        With a `label`, only posts that have it. Raises InvalidInput if more than MOST_POSTS posts
        have a time within the window.
        """
        zone, count = ZoneInfo(caller.timezone), 0
        bounds = (window.first - _LATE, window.last + timedelta(days=1))
        since, until = (first_instant(datetime(d.year, d.month, d.day), zone) for d in bounds)  # noqa: DTZ001 - wall clock
        query = PostQuery(since=since, until=until, limit=_A_PAGE, label=label)
        for posts in self.lists.pages(caller.workspace_id, query):
            count += len(posts)
            if count > MOST_POSTS:
                message = f"These are more than {MOST_POSTS:,} posts. Choose fewer days."
                raise InvalidInput(message, loc=("query", "days"))
            known = self.reads.of_posts(caller.workspace_id, [post.id for post in posts])
            for post in posts:
                stored = in_line(known.get(post.id), post, zone)
                if stored is not None and window.first <= stored.live_day <= window.last:
                    yield post, stored


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
