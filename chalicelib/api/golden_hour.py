"""The endpoint of golden hours (SPEC "Scheduling"): when to post, by platform."""

from chalicelib.api.endpoint import Call, endpoint
from chalicelib.api.schemas_golden_hour import (
    DEFAULT_PLATFORMS,
    GoldenHourQuery,
    GoldenHoursOut,
)
from chalicelib.domain.golden_hour import GoldenHourResult


@endpoint(
    "GET",
    "/v1/golden-hour",
    summary="The next hour at which each platform's audience is most active",
    scope=None,
    query=GoldenHourQuery,
    returns=GoldenHoursOut,
)
def get_golden_hour(call: Call[None, GoldenHourQuery]) -> GoldenHourResult:
    """Answer the next golden hours."""
    return call.services.golden_hours.get(call.caller, call.query.platforms or DEFAULT_PLATFORMS)
