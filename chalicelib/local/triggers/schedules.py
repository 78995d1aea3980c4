"""Runs every scheduled handler at start and then at its times, one run at a time per rule.

A rule of every minute or hour runs at once when the clock was set, forward or back: waits by the
old clock would end too late or too early. One thread per rule. A run that outlasts its period makes
the next one late, not parallel; a failed run is only logged, as the next one reads everything from
the tables again.
"""

import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from chalicelib.domain.clock import Clock, nap_s, system_clock
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.local.triggers.handlers import ScheduledHandler, scheduled_event
from chalicelib.local.triggers.repeated import Repeated

_RATE = re.compile(r"rate\((\d+) (minute|hour|day)s?\)")
_CRON = re.compile(r"cron\((\S+) (\S+) (\S+) (\S+) (\S+) (\S+)\)")
_UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
_DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
_RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (1, 7), (1970, 2199))
_HORIZON = timedelta(days=366 * 5)


class UnknownSchedule(ValueError):
    """This stack cannot run the schedule expression."""


def next_run(expression: str, after: datetime) -> datetime:
    """Return the first moment after `after` at which the rule fires."""
    if rate := _RATE.fullmatch(expression):
        return after + int(rate[1]) * _UNITS[rate[2]]
    if cron := _CRON.fullmatch(expression):
        return _next_cron(cron.groups(), after)
    raise UnknownSchedule(expression)


def _next_cron(fields: tuple[str, ...], after: datetime) -> datetime:
    minutes, hours, days, months, weekdays, years = (
        _values(field, low, high) for field, (low, high) in zip(fields, _RANGES, strict=True)
    )
    day = after.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    while day < after + _HORIZON:
        fits = day.year in years and day.month in months
        if fits and day.day in days and day.isoweekday() % 7 + 1 in weekdays:
            for hour in sorted(hours):
                for minute in sorted(minutes):
                    moment = day.replace(hour=hour, minute=minute)
                    if moment > after:
                        return moment
        day += timedelta(days=1)
    raise UnknownSchedule(f"cron({' '.join(fields)}) never fires")


def _values(field: str, low: int, high: int) -> set[int]:
    values: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        if span in ("*", "?"):
            start, end = low, high
        else:
            start = _number(first)
            end = _number(last) if last else (high if step else start)
        if not low <= start <= end <= high:
            raise UnknownSchedule(field)
        values.update(range(start, end + 1, int(step or 1)))
    return values


def _number(text: str) -> int:
    for names in (_MONTHS, _DAYS):
        if text.upper() in names:
            return names.index(text.upper()) + 1
    if not text.isdecimal():
        raise UnknownSchedule(text)
    return int(text)


_LOG = logging.getLogger(__name__)


class Rule:
    """One scheduled handler: checks again and again whether it is due."""

    def __init__(
        self,
        name: str,
        expression: str,
        run: Callable[[datetime], object],
        clock_was_set: Callable[[], None],
        *,
        clock: Clock = system_clock,
        count_steps: Callable[[], int] = machine_clock.count_steps,
    ) -> None:
        self._name = name
        self._expression = expression
        self._work = run
        self._clock_was_set = clock_was_set
        self._clock = clock
        self._count_steps = count_steps
        self._steps = count_steps()
        self._due: datetime | None = None

    def look(self) -> float:
        """Run it if it is due; return the seconds until the next check."""
        steps, now = self._count_steps(), self._clock()
        is_set, self._steps = steps != self._steps, steps
        if self._due is None or now >= self._due or (is_set and self._is_rate):
            self._run(now, is_set=is_set)
            self._due = next_run(self._expression, now)
        elif is_set:
            self._due = next_run(self._expression, now)
        return nap_s(self._due - self._clock())

    @property
    def _is_rate(self) -> bool:
        return _RATE.fullmatch(self._expression) is not None

    def _run(self, now: datetime, *, is_set: bool) -> None:
        if is_set:
            self._attempt(self._clock_was_set)
        self._attempt(partial(self._work, now))

    def _attempt(self, step: Callable[[], object]) -> None:
        try:
            step()
        except Exception:  # noqa: BLE001 - a handler's failure is the handler's alone, as in Lambda
            _LOG.exception("the scheduled handler %s failed", self._name)


def schedule(
    scheduled: ScheduledHandler, region: str, clock_was_set: Callable[[], None]
) -> Repeated:
    """Return the thread that runs a scheduled handler at once and then at its times."""
    handler = scheduled.handler

    def run(now: datetime) -> object:
        return handler(scheduled_event(handler.name, now, region))

    rule = Rule(handler.name, scheduled.expression, run, clock_was_set)
    return Repeated(f"schedule-{handler.name}", rule.look)
