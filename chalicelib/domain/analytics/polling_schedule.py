"""When a live post's metrics are polled: as often as they still change.

On the first day the times are fixed, as changes are fast. From then on a wait depends on the change
during the last one: metrics that doubled are polled again after the same time, metrics that grew by
half after twice that time, unchanged ones after at most twice that time. So a post that is still
shared is polled every day, and an inactive one soon every other week.

age of the target      asked
up to 24 hours         10 minutes, 1, 6 and 24 hours after it went live
up to 90 days          last wait x what it had before / what it gained; 1 day to 14 days, and at
                       most twice the last wait; once more when the 90 days are over

After the first day all posts of a workspace share one moment of the day, so that a platform that
reports many posts in one call is asked for many at once; workspaces are spread over the day.
"""

import hashlib
from datetime import UTC, datetime, time, timedelta

from chalicelib.domain.analytics.post_metrics import (
    MISSED_FOR,
    StoredPostMetrics,
    StoredTargetMetrics,
)

FIRST_LOOK = timedelta(minutes=10)
FOLLOWED_FOR = timedelta(days=90)
SHORTEST_WAIT = timedelta(days=1)
LONGEST_WAIT = timedelta(days=14)
_FIRST_DAY = (FIRST_LOOK, *(timedelta(hours=hours) for hours in (1, 6, 24)))
_DAY = timedelta(days=1)


def next_poll(stored: StoredPostMetrics, workspace_id: str, now: datetime) -> datetime | None:
    """Return when to poll a post again; None once no live target is followed any more."""
    due_polls = (_next_poll(target, workspace_id, now) for target in stored.live)
    return min((at for at in due_polls if at is not None), default=None)


def _next_poll(target: StoredTargetMetrics, workspace_id: str, now: datetime) -> datetime | None:
    planned = planned_poll(target, workspace_id, now)
    if target.missed_at is not None:
        again = target.missed_at + MISSED_FOR
        return again if again > now else planned
    if planned is None or target.may_be_asked(now) or target.resting_until is None:
        return planned
    return max(planned, target.resting_until)


def planned_poll(target: StoredTargetMetrics, workspace_id: str, now: datetime) -> datetime | None:
    """Return the first planned poll of a target after `now`."""
    for age in _FIRST_DAY:
        if target.live_at + age > now:
            return target.live_at + age
    end = _moment_after(target.live_at + FOLLOWED_FOR, workspace_id)
    if now >= end:
        return None
    # Half a day less than the wait: then the next moment of the workspace is the right one.
    earliest = max(now, _due(target, now) - _DAY / 2)
    return min(_moment_after(earliest, workspace_id), end)


def _due(target: StoredTargetMetrics, now: datetime) -> datetime:
    """Return when its last wait is over; later if a poll at that time got no answer."""
    answered = target.readings[-1:]
    due = answered[0][0] + wait_after(target) if answered else target.live_at + _DAY
    overdue = now - due
    return due if due > now else now + min(max(SHORTEST_WAIT, overdue), LONGEST_WAIT)


def wait_after(target: StoredTargetMetrics) -> timedelta:
    """Return how long to wait after a target's last answer, by the change in it."""
    (began, before), (ended, after) = [(target.live_at, 0), *target.readings][-2:]
    last_wait, gained = ended - began, abs(after - before)
    longest = max(SHORTEST_WAIT, min(2 * last_wait, LONGEST_WAIT))
    if gained == 0:
        return longest
    return min(max(SHORTEST_WAIT, last_wait * (before / gained)), longest)


def _moment_after(instant: datetime, workspace_id: str) -> datetime:
    """Return the next occurrence of the workspace's moment of the day."""
    minutes = int.from_bytes(hashlib.sha256(workspace_id.encode()).digest()[:4]) % (24 * 60)
    midnight = datetime.combine(instant.astimezone(UTC).date(), time(tzinfo=UTC))
    moment = midnight + timedelta(minutes=minutes)
    return moment if moment > instant else moment + _DAY


def is_followed(live_at: datetime, now: datetime) -> bool:
    """Tell whether a target of this age is still polled."""
    return now - live_at <= FOLLOWED_FOR + _DAY
