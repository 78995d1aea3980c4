"""Results: what happened to a post, and how it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that was done to a post, and by whom."""

    action: str
    by: str
    at: datetime
    detail: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try to post a target; `lateness_s` counts from the time it was due."""

    target_id: str
    ok: bool
    status: str
    at: datetime
    remote_id: str | None
    error_code: str | None
    error_message: str | None
    found: str | None
    lateness_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Everything that happened to a post."""

    events: tuple[Event, ...]
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How often something was seen, liked, commented, shared, followed."""

    views: int = 0
    likes: int = 0
    comments: int = 0
    shares: int = 0
    followers: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformCounts:
    """A platform's counts; every field is None until it reported."""

    views: int | None = None
    likes: int | None = None
    comments: int | None = None
    shares: int | None = None
    followers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The views of one day."""

    date: date
    views: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountMetrics:
    """What one account's part of a post earned."""

    target_id: str
    account_id: str | None
    platform: str
    handle: str
    counts: PlatformCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """A post's counts, in all and by platform; by account and day where that was asked for."""

    total: Counts
    platforms: Mapping[str, PlatformCounts]
    accounts: tuple[AccountMetrics, ...] = ()
    days: tuple[Day, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformViews:
    """The views on one platform."""

    platform: str
    views: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopPost:
    """One of the five posts that were seen most."""

    id: str
    caption: str
    views: int
    platforms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The results of the last `days` days."""

    days: int
    totals: Counts
    posts_published: int
    series: tuple[Day, ...]
    platforms: tuple[PlatformViews, ...]
    top_posts: tuple[TopPost, ...]
    activity_by_hour: tuple[int, ...]
