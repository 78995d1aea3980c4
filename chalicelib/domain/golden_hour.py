"""Golden hours: the whole hour of a day at which a platform's audience is most active.

Scheduling asks for a target's next one, `GET /v1/golden-hour` for several at once. Hours are the
audience's own; a region elsewhere counts with its curve moved by the difference of the two clocks
on that very day, so half-hour zones and changes of the clock need no rule of their own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from chalicelib.domain.activity import ACTIVITY, Curve
from chalicelib.domain.audience import Audience, Region
from chalicelib.domain.local_time import exists, first_instant
from chalicelib.domain.platforms import Platform

_DAYS_LOOKED_AT = 4
_BEST = 100


class GoldenHour(NamedTuple):
    """A golden hour, in the audience's zone, and the hour its clock shows."""

    at: datetime
    hour: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHourResult:
    """What `GET /v1/golden-hour` answers (SPEC "Golden hour result").

    `activity` sums the platforms up, for each local hour of today, 100 at the best.
    """

    platforms: Mapping[Platform, GoldenHour]
    activity: tuple[int, ...]
    audience_regions: tuple[Region, ...]
    timezone: str


def golden_hour(platform: Platform, audience: Audience, now: datetime) -> datetime:
    """Return the platform's next golden hour, after `now`, in the audience's zone."""
    return next_best_hour(ACTIVITY[platform], audience, now)


def golden_hours(
    platforms: Iterable[Platform], audience: Audience, now: datetime
) -> GoldenHourResult:
    """Return the next golden hour of each platform, of which there is one at least."""
    asked = tuple(dict.fromkeys(platforms))
    times = {platform: golden_hour(platform, audience, now) for platform in asked}
    return GoldenHourResult(
        platforms={platform: GoldenHour(at, at.hour) for platform, at in times.items()},
        activity=_activity_today([ACTIVITY[platform] for platform in asked], audience, now),
        audience_regions=audience.regions,
        timezone=audience.timezone,
    )


def next_best_hour(curve: Curve, audience: Audience, now: datetime) -> datetime:
    """Return the first best hour of a day, by this curve, that is after `now`.

    The earliest of equally good hours is a day's best. Raises ZoneInfoNotFoundError.
    """
    zone = ZoneInfo(audience.timezone)
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(_DAYS_LOOKED_AT))
    best = (_best_hour(curve, audience, day, zone) for day in days)
    return next(at.astimezone(zone) for at in best if at is not None and at > now)


def _best_hour(curve: Curve, audience: Audience, day: date, zone: ZoneInfo) -> datetime | None:
    """Return the day's best whole hour (UTC), None for a day that the zone skipped."""
    hours = [first_instant(local, zone) for local in _hours(day) if exists(local, zone)]
    return max(hours, key=lambda at: _activity_at(at, curve, audience), default=None)


def _activity_at(instant: datetime, curve: Curve, audience: Audience) -> int:
    """Weigh what every part of the audience does in the hour that begins at this instant."""
    return sum(
        weight * _activity_from(instant.astimezone(zone), curve) for zone, weight in audience.zones
    )


def _activity_from(local: datetime, curve: Curve) -> int:
    """Return 60 times the mean of a curve over the hour from a local time on."""
    this_hour, next_hour = curve[local.hour], curve[(local.hour + 1) % 24]
    return (60 - local.minute) * this_hour + local.minute * next_hour


def _activity_today(curves: Iterable[Curve], audience: Audience, now: datetime) -> tuple[int, ...]:
    """Return the curves' sum for each local hour of today, 100 at the best.

    An hour that is skipped today stands with what the clock shows instead.
    """
    zone = ZoneInfo(audience.timezone)
    together = tuple(sum(values) for values in zip(*curves, strict=True))
    hours = [first_instant(local, zone) for local in _hours(now.astimezone(zone).date())]
    sums = [_activity_at(at, together, audience) for at in hours]
    return tuple((_BEST * value + max(sums) // 2) // max(sums) for value in sums)


def _hours(day: date) -> Iterator[datetime]:
    return (datetime.combine(day, time(hour)) for hour in range(24))
