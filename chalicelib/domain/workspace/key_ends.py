"""When a key ends: after a chosen day, or some time after another key replaced it."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.workspaces import ApiKey

OVERLAP = timedelta(hours=24)
LONGEST_OVERLAP = timedelta(days=30)


def end_of(last_day: date, now: datetime) -> datetime:
    """Return the end of a key that works through a day, in UTC. Raises OperatorError."""
    end = datetime.combine(last_day, time(), UTC) + timedelta(days=1)
    if end <= now:
        raise OperatorError("The last day of a key must be today or later, in UTC.")
    return end


def successor(key: ApiKey, key_id: str, now: datetime) -> ApiKey:
    """Return the key that replaces another: the same except for its id, valid for as long.

    Raises OperatorError for an assistant's key, which the assistant renews itself.
    """
    if key.client_hash is not None:
        raise OperatorError("An assistant renews its key itself. Revoke it to end it.")
    lasts = None if key.expires_at is None else key.expires_at - key.created_at
    ends = None if lasts is None else now + lasts
    return replace(key, id=key_id, created_at=now, expires_at=ends, last_used_at=None)


def end_after(key: ApiKey, overlap: timedelta, now: datetime) -> ApiKey:
    """Return a replaced key, which ends after `overlap`, or at its own end if that is sooner.

    Raises OperatorError unless `overlap` is from 0 to 30 days.
    """
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise OperatorError("The old key can keep working for at most 30 days.")
    ends = now + overlap
    return replace(key, expires_at=ends if key.expires_at is None else min(ends, key.expires_at))
