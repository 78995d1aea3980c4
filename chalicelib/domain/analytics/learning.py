"""Learns from a workspace's own results about hours: a lift for each platform and hour.

The metrics worker runs it; golden hours use the lifts. Only first days are compared, so that an old
post does not beat a young one; logarithms, so that one very popular post does not decide; and an
hour with few posts stays near 100, "as good as any" (docs/results.md has the rule).
"""

from calendar import day_name
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.counters import STRENGTH_UNIT, DayCounters, Kind, read_hour_mark
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass

ENOUGH_TARGETS = 30
ENOUGH_HOURS = 4
ENOUGH_IN_AN_HOUR = 3
ENOUGH_ON_A_WEEKDAY = 10
PRIOR = 5
NEUTRAL = 100
WORTH_TELLING = 1.2
"""How many times the usual views an hour must have before people are told."""
_HOURS = 24
_WEEKDAYS = 7

Lift = tuple[int, ...]
"""Per cent for the hours 0 to 23 of the workspace's clock: how much better than the mean."""


class BesideUsual(NamedTuple):
    """How many times the usual views an hour has: of `weekday`, 0 for Monday, or of all days."""

    times: float
    weekday: int | None = None

    @property
    def usual(self) -> str:
        """Return in words what it is compared with."""
        return "usual" if self.weekday is None else f"usual {day_name[self.weekday]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The lifts of the platforms with enough evidence, by the hours of one zone.

    `on_weekdays` has those of a platform on a weekday beside the mean of that weekday; 0 stands for
    an hour with too few posts to tell.
    """

    timezone: str = "UTC"
    lifts: Mapping[Platform, Lift] = field(default_factory=dict)
    on_weekdays: Mapping[tuple[Platform, int], Lift] = field(default_factory=dict)

    def lift(self, platform: Platform, at: datetime) -> int:
        """Return the lift of an instant's hour."""
        if platform not in self.lifts:
            return NEUTRAL
        return self.lifts[platform][at.astimezone(ZoneInfo(self.timezone)).hour]

    def times_usual(self, platform: Platform, at: datetime) -> float | None:
        """Return how many times the usual views that hour has, None if it is too little to tell."""
        times = self.lift(platform, at) / NEUTRAL
        return times if times >= WORTH_TELLING else None

    def beside_usual(self, platform: Platform, at: datetime) -> BesideUsual | None:
        """Return the same against the usual of that weekday, if it has enough posts."""
        local = at.astimezone(ZoneInfo(self.timezone))
        lift = self.on_weekdays.get((platform, local.weekday()))
        if lift is None or not lift[local.hour]:
            times = self.times_usual(platform, at)
            return None if times is None else BesideUsual(times)
        times = lift[local.hour] / NEUTRAL
        return BesideUsual(times, local.weekday()) if times >= WORTH_TELLING else None


NOTHING_LEARNED = Learned()


class _Tally(NamedTuple):
    """How many targets whose first day is known went live in each hour, and their strength."""

    targets: Counter[int]
    strength: Counter[int]


def learn(days: Sequence[DayCounters], timezone: str) -> Learned:
    """Return the lifts from the sums of the last 90 days."""
    lifts = {
        platform: _lift(tally)
        for platform, tally in _tallies(days).items()
        if _is_enough(tally.targets)
    }
    if not lifts:
        return NOTHING_LEARNED
    on_weekdays = {
        (platform, weekday): _tried_lift(tally)
        for weekday in range(_WEEKDAYS)
        for platform, tally in _tallies(d for d in days if d.day.weekday() == weekday).items()
        if platform in lifts and tally.targets.total() >= ENOUGH_ON_A_WEEKDAY
    }
    return Learned(timezone=timezone, lifts=lifts, on_weekdays=on_weekdays)


def _tallies(days: Iterable[DayCounters]) -> dict[Platform, _Tally]:
    tallies: dict[Platform, _Tally] = {}
    for day in days:
        for (kind, mark), count in day.counters.items():
            if kind is Kind.GROWN or kind is Kind.STRENGTH:
                platform, hour = read_hour_mark(mark)
                tally = tallies.setdefault(platform, _Tally(Counter(), Counter()))
                (tally.targets if kind is Kind.GROWN else tally.strength)[hour] += count
    return tallies


def _is_enough(targets: Counter[int]) -> bool:
    tried = sum(count >= ENOUGH_IN_AN_HOUR for count in targets.values())
    return targets.total() >= ENOUGH_TARGETS and tried >= ENOUGH_HOURS


def _lift(tally: _Tally) -> Lift:
    """Return 2^(mean of the hour - mean of all), with PRIOR posts of the mean in every hour."""
    targets, strength = tally
    mean = strength.total() / targets.total()
    means = [(strength[hour] + PRIOR * mean) / (targets[hour] + PRIOR) for hour in range(_HOURS)]
    return tuple(round(NEUTRAL * 2 ** ((hour - mean) / STRENGTH_UNIT)) for hour in means)


def _tried_lift(tally: _Tally) -> Lift:
    """Return the same with 0 for each hour with too few posts."""
    return tuple(
        one if tally.targets[hour] >= ENOUGH_IN_AN_HOUR else 0
        for hour, one in enumerate(_lift(tally))
    )
