"""The endpoint of golden hours (docs/api.md "Scheduling"): when to post, by platform."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from chalicelib.api.http.answers import Of, Out
from chalicelib.api.http.endpoint import Call, endpoint
from chalicelib.api.http.fields import COMMA_SEPARATED, ONE_AT_LEAST, UP_TO_MOST, Query
from chalicelib.domain.platforms.facts import FACTS, Golden
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import Region
from chalicelib.domain.times.golden_hour import GoldenHourResult

HOURS_OF_DAY = 24


def _platform_of(value: str) -> Platform:
    """Return a platform; the enum itself has no signature that Pydantic reads in Python 3.12."""
    return Platform(value)


if TYPE_CHECKING:
    AskedPlatform: TypeAlias = Platform
else:
    # Of values, not members: a refusal spells what it expects, and a member by its Python name.
    AskedPlatform = Annotated[
        Literal[
            tuple(name.value for name in Platform if FACTS[name].golden_hour is not Golden.NEVER)
        ],
        AfterValidator(_platform_of),
    ]
"""The platforms that docs/api.md lets the query name."""

DEFAULT_PLATFORMS = tuple(
    platform for platform in Platform if FACTS[platform].golden_hour is Golden.BY_DEFAULT
)


class GoldenHourQuery(Query):
    """The platforms to look at, separated by commas."""

    platforms: Annotated[tuple[AskedPlatform, ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED] = (
        DEFAULT_PLATFORMS
    )


class GoldenHourOut(Out):
    """A platform's next golden hour, in the audience's time zone."""

    at: datetime
    hour: int = Field(ge=0, le=23)


class GoldenHoursOut(Out, Of[GoldenHourResult]):
    """When the audience is most active."""

    platforms: dict[Platform, GoldenHourOut]
    activity: list[int] = Field(
        min_length=HOURS_OF_DAY, max_length=HOURS_OF_DAY, description="Per local hour of today."
    )
    audience_regions: list[Region]
    timezone: str


@endpoint(
    summary="Get the next hour at which each platform's audience is most active",
    scope=None,
    query=GoldenHourQuery,
    returns=GoldenHoursOut,
)
def get_golden_hour(call: Call[None, GoldenHourQuery]) -> GoldenHourResult:
    """Answer the next golden hours."""
    return call.services.posting.golden_hours.get(
        call.caller, call.query.platforms or DEFAULT_PLATFORMS
    )
