"""The times of an event or offer, as people write them and as Google takes them.

developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts#TimeInterval: a
schedule must have all of its fields, in the location's own time, and may not be empty.
"""

import re
from datetime import datetime, time

from chalicelib.connectors.reply import find
from chalicelib.domain.outcome import Json

_FORM = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?", re.ASCII)
_DATE_LENGTH = 10
_FIRST, _LAST = time(0, 0), time(23, 59)
_UNFIT = (
    "options.event.{0} must be a date (2026-12-24) or a date and time (2026-12-24T18:30),"
    " in the location's own time and without an offset."
)
_BACKWARDS = "options.event.end must be later than options.event.start."


class UnfitTimesError(Exception):
    """The times cannot be read; its text says what to write instead."""


def schedule(event: Json) -> dict[str, Json]:
    """Return an event's times for Google: a date alone means the whole day.

    Raises UnfitTimesError.
    """
    start, end = _read(event, "start", _FIRST), _read(event, "end", _LAST)
    if end <= start:
        raise UnfitTimesError(_BACKWARDS)
    return {
        "startDate": _date(start),
        "startTime": _time(start),
        "endDate": _date(end),
        "endTime": _time(end),
    }


def _read(event: Json, name: str, time_of_day: time) -> datetime:
    text = find(event, name)
    if not isinstance(text, str) or _FORM.fullmatch(text) is None:
        raise UnfitTimesError(_UNFIT.format(name))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UnfitTimesError(_UNFIT.format(name)) from None
    is_date = len(text) == _DATE_LENGTH
    return datetime.combine(moment.date(), time_of_day) if is_date else moment


def _date(moment: datetime) -> Json:
    return {"year": moment.year, "month": moment.month, "day": moment.day}


def _time(moment: datetime) -> Json:
    return {"hours": moment.hour, "minutes": moment.minute, "seconds": moment.second, "nanos": 0}
