"""One post's metrics, target by target: a snapshot a day, in whatever order they arrive.

The metrics worker adds to it; the counters are computed from it. A day is a date on the workspace's
clock, its snapshot the latest that was taken on it. All sums are derived from the snapshots, so a
repeated or late one cannot count twice. `in_line` adapts a post's metrics to its present state: new
live targets, removed ones, a deleted post. The post belongs to the day on which its first target
went live, for good.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.metrics import Counts, Metrics
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.kit.dataclass import dataclass

_DAY = timedelta(days=1)
FIRST_DAY = timedelta(hours=24)
FIRST_DAY_ENDS = timedelta(hours=36)
MISSED_FOR = timedelta(minutes=10)
"""A post that one poll does not find is polled again after this before it counts as deleted."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A platform's counts up to a moment."""

    at: datetime
    metrics: Metrics

    def join(self, other: "Snapshot") -> "Snapshot":
        """Return both joined: the later one's counts before the earlier one's."""
        later, earlier = (self, other) if self.at >= other.at else (other, self)
        return Snapshot(later.at, later.metrics.over(earlier.metrics))


@dataclass(frozen=True, slots=True)
class Missing:
    """The platform answers that the post does not exist."""


@dataclass(frozen=True, slots=True)
class Resting:
    """The platform asks for no further call before then."""

    until: datetime


Answer = Metrics | Missing | Resting


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTargetMetrics:
    """One live target's metrics.

    `hour` is what the workspace's clock showed when it went live, `first_day` the first snapshot
    of a day old target, `missed_at` the first of the polls that did not find it, `removed` that it
    is not live any more: its metrics are kept and count no longer.
    """

    platform: Platform
    live_at: datetime
    hour: int
    days: Mapping[date, Snapshot] = field(default_factory=dict)
    first_day: Snapshot | None = None
    missed_at: datetime | None = None
    resting_until: datetime | None = None
    removed: bool = False

    def add_answers(self, answer: Answer, *, at: datetime, day: date) -> "StoredTargetMetrics":
        """Return it with the platform's answer at a moment of that day."""
        match answer:
            case Metrics():
                return self._add_snapshot(Snapshot(at, answer), day)
            case Missing():
                return replace(self, missed_at=self.missed_at or at)
            case Resting():
                return replace(self, resting_until=answer.until)

    def _add_snapshot(self, taken: Snapshot, day: date) -> "StoredTargetMetrics":
        known = self.days.get(day)
        snapshot = taken if known is None else taken.join(known)
        return replace(
            self,
            days={**self.days, day: snapshot},
            first_day=self._first_day_with(taken),
            missed_at=None,
            resting_until=None,
        )

    def _first_day_with(self, taken: Snapshot) -> Snapshot | None:
        """Return the earliest snapshot of those that show the first day and little more."""
        if not FIRST_DAY <= taken.at - self.live_at < FIRST_DAY_ENDS:
            return self.first_day
        if self.first_day is not None and self.first_day.at <= taken.at:
            return self.first_day
        return taken

    def is_gone(self, now: datetime) -> bool:
        """Tell whether it counts as deleted if a poll does not find it now."""
        return self.missed_at is not None and now - self.missed_at >= MISSED_FOR

    def may_be_asked(self, now: datetime) -> bool:
        """Tell whether its platform did not ask to wait."""
        return self.resting_until is None or self.resting_until <= now

    @property
    def counts(self) -> Counts | None:
        """Return the present counts, None as long as nothing was reported or once removed."""
        return None if self.removed else self._latest_metrics().counts

    def _latest_metrics(self) -> Metrics:
        by_day = list(self._sums_by_day())
        return by_day[-1][1] if by_day else Metrics()

    def _sums_by_day(self) -> Iterator[tuple[date, Metrics]]:
        """Yield the total counts at the end of each day that has a snapshot."""
        known = Metrics()
        for day in sorted(self.days):
            known = self.days[day].metrics.over(known)
            yield day, known

    @property
    def readings(self) -> list[tuple[datetime, int]]:
        """Return when it was asked last on each day, and the sum of all counts known by then."""
        return [(self.days[day].at, known.sum) for day, known in self._sums_by_day()]

    @property
    def gained(self) -> dict[date, int]:
        """Return the views of each day; they sum up to the views.

        Views since a poll some days before are spread evenly over the days between.
        """
        if self.removed:
            return {}
        gained: dict[date, int] = {}
        before, known = None, 0
        for day, told in self._sums_by_day():
            views = told.views or 0
            gained |= _share_out(views - known, before or day - _DAY, day)
            before, known = day, views
        return gained

    @property
    def first_day_views(self) -> int | None:
        """Return the views of its first day, None before that is over."""
        if self.removed or self.first_day is None:
            return None
        return self.first_day.metrics.views


def _share_out(views: int, after: date, until: date) -> dict[date, int]:
    """Spread views evenly over the days after one, up to another, without losing any."""
    days = (until - after).days
    parts = (views * (n + 1) // days - views * n // days for n in range(days))
    return {after + (n + 1) * _DAY: part for n, part in enumerate(parts)}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPostMetrics:
    """A post's metrics; `targets` by their ids, `version` grows with every write."""

    post_id: str
    live_day: date
    targets: Mapping[str, StoredTargetMetrics]
    version: int = 0

    @property
    def live(self) -> tuple[StoredTargetMetrics, ...]:
        """Return the targets that are still live."""
        return tuple(target for target in self.targets.values() if not target.removed)

    @property
    def platforms(self) -> tuple[Platform, ...]:
        """Return the platforms it is live on."""
        return tuple(dict.fromkeys(target.platform for target in self.live))

    @property
    def views(self) -> int:
        """Return the views of its live targets."""
        counts = (target.counts for target in self.live)
        return sum(count.views for count in counts if count is not None)

    def add_answers(
        self, answers: Mapping[str, Answer], *, at: datetime, zone: ZoneInfo
    ) -> "StoredPostMetrics":
        """Return it with platforms' answers at a moment, by target id."""
        day = at.astimezone(zone).date()
        targets = {
            target_id: target.add_answers(answers[target_id], at=at, day=day)
            if target_id in answers and not target.removed
            else target
            for target_id, target in self.targets.items()
        }
        return replace(self, targets=targets)


def in_line(
    known: StoredPostMetrics | None, post: Post, zone: ZoneInfo
) -> StoredPostMetrics | None:
    """Return a post's results as the post is now; None for one that is deleted or never live."""
    live = [target for target in post.targets if target.is_live and target.published_at]
    if post.deleted_at is not None or not live:
        return None
    had = {} if known is None else known.targets
    targets = {target.id: _in_line(had.get(target.id), target, zone) for target in live}
    if known is not None:
        return replace(known, targets=targets)
    first = min(target.live_at for target in targets.values())
    return StoredPostMetrics(
        post_id=post.id, live_day=first.astimezone(zone).date(), targets=targets
    )


def _in_line(
    known: StoredTargetMetrics | None, target: Target, zone: ZoneInfo
) -> StoredTargetMetrics:
    removed = target.status is TargetStatus.REMOVED
    if known is not None:
        return replace(known, removed=removed)
    live_at = target.published_at
    assert live_at is not None  # noqa: S101 - `in_line` chose it so
    return StoredTargetMetrics(
        platform=target.platform,
        live_at=live_at,
        hour=live_at.astimezone(zone).hour,
        removed=removed,
    )
