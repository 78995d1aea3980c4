"""The time from which, or until which, posts are asked for."""

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from goldenhour.spoken.times import UTC, UnclearTime, parse_time

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_FROM_TODAY = {"yesterday": -1, "today": 0, "tomorrow": 1}


def parse_bound(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the moment that `text` names; a day without a time of day is its beginning.

    Raises UnclearTime.
    """
    day = _day(text.strip().lower(), now.astimezone(zone).date())
    if day is None:
        return parse_time(text, zone, now)
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)


def _day(word: str, today: date) -> date | None:
    if word in _FROM_TODAY:
        return today + timedelta(days=_FROM_TODAY[word])
    try:
        return date.fromisoformat(word) if _ISO_DAY.fullmatch(word) else None
    except ValueError as wrong:
        raise UnclearTime(f"{word!r}: the calendar has no {word}.") from wrong
