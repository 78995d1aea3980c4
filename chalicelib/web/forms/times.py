"""Times and days as people type and say them: the wall clock of the workspace's zone."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.times.local_time import exists, first_instant

_EARLIEST, _LATEST = 1970, 2999
_NEAR = timedelta(days=6)
_IN_UTC = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d) UTC")


def read_time(typed: str, zone: ZoneInfo) -> datetime | None:
    """Return the instant of typed input, None for nothing. Raises InvalidInput."""
    if not typed:
        return None
    try:
        local = datetime.fromisoformat(typed)
    except ValueError as error:
        message = "This is not a date and time. Type it like 2030-01-31T09:00."
        raise InvalidInput(message, loc=("body", "at")) from error
    if not _EARLIEST < local.year < _LATEST:
        raise InvalidInput("This year is out of range.", loc=("body", "at"))
    return local.astimezone(UTC) if local.tzinfo else first_instant(local, zone)


def typed_time(at: datetime | None, zone: ZoneInfo) -> str:
    """Return an instant as the value of a date-time field."""
    return "" if at is None else f"{at.astimezone(zone):%Y-%m-%dT%H:%M}"


def read_day(typed: str, today: date) -> date:
    """Return the day of a calendar's address, today for none or a wrong one."""
    try:
        found = date.fromisoformat(typed)
    except ValueError:
        return today
    return found if _EARLIEST < found.year < _LATEST else today


def read_last_day(typed: str, field: str, what: str) -> date | None:
    """Return the last day that a form names, None for none. Raises InvalidInput."""
    try:
        return date.fromisoformat(typed.strip()) if typed.strip() else None
    except ValueError as error:
        message = f"Type {what} like this: 2027-01-31."
        raise InvalidInput(message, loc=("body", field)) from error


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the first instant of a day."""
    return first_instant(datetime(day.year, day.month, day.day), zone)  # noqa: DTZ001 - wall clock


def monday_of(day: date) -> date:
    """Return the first day of a day's week."""
    return day - timedelta(days=day.weekday())


def days_from(first: date, count: int) -> list[date]:
    """Return consecutive days."""
    return [first + timedelta(days=place) for place in range(count)]


def near(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    """Say a time as one says it to a colleague: with the date if it is not within days."""
    local = at.astimezone(zone)
    year = "" if local.year == now.astimezone(zone).year else f" {local.year}"
    return (
        f"{local:%a %H:%M}"
        if now <= at < now + _NEAR
        else f"{local:%a %-d %b}{year}, {local:%H:%M}"
    )


def with_times_in(sentence: str, zone: ZoneInfo, now: datetime) -> str:
    """Return a message of the API, whose times are in UTC, with these in a zone."""

    def told(found: re.Match[str]) -> str:
        try:
            at = datetime.strptime(found[1], "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
            return near(at, zone, now)
        except (ValueError, OverflowError):  # somebody's own words, which a message quotes
            return found[0]

    return _IN_UTC.sub(told, sentence)


def by_day(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    """Say a time without context: today, the days beside it, or as `near` says it."""
    local = at.astimezone(zone)
    days = (local.date() - now.astimezone(zone).date()).days
    word = {-1: "Yesterday", 0: "Today", 1: "Tomorrow"}.get(days)
    return near(at, zone, now) if word is None else f"{word} {local:%H:%M}"


def until(at: datetime, now: datetime) -> str:
    """Say how long it is until a time, as exactly as one wants to know it."""
    minutes = max(0, round((at - now).total_seconds() / 60))
    hours, days = minutes // 60, minutes // 1440
    if days > 1:
        return f"{days} days"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def exact(at: datetime, zone: ZoneInfo) -> str:
    """Say an instant unambiguously: which of two hours in autumn, too."""
    local = at.astimezone(zone)
    clock = f"{local:%H:%M}" if not local.second else f"{local:%H:%M:%S}"
    is_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return f"{local:%a %-d %b}, {clock}{f' ({local:%Z})' if is_twice else ''}"


def why_other(typed: str, zone: ZoneInfo) -> str | None:
    """Say why a typed time is changed to another one: clocks skip it that night."""
    try:
        local = datetime.fromisoformat(typed)
    except ValueError:
        return None
    if local.tzinfo is not None or not _EARLIEST < local.year < _LATEST or exists(local, zone):
        return None
    meant = first_instant(local, zone)
    return f"Clocks skip {local:%H:%M} that night: {exact(meant, zone)} is meant."
