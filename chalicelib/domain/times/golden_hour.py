"""Golden hours: the whole hour of a day at which a platform's audience is most active.

Scheduling asks for a target's next one, `GET /v1/golden-hour` for several at once. Hours are the
audience's own; a region elsewhere counts with its curve moved by the difference of the two clocks
on that very day, so half-hour zones and changes of the clock need no rule of their own. The
workspace's own results raise some hours above others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.learning import NEUTRAL, NOTHING_LEARNED, Learned
from chalicelib.domain.platforms.facts import FACTS, Curve
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import Audience, Region
from chalicelib.domain.times.local_time import exists, first_instant
from chalicelib.kit.dataclass import dataclass

_DAYS_LOOKED_AT = 4
_BEST = 100

Lifting = Callable[[datetime], int]
"""How much better than others the hour from an instant on performed, in per cent."""


class GoldenHour(NamedTuple):
    """A golden hour, in the audience's zone, and the hour its clock shows."""

    at: datetime
    hour: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHourResult:
    """What `GET /v1/golden-hour` answers (docs/api.md "Golden hour result").

    `activity` sums the platforms up, for each local hour of today, 100 at the best.
    """

    platforms: Mapping[Platform, GoldenHour]
    activity: tuple[int, ...]
    audience_regions: tuple[Region, ...]
    timezone: str


class Hours(NamedTuple):
    """A platform's hours of today: by its sourced curve, and as adjusted by own results.

    Each is 100 at its best, with the hour of the next golden hour; `learned` is None while there
    is too little to learn from.
    """

    sourced: tuple[int, ...]
    sourced_best: int
    learned: tuple[int, ...] | None
    learned_best: int


def hours_of(platform: Platform, audience: Audience, now: datetime, learned: Learned) -> Hours:
    """Return a platform's curve, and the one adjusted by the workspace's own results."""
    knows = platform in learned.lifts
    return Hours(
        sourced=_activity_today((platform,), audience, now, NOTHING_LEARNED),
        sourced_best=golden_hour(platform, audience, now).hour,
        learned=_activity_today((platform,), audience, now, learned) if knows else None,
        learned_best=golden_hour(platform, audience, now, learned).hour,
    )


def golden_hour(
    platform: Platform, audience: Audience, now: datetime, learned: Learned = NOTHING_LEARNED
) -> datetime:
    """Return the platform's next golden hour, after `now`, in the audience's zone."""
    return next_best_hour(FACTS[platform].activity, audience, now, partial(learned.lift, platform))


def golden_hours(
    platforms: Iterable[Platform],
    audience: Audience,
    now: datetime,
    learned: Learned = NOTHING_LEARNED,
) -> GoldenHourResult:
    """Return the next golden hour of each platform; at least one is given."""
    asked = tuple(dict.fromkeys(platforms))
    times = {platform: golden_hour(platform, audience, now, learned) for platform in asked}
    return GoldenHourResult(
        platforms={platform: GoldenHour(at, at.hour) for platform, at in times.items()},
        activity=_activity_today(asked, audience, now, learned),
        audience_regions=audience.regions,
        timezone=audience.timezone,
    )


def _no_lift(_at: datetime) -> int:
    return NEUTRAL


def next_best_hour(
    curve: Curve, audience: Audience, now: datetime, lift: Lifting = _no_lift
) -> datetime:
    """Return the first best hour of a day, by this curve, that is after `now`.

    The earliest of equally good hours is a day's best. Raises ZoneInfoNotFoundError.
    """
    zone = ZoneInfo(audience.timezone)
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(_DAYS_LOOKED_AT))

    def activity_at(at: datetime) -> int:
        return _activity_at(at, curve, audience) * lift(at)

    best = (_best_hour(activity_at, day, zone) for day in days)
    return next(at.astimezone(zone) for at in best if at is not None and at > now)


def golden_hours_of(
    platform: Platform, audience: Audience, days: Iterable[date], learned: Learned
) -> Iterator[datetime]:
    """Yield a platform's golden hour on each day, computed once for each UTC offset."""
    zone = ZoneInfo(audience.timezone)
    clocks = [zone, ZoneInfo(learned.timezone), *(other for other, _ in audience.zones)]
    known: dict[tuple[timedelta | None, ...], int] = {}

    def activity_at(at: datetime) -> int:
        return _activity_at(at, FACTS[platform].activity, audience) * learned.lift(platform, at)

    for day in days:
        ends = [
            first_instant(datetime.combine(day + timedelta(one), time()), zone) for one in (0, 1)
        ]
        offsets = tuple(clock.utcoffset(end.astimezone(clock)) for end in ends for clock in clocks)
        if offsets not in known:
            best = _best_hour(activity_at, day, zone)
            if best is None:
                continue
            known[offsets] = best.astimezone(zone).hour
        yield first_instant(datetime.combine(day, time(known[offsets])), zone)


def _best_hour(
    activity_at: Callable[[datetime], int], day: date, zone: ZoneInfo
) -> datetime | None:
    """Return the day's best whole hour (UTC), None for a day that the zone skipped."""
    hours = [first_instant(local, zone) for local in _hours(day) if exists(local, zone)]
    return max(hours, key=activity_at, default=None)


def _activity_at(instant: datetime, curve: Curve, audience: Audience) -> int:
    """Return the audience's activity in the hour from this instant on, weighted by region."""
    return sum(
        weight * _activity_from(instant.astimezone(zone), curve) for zone, weight in audience.zones
    )


def _activity_from(local: datetime, curve: Curve) -> int:
    """Return 60 times the mean of a curve over the hour from a local time on."""
    this_hour, next_hour = curve[local.hour], curve[(local.hour + 1) % 24]
    return (60 - local.minute) * this_hour + local.minute * next_hour


def _activity_today(
    platforms: Iterable[Platform], audience: Audience, now: datetime, learned: Learned
) -> tuple[int, ...]:
    """Return the curves' sum for each local hour of today, 100 at the best.

    An hour that is skipped today has the value of the hour that the clock shows instead.
    """
    zone = ZoneInfo(audience.timezone)
    hours = [first_instant(local, zone) for local in _hours(now.astimezone(zone).date())]
    sums = [
        sum(
            _activity_at(at, FACTS[platform].activity, audience) * learned.lift(platform, at)
            for platform in platforms
        )
        for at in hours
    ]
    return tuple((_BEST * value + max(sums) // 2) // max(sums) for value in sums)


def _hours(day: date) -> Iterator[datetime]:
    return (datetime.combine(day, time(hour)) for hour in range(24))
