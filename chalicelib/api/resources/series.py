"""Endpoints of series: posts that come again (docs/api.md "Series")."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import AnyCall, Call, Reply, endpoint, reply_once
from chalicelib.api.http.fields import WHOLE, Day, In
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import (
    NoTimeToRepeat,
    PostNotFound,
    SeriesNotFound,
    TooManySeries,
)
from chalicelib.domain.times.recurrence import Every, Rule
from chalicelib.domain.times.series import (
    MOST_INTERVAL,
    MOST_TIMES,
    SHOWN_AHEAD,
    Series,
    State,
)
from chalicelib.domain.workspace.access import Scope
from chalicelib.http.messages import JsonObject

_MOST_WEEKDAYS_SENT = 7

Weekday = Annotated[int, Field(ge=0, le=6, description="0 is Monday, 6 is Sunday."), WHOLE]


class SeriesList(NamedTuple):
    """Some series, newest first."""

    data: Sequence[Series]


class RepeatIn(In):
    """How a post comes again. Without `until` and `times` it goes on until it is ended."""

    every: Every = Field(examples=["week"])
    interval: Annotated[int, WHOLE] = Field(default=1, ge=1, le=MOST_INTERVAL)
    weekdays: list[Weekday] | None = Field(
        default=None,
        min_length=1,
        max_length=_MOST_WEEKDAYS_SENT,
        description="With `week` alone; without it, the weekday of the post.",
        examples=[[0, 3]],
    )
    until: Day | None = Field(default=None, description="The last date that may be.")
    times: Annotated[int, Field(ge=1, le=MOST_TIMES), WHOLE] | None = Field(
        default=None, description="How many posts follow this one."
    )


class SeriesOut(Out, Of[Series]):
    """A post that comes again."""

    id: str
    post_id: str
    every: Annotated[Every, From("rule.every")]
    interval: Annotated[int, From("rule.interval")]
    weekdays: Annotated[list[Weekday], From("rule.weekdays")]
    until: Annotated[date | None, From("rule.until")]
    times: int | None
    made: int = Field(
        ge=0, description="How many of its dates are done: made, or let pass while nothing ran."
    )
    state: State = Field(
        description="`stopped`: a rule refused an occurrence; `reason` says which."
    )
    reason_code: str | None
    reason: str | None
    created_at: datetime
    ended_at: datetime | None
    post_ids: Annotated[list[str], From(lambda series: sorted(series.coming.values()))] = Field(
        description="The posts that were made and are to come."
    )
    next: Annotated[list[datetime], From(lambda _series: ())] = Field(
        description=f"The next {SHOWN_AHEAD} times at most, in the workspace's time zone."
    )

    @classmethod
    def serialize(cls, value: Series, call: AnyCall | None) -> JsonObject:
        """Write a series; its next times follow from the workspace's clock."""
        told = super().serialize(value, call)
        if call is not None:
            zone = ZoneInfo(call.caller.timezone)
            times = value.next_times(zone, call.services.clock())
            told["next"] = [at.astimezone(zone).isoformat() for at in times]
        return told


class SeriesListOut(Out, Of[SeriesList]):
    """Series, newest first."""

    data: list[SeriesOut] = Field(description="Those that are over stay for 30 days.")


@endpoint(
    summary="Repeat a post: the same on later days, by the same clock",
    scope=Scope.PUBLISH,
    body=RepeatIn,
    example={"every": "week", "weekdays": [0, 3], "times": 8},
    returns=SeriesOut,
    status=201,
    shown_at="/v1/series/{id}",
    takes_idempotency_key=True,
    raises=(PostNotFound, NoTimeToRepeat, TooManySeries),
)
def repeat_post(call: Call[RepeatIn]) -> Reply[Series]:
    """Begin a series."""
    body, series, post_id = call.body, call.services.posting.series, call.path["post_id"]
    if body.weekdays is not None and body.every is not Every.WEEK:
        message = 'Weekdays go with "every": "week" alone.'
        raise InvalidInput(message, loc=("body",))
    rule = Rule(
        every=body.every,
        interval=body.interval,
        weekdays=tuple(sorted(set(body.weekdays or ()))),
        until=body.until,
    )
    return reply_once(
        series.begin(
            call.caller,
            post_id,
            rule,
            times=body.times,
            key=call.idempotency_key,
            made_of=body.model_dump_json(),
        )
    )


@endpoint(summary="List the workspace's series", scope=Scope.READ, returns=SeriesListOut)
def list_series(call: Call) -> SeriesList:
    """Answer the series."""
    return SeriesList(call.services.posting.series.list(call.caller))


@endpoint(summary="Get a series", scope=Scope.READ, returns=SeriesOut, raises=(SeriesNotFound,))
def get_series(call: Call) -> Series:
    """Answer a series."""
    return call.services.posting.series.find(call.caller, call.path["series_id"])


@endpoint(
    summary="End a series; coming posts that nobody edited go, the others stay",
    scope=Scope.PUBLISH,
    returns=SeriesOut,
    raises=(SeriesNotFound,),
)
def end_series(call: Call) -> Series:
    """End a series."""
    return call.services.posting.series.end(call.caller, call.path["series_id"])
