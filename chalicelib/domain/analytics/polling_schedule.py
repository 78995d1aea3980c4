"""When a live post's platforms are asked how it does: often on its first day, then less and less.

After the first day all posts of a workspace share one moment of the day, so that a platform that
takes many posts in a call is asked about many at once; workspaces are spread over the day.

age of the target      asked
up to 24 hours         10 and 30 minutes, 1, 2, 4, 8, 16 and 24 hours after it went live
up to 14 days          every day
up to 30 days          every third day
up to 90 days          every seventh day
"""

import hashlib
from datetime import UTC, datetime, time, timedelta

from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.analytics.target_metrics import MISSED_FOR, StoredTargetMetrics

FIRST_LOOK = timedelta(minutes=10)
FOLLOWED_FOR = timedelta(days=90)
_FIRST_DAY = (
    FIRST_LOOK,
    timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (1, 2, 4, 8, 16, 24)),
)
_LATER = (
    (timedelta(days=14), timedelta(days=1)),
    (timedelta(days=30), timedelta(days=3)),
    (FOLLOWED_FOR, timedelta(days=7)),
)
_DAY = timedelta(days=1)


def next_poll(stored: StoredPostMetrics, workspace_id: str, now: datetime) -> datetime | None:
    """Return when to poll a post again; None once no live target is followed any more."""
    due_polls = (_next_poll(target, workspace_id, now) for target in stored.live)
    return min((at for at in due_polls if at is not None), default=None)


def _next_poll(target: StoredTargetMetrics, workspace_id: str, now: datetime) -> datetime | None:
    planned = planned_poll(target.live_at, workspace_id, now)
    if target.missed_at is not None:
        again = target.missed_at + MISSED_FOR
        return again if again > now else planned
    if planned is None or target.may_be_asked(now) or target.resting_until is None:
        return planned
    return max(planned, target.resting_until)


def planned_poll(live_at: datetime, workspace_id: str, now: datetime) -> datetime | None:
    """Return the first planned poll after `now` at a target that went live then."""
    for age in _FIRST_DAY:
        if live_at + age > now:
            return live_at + age
    gap = next((gap for until, gap in _LATER if now - live_at < until), None)
    if gap is None:
        return None
    # Half a day less than the gap: then the next moment of the workspace is the right one.
    at = _moment_after(now + gap - _DAY / 2, workspace_id)
    return at if at <= live_at + FOLLOWED_FOR + _DAY else None


def _moment_after(instant: datetime, workspace_id: str) -> datetime:
    """Return the workspace's moment of the day that comes next."""
    minutes = int.from_bytes(hashlib.sha256(workspace_id.encode()).digest()[:4]) % (24 * 60)
    midnight = datetime.combine(instant.astimezone(UTC).date(), time(tzinfo=UTC))
    moment = midnight + timedelta(minutes=minutes)
    return moment if moment > instant else moment + _DAY


def is_followed(live_at: datetime, now: datetime) -> bool:
    """Tell whether a target of this age is still polled."""
    return now - live_at <= FOLLOWED_FOR + _DAY
