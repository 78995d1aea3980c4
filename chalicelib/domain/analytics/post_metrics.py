"""What one post earned, target by target, as the counters keep it.

`in_line` brings it to what the post is now: new live targets, removed ones, a deleted post. The
post belongs to the day on which its first target went live, on the workspace's clock, for good.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.target_metrics import Answer, StoredTargetMetrics
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPostMetrics:
    """A post's metrics; `targets` by their ids, `version` grows with every write."""

    post_id: str
    live_day: date
    targets: Mapping[str, StoredTargetMetrics]
    version: int = 0

    @property
    def live(self) -> tuple[StoredTargetMetrics, ...]:
        """Return the targets that are live still."""
        return tuple(target for target in self.targets.values() if not target.removed)

    @property
    def platforms(self) -> tuple[Platform, ...]:
        """Return the platforms it is live on."""
        return tuple(dict.fromkeys(target.platform for target in self.live))

    @property
    def views(self) -> int:
        """Return what its live targets were seen."""
        counts = (target.counts for target in self.live)
        return sum(count.views for count in counts if count is not None)

    def answered(
        self, answers: Mapping[str, Answer], *, at: datetime, zone: ZoneInfo
    ) -> "StoredPostMetrics":
        """Return it with what platforms answered at a moment, by target id."""
        day = at.astimezone(zone).date()
        targets = {
            target_id: target.answered(answers[target_id], at=at, day=day)
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
