"""What a workspace's own results teach about hours: a lift for each platform and hour.

The metrics worker learns, golden hours are moved by it. Only first days are compared, so that an
old post does not beat a young one; logarithms, so that one post seen by everybody does not decide;
and an hour with few posts stays near 100, "as good as any" (docs/results.md has the rule).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.counters import STRENGTH_UNIT, Counters, Kind, read_hour_mark
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass

ENOUGH_TARGETS = 30
ENOUGH_HOURS = 4
ENOUGH_IN_AN_HOUR = 3
PRIOR = 5
NEUTRAL = 100
WORTH_TELLING = 1.2
"""So many times the usual an hour has to bring before a person is told of it."""
_HOURS = 24

Lift = tuple[int, ...]
"""Per cent for the hours 0 to 23 of the workspace's clock: how much better than the mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The lifts of the platforms with enough evidence, by the hours of one zone."""

    timezone: str = "UTC"
    lifts: Mapping[Platform, Lift] = field(default_factory=dict)

    def lift(self, platform: Platform, at: datetime) -> int:
        """Return the lift of the hour that an instant falls into."""
        if platform not in self.lifts:
            return NEUTRAL
        return self.lifts[platform][at.astimezone(ZoneInfo(self.timezone)).hour]

    def times_usual(self, platform: Platform, at: datetime) -> float | None:
        """Return how many times the usual that hour brings, None where it is not worth telling."""
        times = self.lift(platform, at) / NEUTRAL
        return times if times >= WORTH_TELLING else None


NOTHING_LEARNED = Learned()


def learn(counters: Counters, timezone: str) -> Learned:
    """Return what the sum of the last 90 days teaches."""
    grown: dict[Platform, Counter[int]] = {}
    strength: dict[Platform, Counter[int]] = {}
    for (kind, mark), count in counters.items():
        if kind is Kind.GROWN or kind is Kind.STRENGTH:
            platform, hour = read_hour_mark(mark)
            sums = grown if kind is Kind.GROWN else strength
            sums.setdefault(platform, Counter())[hour] += count
    lifts = {
        platform: _lift(targets, strength.get(platform, Counter()))
        for platform, targets in grown.items()
        if _is_enough(targets)
    }
    return Learned(timezone=timezone, lifts=lifts) if lifts else NOTHING_LEARNED


def _is_enough(targets: Counter[int]) -> bool:
    tried = sum(count >= ENOUGH_IN_AN_HOUR for count in targets.values())
    return targets.total() >= ENOUGH_TARGETS and tried >= ENOUGH_HOURS


def _lift(targets: Counter[int], strength: Counter[int]) -> Lift:
    """Return 2^(mean of the hour - mean of all), with PRIOR posts of the mean in every hour."""
    mean = strength.total() / targets.total()
    means = [(strength[hour] + PRIOR * mean) / (targets[hour] + PRIOR) for hour in range(_HOURS)]
    return tuple(round(NEUTRAL * 2 ** ((hour - mean) / STRENGTH_UNIT)) for hour in means)
