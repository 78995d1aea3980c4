"""Queries and answers of metrics and the analytics summary (SPEC "Results")."""

from datetime import date

from pydantic import Field

from chalicelib.api.endpoint import AnyCall
from chalicelib.api.fields import Out, Query
from chalicelib.api.wire import JsonObject
from chalicelib.domain.platforms import Platform
from chalicelib.domain.results import Counts, PostMetrics, Summary

HOURS_OF_DAY = 24


class SummaryQuery(Query):
    """How far to look back."""

    days: int = Field(default=28, ge=7, le=90)


class CountsOut(Out):
    """What was counted."""

    views: int
    likes: int
    comments: int
    shares: int
    followers: int


class NothingOut(Out):
    """A platform that has not reported, or whose post was deleted there: an empty object."""


class MetricsOut(Out):
    """How one post does."""

    total: CountsOut
    platforms: dict[Platform, CountsOut | NothingOut]

    @staticmethod
    def of(result: PostMetrics, _call: AnyCall) -> JsonObject:
        """Write a post's metrics."""
        return {
            "total": _counts(result.total),
            "platforms": {
                platform: {} if counts is None else _counts(counts)
                for platform, counts in result.platforms.items()
            },
        }


class DayOut(Out):
    """One day's views."""

    date: date
    views: int


class PlatformViewsOut(Out):
    """One platform's views."""

    platform: Platform
    views: int


class TopPostOut(Out):
    """One of the posts seen most."""

    id: str
    caption: str
    views: int
    platforms: list[Platform]


class SummaryOut(Out):
    """How everything that went live in the last days does."""

    days: int
    totals: CountsOut
    posts_published: int
    series: list[DayOut]
    platforms: list[PlatformViewsOut]
    top_posts: list[TopPostOut] = Field(max_length=5)
    activity_by_hour: list[int] = Field(min_length=HOURS_OF_DAY, max_length=HOURS_OF_DAY)

    @staticmethod
    def of(result: Summary, _call: AnyCall) -> JsonObject:
        """Write a summary."""
        return {
            "days": result.days,
            "totals": _counts(result.totals),
            "posts_published": result.posts_published,
            "series": [
                {"date": day.isoformat(), "views": views}
                for day, views in result.views_by_day.items()
            ],
            "platforms": [
                {"platform": platform, "views": views}
                for platform, views in result.views_by_platform.items()
            ],
            "top_posts": [
                {
                    "id": post.id,
                    "caption": post.caption,
                    "views": post.views,
                    "platforms": list(post.platforms),
                }
                for post in result.top_posts
            ],
            "activity_by_hour": list(result.activity_by_hour),
        }


def _counts(counts: Counts) -> JsonObject:
    return {
        "views": counts.views,
        "likes": counts.likes,
        "comments": counts.comments,
        "shares": counts.shares,
        "followers": counts.followers,
    }
