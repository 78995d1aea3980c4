"""Endpoints that tell how posts do (docs/api.md "Results")."""

from collections.abc import ItemsView
from datetime import date
from operator import itemgetter
from typing import Annotated

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import Query
from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.analytics.metrics import PostMetrics, Summary
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


class MetricsOut(Out, Of[PostMetrics]):
    """How one post does."""

    total: CountsOut
    platforms: dict[Platform, CountsOut | NothingOut]

    @classmethod
    def written(cls, value: PostMetrics, call: AnyCall | None) -> JsonObject:
        """Write a post's metrics."""
        return {
            "total": CountsOut.written(value.total, call),
            "platforms": {
                platform: {} if counts is None else CountsOut.written(counts, call)
                for platform, counts in value.platforms.items()
            },
        }


class DayOut(Out):
    """One day's views."""

    date: Annotated[date, From(itemgetter(0))]
    views: Annotated[int, From(itemgetter(1))]


class PlatformViewsOut(Out):
    """One platform's views."""

    platform: Annotated[Platform, From(itemgetter(0))]
    views: Annotated[int, From(itemgetter(1))]


class TopPostOut(Out):
    """One of the posts seen most."""

    id: str
    caption: str
    views: int
    platforms: list[Platform]


def _by_day(summary: Summary) -> ItemsView[date, int]:
    return summary.views_by_day.items()


def _by_platform(summary: Summary) -> ItemsView[Platform, int]:
    return summary.views_by_platform.items()


class SummaryOut(Out, Of[Summary]):
    """How everything that went live in the last days does."""

    days: int
    totals: CountsOut
    posts_published: int
    series: Annotated[list[DayOut], From(_by_day)]
    platforms: Annotated[list[PlatformViewsOut], From(_by_platform)]
    top_posts: list[TopPostOut] = Field(max_length=5)
    activity_by_hour: list[int] = Field(min_length=HOURS_OF_DAY, max_length=HOURS_OF_DAY)


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
