"""When a key ends: on a day that was chosen, or a while after another took its place."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.workspaces import ApiKey

OVERLAP = timedelta(hours=24)
LONGEST_OVERLAP = timedelta(days=30)


def end_of(last_day: date, now: datetime) -> datetime:
    """Return when a key ends that works through a day, in UTC. Raises OperatorError."""
    end = datetime.combine(last_day, time(), UTC) + timedelta(days=1)
    if end <= now:
        raise OperatorError("The last day of a key is today or later, in UTC.")
    return end


def successor(key: ApiKey, key_id: str, now: datetime) -> ApiKey:
    """Return the key that takes another's place: the same in all but its id, and as long.

    Raises OperatorError for an assistant's, which renews it itself.
    """
    if key.client_hash is not None:
        raise OperatorError("An assistant renews its key itself. Revoke it to end it.")
    lasts = None if key.expires_at is None else key.expires_at - key.created_at
    ends = None if lasts is None else now + lasts
    return replace(key, id=key_id, created_at=now, expires_at=ends, last_used_at=None)


def end_after(key: ApiKey, overlap: timedelta, now: datetime) -> ApiKey:
    """Return a key that another took the place of; it works that long, and no longer than it did.

    Raises OperatorError.
    """
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise OperatorError("The old key can go on working for at most 30 days.")
    ends = now + overlap
    return replace(key, expires_at=ends if key.expires_at is None else min(ends, key.expires_at))
