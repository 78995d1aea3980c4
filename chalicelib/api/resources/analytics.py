"""Endpoints that tell how posts do (docs/api.md "Results")."""

from datetime import date

from pydantic import Field

from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import Out, Query
from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.analytics.metrics import Counts, PostMetrics, Summary
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Scope

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


@endpoint(
    "GET",
    "/v1/posts/{post_id}/metrics",
    summary="Get a post's metrics on each of its platforms",
    scope=Scope.READ,
    returns=MetricsOut,
    raises=(PostNotFound,),
)
def get_metrics(call: Call) -> PostMetrics:
    """Answer what platforms reported last."""
    return call.services.analytics.metrics(call.caller, call.path["post_id"])


@endpoint(
    "GET",
    "/v1/analytics/summary",
    summary="Summarize the results of posts that went live in the last days",
    scope=Scope.READ,
    query=SummaryQuery,
    returns=SummaryOut,
)
def get_summary(call: Call[None, SummaryQuery]) -> Summary:
    """Answer the workspace's figures."""
    return call.services.analytics.summary(call.caller, days=call.query.days)


ENDPOINTS = (get_metrics, get_summary)
