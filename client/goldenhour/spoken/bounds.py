"""The time from which, or until which, posts are asked for."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from goldenhour.spoken.times import UTC, parse_iso_day, parse_time

_FROM_TODAY = {"yesterday": -1, "today": 0, "tomorrow": 1}


def parse_bound(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the moment that `text` names; a day without a time of day is its beginning.

    Raises UnclearTime.
    """
    word, today = text.strip().lower(), now.astimezone(zone).date()
    if word in _FROM_TODAY:
        day = today + timedelta(days=_FROM_TODAY[word])
    elif (named := parse_iso_day(word, word)) is not None:
        day = named
    else:
        return parse_time(text, zone, now)
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
