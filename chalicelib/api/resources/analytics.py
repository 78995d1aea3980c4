"""Endpoints that tell how posts do (docs/api.md "Results")."""

from collections.abc import ItemsView
from datetime import date
from enum import StrEnum
from operator import itemgetter
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import COMMA_SEPARATED, ONE_AT_LEAST, UP_TO_MOST, Query
from chalicelib.domain.analytics.metrics import Counts, PostMetrics, Summary, TargetMetrics
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Scope
from chalicelib.http.messages import JsonObject
from chalicelib.kit.json_value import Json

HOURS_OF_DAY = 24


class SummaryQuery(Query):
    """How far to look back: some days, or from a day on."""

    days: int = Field(default=28, ge=7, le=90)
    since: date | None = Field(
        default=None,
        alias="from",
        description="Instead of `days`: posts that went live on this day or later.",
    )
    until: date | None = Field(
        default=None,
        alias="to",
        description="The day after the last one, at most 366 after `from`; tomorrow if left out.",
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.since is None and self.until is not None:
            raise PydanticCustomError("from_missing", "`to` needs `from`.")
        if self.since is not None and "days" in self.model_fields_set:
            raise PydanticCustomError("days_and_from", "Send either `days` or `from`.")
        return self


class By(StrEnum):
    """By what else a post's metrics can be told."""

    ACCOUNT = "account"
    DAY = "day"


class MetricsQuery(Query):
    """What is wanted besides the counts of each platform."""

    by: Annotated[tuple[By, ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED] = Field(
        default=(), description="`account` adds `accounts`, `day` adds `days`."
    )


class CountsOut(Out):
    """What was counted."""

    views: int
    likes: int
    comments: int
    shares: int
    followers: int


class NothingOut(Out):
    """A platform that has not reported, or whose post was deleted there: an empty object."""


class DayOut(Out):
    """One day's views."""

    date: Annotated[date, From(itemgetter(0))]
    views: Annotated[int, From(itemgetter(1))]


class AccountMetricsOut(Out):
    """How one account's part of a post does; `counts` is empty until its platform reported."""

    target_id: str
    account_id: str | None = Field(description="Null once the account was disconnected.")
    platform: Platform
    handle: str
    counts: CountsOut | NothingOut

    @classmethod
    def serialize(cls, value: TargetMetrics, call: AnyCall | None) -> JsonObject:
        """Write a target's metrics."""
        is_connected = call is None or value.account_id in call.caller.accounts
        return {
            "target_id": value.target_id,
            "account_id": value.account_id if is_connected else None,
            "platform": value.platform,
            "handle": value.handle,
            "counts": _counts(value.counts, call),
        }


class MetricsOut(Out, Of[PostMetrics]):
    """How one post does."""

    total: CountsOut
    platforms: dict[Platform, CountsOut | NothingOut]
    accounts: list[AccountMetricsOut] = Field(
        default_factory=list, description="With `by=account`, and in lists."
    )
    days: list[DayOut] = Field(default_factory=list, description="With `by=day`.")

    @classmethod
    def serialize(cls, value: PostMetrics, call: AnyCall | None) -> JsonObject:
        """Write a post's metrics, with what was asked for besides."""
        wanted = call.query.by if call and isinstance(call.query, MetricsQuery) else ()
        written: JsonObject = {
            "total": CountsOut.serialize(value.total, call),
            "platforms": {
                platform: _counts(counts, call) for platform, counts in value.platforms.items()
            },
        }
        if By.ACCOUNT in wanted:
            written["accounts"] = by_account(value, call)
        if By.DAY in wanted:
            written["days"] = [DayOut.serialize(day, call) for day in value.views_by_day.items()]
        return written


def by_account(value: PostMetrics, call: AnyCall | None) -> list[Json]:
    """Write what each account of a post reported."""
    return [AccountMetricsOut.serialize(target, call) for target in value.targets]


def _counts(counts: Counts | None, call: AnyCall | None) -> JsonObject:
    return {} if counts is None else CountsOut.serialize(counts, call)


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
    summary="Get a post's metrics on each of its platforms",
    scope=Scope.READ,
    query=MetricsQuery,
    returns=MetricsOut,
    raises=(PostNotFound,),
)
def get_metrics(call: Call[None, MetricsQuery]) -> PostMetrics:
    """Answer what platforms reported last."""
    return call.services.people.analytics.metrics(call.caller, call.path["post_id"])


@endpoint(
    summary="Summarize the results of posts that went live in the last days",
    scope=Scope.READ,
    query=SummaryQuery,
    returns=SummaryOut,
)
def get_summary(call: Call[None, SummaryQuery]) -> Summary:
    """Answer the workspace's figures."""
    query, analytics = call.query, call.services.people.analytics
    if query.since is not None:
        return analytics.summary_between(call.caller, query.since, query.until)
    return analytics.summary(call.caller, days=query.days)
