"""A post's metrics per platform, and a workspace's metrics over some days.

`services/analytics` gathers them from what platforms reported; the API writes them as they are
(docs/api.md "Metrics", "Analytics summary").
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import date

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Attachment
from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was counted so far."""

    views: int = 0
    likes: int = 0
    comments: int = 0
    shares: int = 0
    followers: int = 0

    @property
    def engagement(self) -> int:
        """Return the number of likes, comments and shares together."""
        return self.likes + self.comments + self.shares


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """A platform's counts for a live post at one moment; None for a count it does not report.

    With all of them None the post exists and nothing was reported.
    """

    views: int | None = None
    likes: int | None = None
    comments: int | None = None
    shares: int | None = None
    followers: int | None = None

    def over(self, earlier: "Metrics") -> "Metrics":
        """Return these, with missing counts taken from earlier ones; views never decrease."""
        views = [count for count in (self.views, earlier.views) if count is not None]
        return Metrics(
            views=max(views, default=None),
            likes=earlier.likes if self.likes is None else self.likes,
            comments=earlier.comments if self.comments is None else self.comments,
            shares=earlier.shares if self.shares is None else self.shares,
            followers=earlier.followers if self.followers is None else self.followers,
        )

    @property
    def sum(self) -> int:
        """Return all counts together."""
        told = (self.views, self.likes, self.comments, self.shares, self.followers)
        return sum(count for count in told if count is not None)

    @property
    def counts(self) -> Counts | None:
        """Return them as counts, None when nothing was reported."""
        if self == Metrics():
            return None
        return Counts(
            views=self.views or 0,
            likes=self.likes or 0,
            comments=self.comments or 0,
            shares=self.shares or 0,
            followers=self.followers or 0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetMetrics:
    """The metrics of one target of a post; `counts` are None until its platform reported."""

    target_id: str
    account_id: str
    platform: Platform
    handle: str
    counts: Counts | None = None
    views_by_day: Mapping[date, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMetrics:
    """A post's counts on each of its accounts."""

    targets: tuple[TargetMetrics, ...]

    @property
    def platforms(self) -> Mapping[Platform, Counts | None]:
        """Return the counts of each platform it has a target on; None until one reported."""
        reported: dict[Platform, list[Counts]] = {each.platform: [] for each in self.targets}
        for target in self.targets:
            if target.counts is not None:
                reported[target.platform].append(target.counts)
        return {platform: total_of(some) if some else None for platform, some in reported.items()}

    @property
    def total(self) -> Counts:
        """Return the sum of what was reported."""
        return total_of(each.counts for each in self.targets if each.counts is not None)

    @property
    def views_by_day(self) -> Mapping[date, int]:
        """Return the views of each day, on all accounts."""
        views: Counter[date] = Counter()
        for target in self.targets:
            views.update(target.views_by_day)
        return dict(sorted(views.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class TopPost:
    """One of the posts with the most views."""

    id: str
    caption: str
    file: Attachment | None
    views: int
    platforms: tuple[Platform, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySums:
    """One day: its views are those of that day; all else is of posts that went live on it."""

    posts: int
    counts: Counts
    views_by_platform: Mapping[Platform, int]


WeekHour = tuple[int, int]
"""A weekday, 0 for Monday, and an hour of the workspace's clock."""


@dataclass(frozen=True, slots=True)
class HourSums:
    """How many targets went live in an hour, and the views they have."""

    targets: int = 0
    views: int = 0

    def __add__(self, other: "HourSums") -> "HourSums":
        """Return both together."""
        return HourSums(self.targets + other.targets, self.views + other.views)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Posts that went live in the last `days` days and their metrics; series have every day."""

    days: int
    totals: Counts
    posts_published: int
    views_by_day: Mapping[date, int]
    views_by_platform: Mapping[Platform, int]
    by_day: Mapping[date, DaySums]
    engagement_by_platform: Mapping[Platform, int]
    top_posts: tuple[TopPost, ...]
    activity_by_hour: tuple[int, ...]
    by_week_hour: Mapping[WeekHour, HourSums]


def total_of(reported: Iterable[Counts]) -> Counts:
    """Add counts up."""
    counted = list(reported)
    return Counts(
        views=sum(one.views for one in counted),
        likes=sum(one.likes for one in counted),
        comments=sum(one.comments for one in counted),
        shares=sum(one.shares for one in counted),
        followers=sum(one.followers for one in counted),
    )
