"""How long an answer asks to wait: Retry-After (RFC 9110), and platforms' own headers."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from math import isfinite

_EPOCH_FROM = 1_000_000_000


def read_wait(text: str, now: datetime) -> timedelta | None:
    """Read seconds from now, seconds of the epoch, or a date; None for anything else."""
    try:
        number = float(text)
    except ValueError:
        return _until(text, now)
    if not isfinite(number):
        return None
    if number < _EPOCH_FROM:
        return timedelta(seconds=max(0.0, number))
    try:
        at = datetime.fromtimestamp(number, UTC)
    except (ValueError, OverflowError):  # out of a calendar's range, such as milliseconds
        return None
    return max(timedelta(0), at - now)


def _until(text: str, now: datetime) -> timedelta | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # no date, or one of a year that a calendar does not have
        return None
    return max(timedelta(0), (at if at.tzinfo else at.replace(tzinfo=UTC)) - now)
