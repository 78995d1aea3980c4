"""Makes the analytics summary from the counters' days (docs/api.md "Analytics summary").

`services/analytics` calls it with the days it read. Everything is about posts that went live in the
window: `series` tells on which day their views were seen, so it sums up to the total;
`activity_by_hour` by the hour at which the targets that earned them went live.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from chalicelib.domain.analytics.counters import (
    Counters,
    DayCounters,
    Kind,
    Standing,
    best_standings,
    read_hour_mark,
)
from chalicelib.domain.analytics.metrics import Counts, DaySums, Summary, TopPost
from chalicelib.domain.analytics.week import sums_by_week_hour
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dataclass import dataclass

TOP = 5
CANDIDATES = 20
"""How many of the best are polled, as some of them may have been deleted."""

_HOURS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The days a summary is about; `last` is today on the workspace's clock, or a day before."""

    last: date
    days: int
    is_past: bool = False
    """Whether it ended before today: views since then are in its sums, on none of its days.
    """

    @property
    def first(self) -> date:
        """Return its first day."""
        return self.last - timedelta(days=self.days - 1)

    @property
    def before(self) -> "Window":
        """Return the window of as many days before it."""
        return Window(last=self.first - timedelta(days=1), days=self.days, is_past=True)

    @property
    def dates(self) -> list[date]:
        """Return every day of it."""
        return [self.first + timedelta(days=n) for n in range(self.days)]


def add_up(days: Iterable[DayCounters]) -> Counters:
    """Return the sum of some days."""
    total: Counters = Counter()
    for day in days:
        total.update(day.counters)
    return total


def candidates(days: Iterable[DayCounters]) -> tuple[Standing, ...]:
    """Return the posts among which the best five are, best first and each once.

    A post that is just being added to its day's sum may be there and among the fresh ones.
    """
    ranked = sorted((standing for day in days for standing in day.top), key=lambda one: one.rank)
    return best_standings({standing.post_id: standing for standing in ranked}.values(), CANDIDATES)


def summary(
    window: Window,
    days: Sequence[DayCounters],
    standings: Iterable[Standing],
    posts: Mapping[str, Post],
) -> Summary:
    """Make a summary; standings without a post are left out: their posts are deleted."""
    total = add_up(days)
    by_day: Counter[date] = Counter()
    by_hour: Counter[int] = Counter()
    by_platform: Counter[Platform] = Counter()
    engaged: Counter[Platform] = Counter()
    for (kind, mark), count in total.items():
        if kind is Kind.GAINED:
            by_day[_day_of(mark, window)] += count
        elif kind is Kind.ENGAGED:
            engaged[Platform(mark)] += max(count, 0)
        elif kind is Kind.VIEWS or kind is Kind.TARGETS:
            platform, hour = read_hour_mark(mark)
            views = count if kind is Kind.VIEWS else 0
            by_hour[hour] += views
            by_platform[platform] += views
    return Summary(
        days=window.days,
        totals=_totals(total, sum(by_platform.values())),
        posts_published=total[Kind.POSTS, ""],
        views_by_day={day: by_day[day] for day in window.dates},
        views_by_platform=dict(sorted(by_platform.items(), key=_most_views_first)),
        by_day=_by_day(window, days, by_day),
        engagement_by_platform={platform: engaged[platform] for platform in by_platform},
        top_posts=_top(standings, posts),
        activity_by_hour=tuple(by_hour[hour] for hour in range(_HOURS)),
        by_week_hour=sums_by_week_hour(days),
    )


def _day_of(mark: str, window: Window) -> date:
    """Return the day of views; a day after today is another zone's."""
    seen = date.fromisoformat(mark)
    return seen if window.is_past else min(seen, window.last)


def _totals(total: Counters, views: int) -> Counts:
    return Counts(
        views=views,
        likes=total[Kind.LIKES, ""],
        comments=total[Kind.COMMENTS, ""],
        shares=total[Kind.SHARES, ""],
        followers=total[Kind.FOLLOWERS, ""],
    )


def _by_day(
    window: Window, days: Iterable[DayCounters], seen: Mapping[date, int]
) -> dict[date, DaySums]:
    """Return each day's sums; a day after today is another zone's."""
    sums: dict[date, Counters] = {day: Counter() for day in window.dates}
    for day in days:
        sums[min(day.day, window.last)].update(day.counters)
    return {day: _sums_of(one, seen[day]) for day, one in sums.items()}


def _sums_of(day: Counters, views: int) -> DaySums:
    by_platform: Counter[Platform] = Counter()
    for (kind, mark), count in day.items():
        if kind is Kind.VIEWS:
            by_platform[read_hour_mark(mark)[0]] += count
    return DaySums(
        posts=day[Kind.POSTS, ""], counts=_totals(day, views), views_by_platform=by_platform
    )


def _most_views_first(item: tuple[Platform, int]) -> tuple[int, int]:
    platform, views = item
    return -views, list(Platform).index(platform)


def _top(standings: Iterable[Standing], posts: Mapping[str, Post]) -> tuple[TopPost, ...]:
    there = [standing for standing in standings if standing.post_id in posts]
    return tuple(
        TopPost(
            id=standing.post_id,
            caption=posts[standing.post_id].caption,
            file=posts[standing.post_id].attachment,
            views=standing.views,
            platforms=standing.platforms,
        )
        for standing in there[:TOP]
    )
