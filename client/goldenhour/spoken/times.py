"""Times as people write them, and as they are shown to them.

    tomorrow 09:00 · tomorrow at 9 · friday 18:30 · in 2 hours · 2026-12-01 09:00
    2026-12-01T09:00+01:00

The grammar is small on purpose: what is ambiguous is refused, because a guess would post at a wrong
time. Local times that do not exist (clocks go forward) are refused as well; of an hour that occurs
twice (clocks go back) the first is meant.
"""

import re
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from goldenhour.spoken.unclear import UnclearError
from goldenhour.spoken.zones import read_zone

UTC = timezone(timedelta())
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
EXAMPLES = '"tomorrow 09:00", "friday 18:30", "in 2 hours", "2026-12-01 09:00"'

_EARLIEST, _LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
"""The API's bounds for a time."""
_BEYOND = datetime.max.replace(tzinfo=UTC)

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_HALF_DAY = re.compile(r"(\d{1,2})(?::(\d{2}))? ?(am|pm)")
_HOUR = re.compile(r"at (\d{1,2})$")
_FROM_NOW = re.compile(r"in (\d{1,4}) (minute|hour|day|week)s?")
_WHOLE_HOURS = re.compile(r"(:\d{2}(?:\.\d+)?[+-]\d{2})$")
_YEAR_FIRST = re.compile(
    r"(?P<y>\d{4})[-/年.] ?(?P<m>\d{1,2})[-/月.] ?(?P<d>\d{1,2})[日.]?,? (?P<rest>\d.*)"
)
_DOTTED = re.compile(r"(?P<d>\d{1,2})\. ?(?P<m>\d{1,2})\. ?(?P<y>\d{4}),? (?P<rest>\d.*)")
_EITHER_FIRST = re.compile(
    r"(?P<a>\d{1,2})(?P<sign>[-/])(?P<b>\d{1,2})(?P=sign)(?P<y>\d{4}),? (?P<rest>\d.*)"
)
_CLOCK_OF_A_SHEET = re.compile(r"(\d{1,2})[.h](\d{2})(?:\.(\d{2}))?")
_DATE_ALONE = re.compile(r"\d{1,4}([-/.]) ?\d{1,2}\1 ?\d{1,4}\.?")
_MONTHS = 12
_BASIC = re.compile(r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})[Tt](?P<rest>\d{4}.*)")
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY_AND_CLOCK = re.compile(r"(\S+?)(?:t|,? (?:at )?)(\d.*)")


class UnclearTime(UnclearError):
    """A time that means nothing, or not one moment."""


def find_zone(name: str) -> ZoneInfo:
    """Return a time zone by name. Raises UnclearTime."""
    try:
        return read_zone(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as unknown:
        raise UnclearTime(
            f"There is no time zone {name!r}. Names look like Europe/Paris."
        ) from unknown


def machine_zone(name: str | None, abbreviations: tuple[str, str]) -> str:
    """Return the name of a machine's zone: UTC where none was ever set. Raises UnclearTime."""
    if name is not None:
        return name
    if set(abbreviations) == {"UTC"}:
        return "UTC"
    raise UnclearTime("This machine's time zone has no name. Give one: --zone Europe/Paris.")


def parse_time(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the moment, in UTC, that `text` names in `zone`. Raises UnclearTime."""
    try:
        at = _parse(text, zone, now).astimezone(UTC)
    except OverflowError:
        at = _BEYOND
    if not _EARLIEST <= at <= _LATEST:
        raise UnclearTime(f"{text!r} is not between 1970 and 2999.")
    return at


def _parse(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    words = _HOUR.sub(r"at \1:00", " ".join(text.lower().split()))
    if ahead := _FROM_NOW.fullmatch(words):
        return now + timedelta(**{f"{ahead[2]}s": int(ahead[1])})
    if with_offset := _with_offset(text.strip()):
        return with_offset
    if not (parts := _DAY_AND_CLOCK.fullmatch(words)):
        raise UnclearTime(f"{text!r} is not a time. Write it like {EXAMPLES}.")
    local_now = now.astimezone(zone)
    if parts[1] in WEEKDAYS:
        return _next_weekday(WEEKDAYS.index(parts[1]), _clock(parts[2], text), local_now)
    day = _day(parts[1], local_now, text)
    return _moment(day, _clock(parts[2], text), zone)


def parse_dated_time(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """Return a moment that `text` names with its date, so that it means the same on every day."""
    text = iso_text(text)
    if _DATE_ALONE.fullmatch(text.strip()):
        raise UnclearTime(f"{text!r} has no time of day. Write it like 2026-12-01 09:00.")
    if re.match(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}", text.strip()):
        raise UnclearTime(
            f"{text!r} could begin with the day or the month. Write the year first, as"
            " 2026-12-01 09:00."
        )
    if not re.match(r"\d{4}-\d{2}-\d{2}", text.strip()):
        raise UnclearTime(f"{text!r} has no date. Write it like 2026-12-01 09:00.")
    return parse_time(text, zone, now)


def iso_text(text: str) -> str:
    """Return a time with a date of a spreadsheet's own form year first, if its order is certain.

    With dots a day comes first in every language. With slashes either may, so that 5/6 is refused,
    but 31/12 and 12/31 have one day only, and 5/5 is the same both ways.
    """
    written = " ".join(text.split())
    for form in (_YEAR_FIRST, _DOTTED, _BASIC):
        if found := form.fullmatch(written):
            return _iso(found["y"], found["m"], found["d"], found["rest"])
    if found := _EITHER_FIRST.fullmatch(written):
        low, high = sorted((found["a"], found["b"]), key=int)
        if int(high) > _MONTHS or int(low) == int(high):
            return _iso(found["y"], low, high, found["rest"])
    return text


def _iso(year: str, month: str, day: str, rest: str) -> str:
    """Return a date year first; after a date also 9.00 (Finnish) and 9h00 are hours."""
    clock = _CLOCK_OF_A_SHEET.fullmatch(rest)
    told = ":".join(filter(None, clock.groups())) if clock else rest
    return f"{year}-{int(month):02}-{int(day):02} {told}"


def tell_time(at: datetime, zone: ZoneInfo) -> str:
    """Return a moment in words, with its zone: `Tue 1 Dec 2026, 09:00 Europe/Paris (UTC+01:00)`."""
    local = at.astimezone(zone)
    offset = local.isoformat()[-6:]
    seconds = f":{local:%S}" if local.second else ""
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M}{seconds} {zone.key} (UTC{offset})"


def tell_distance(at: datetime, now: datetime) -> str:
    """Return how far off a moment is: `in 3 h 20 min`, `12 min ago`, `now`."""
    minutes = round(abs((at - now).total_seconds()) / 60)
    if not minutes:
        return "now"
    days, hours = minutes // 1440, minutes // 60 % 24
    parts = [f"{days} d"] * bool(days) + [f"{hours} h"] * bool(hours)
    if not days and (minutes % 60 or not hours):
        parts.append(f"{minutes % 60} min")
    return f"in {' '.join(parts)}" if at >= now else f"{' '.join(parts)} ago"


def _with_offset(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(_WHOLE_HOURS.sub(r"\1:00", re.sub("[zZ]$", "+00:00", text)))
    except ValueError:
        return None
    return None if at.utcoffset() is None else at


def _clock(text: str, whole: str) -> time:
    try:
        if half := _HALF_DAY.fullmatch(text):
            if not 1 <= int(half[1]) <= 12:  # noqa: PLR2004 - a clock's face
                raise UnclearTime(f"{whole!r}: there is no {half[1]} {half[3]}.")
            return time(int(half[1]) % 12 + 12 * (half[3] == "pm"), int(half[2] or 0))
        if full := _CLOCK.fullmatch(text):
            return time(int(full[1]), int(full[2]), int(full[3] or 0))
    except ValueError as wrong:
        raise UnclearTime(f"{whole!r}: {text} is not a time of day.") from wrong
    raise UnclearTime(f"{whole!r} is not a time. Write it like {EXAMPLES}.")


def _day(word: str, now: datetime, whole: str) -> date:
    if word in {"today", "tomorrow"}:
        return now.date() + timedelta(days=word == "tomorrow")
    if (day := parse_iso_day(word, whole)) is not None:
        return day
    try:
        return date.fromisoformat(word)
    except ValueError as wrong:
        raise UnclearTime(f"{whole!r} is not a time. Write it like {EXAMPLES}.") from wrong


def parse_iso_day(word: str, whole: str) -> date | None:
    """Return the day that a word like 2026-12-01 names, None for one of another form.

    Raises UnclearTime, which quotes the whole text, for a day that no calendar has.
    """
    try:
        return date.fromisoformat(word) if _ISO_DAY.fullmatch(word) else None
    except ValueError as wrong:
        raise UnclearTime(f"{whole!r}: the calendar has no {word}.") from wrong


def _next_weekday(weekday: int, clock: time, now: datetime) -> datetime:
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)  # noqa: S101 - parse_time gave it its zone
    day = now.date() + timedelta(days=(weekday - now.weekday()) % 7)
    at = _moment(day, clock, zone)
    return at if at > now else _moment(day + timedelta(days=7), clock, zone)


def _moment(day: date, clock: time, zone: ZoneInfo) -> datetime:
    at = datetime.combine(day, clock, tzinfo=zone)
    if at.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != at.replace(tzinfo=None):
        raise UnclearTime(
            f"{day} {clock:%H:%M} does not exist in {zone.key}: clocks go forward then."
        )
    return at
