"""Query and answer of `/v1/golden-hour` (SPEC "Golden hour result")."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from chalicelib.api.endpoint import AnyCall
from chalicelib.api.fields import COMMA_SEPARATED, ONE_AT_LEAST, Out, Query
from chalicelib.api.wire import JsonObject
from chalicelib.domain.audience import Region
from chalicelib.domain.golden_hour import GoldenHourResult
from chalicelib.domain.platforms import Platform

HOURS_OF_DAY = 24

AskedPlatform = Literal[
    Platform.INSTAGRAM,
    Platform.TIKTOK,
    Platform.YOUTUBE,
    Platform.LINKEDIN,
    Platform.X,
    Platform.FACEBOOK,
    Platform.THREADS,
]
"""The platforms that SPEC lets the query name."""

DEFAULT_PLATFORMS: tuple[AskedPlatform, ...] = (
    Platform.INSTAGRAM,
    Platform.TIKTOK,
    Platform.YOUTUBE,
    Platform.LINKEDIN,
    Platform.X,
)


class GoldenHourQuery(Query):
    """The platforms to look at, separated by commas."""

    platforms: Annotated[tuple[AskedPlatform, ...], ONE_AT_LEAST, COMMA_SEPARATED] = (
        DEFAULT_PLATFORMS
    )


class GoldenHourOut(Out):
    """A platform's next golden hour, in the audience's time zone."""

    at: datetime
    hour: int = Field(ge=0, le=23)


class GoldenHoursOut(Out):
    """When the audience is most active."""

    platforms: dict[Platform, GoldenHourOut]
    activity: list[int] = Field(
        min_length=HOURS_OF_DAY, max_length=HOURS_OF_DAY, description="Per local hour of today."
    )
    audience_regions: list[Region]
    timezone: str

    @staticmethod
    def of(result: GoldenHourResult, _call: AnyCall) -> JsonObject:
        """Write golden hours."""
        return {
            "platforms": {
                platform: {"at": golden.at.isoformat(), "hour": golden.hour}
                for platform, golden in result.platforms.items()
            },
            "activity": list(result.activity),
            "audience_regions": list(result.audience_regions),
            "timezone": result.timezone,
        }
