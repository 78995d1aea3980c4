"""How long an answer asks to wait (Retry-After, RFC 9110), or says that something lasts."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from math import isfinite

from chalicelib.kit.json_value import whole_number

_EPOCH_FROM = 1_000_000_000
_DIGITS, _LONGEST = 9, timedelta(days=365 * 32)
"""What lasts longer does not end, as far as anybody knows, and calendars do."""


def span(told: object, unit: timedelta = timedelta(seconds=1)) -> timedelta | None:
    """Read a time that an answer tells as a number; None for anything else, or 32 years and more.

    Answers are not to be trusted: JSON's numbers can be negative, endless, or none at all.
    """
    number = told if isinstance(told, float) else whole_number(told, _DIGITS)
    if number is None or not 0 <= number < _LONGEST / unit:
        return None
    return number * unit


def read_wait(text: str, now: datetime) -> timedelta | None:
    """Read seconds from now, seconds of the epoch, or a date; None for anything else.

    No wait is so long that the calendar has no time after it.
    """
    told = _read_any(text, now)
    return None if told is None else min(max(timedelta(0), told), _LONGEST)


def _read_any(text: str, now: datetime) -> timedelta | None:
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
    return at - now


def _until(text: str, now: datetime) -> timedelta | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # no date, or one of a year that a calendar does not have
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)) - now
