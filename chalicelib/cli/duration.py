"""How long something lasts, as operators type it: seconds, or a number with s, m, h or d."""

import re
from datetime import timedelta

import click

_FORM = re.compile(r"([0-9]{1,9})([smhd]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LONGEST = timedelta(days=365)


class Duration(click.ParamType[timedelta]):
    """`90`, `90s`, `15m`, `1h` or `7d`; more than nothing, at most a year."""

    name = "duration"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """Return the time that was typed."""
        found = _FORM.fullmatch(str(value))
        seconds = 0 if found is None else int(found[1]) * _UNITS[found[2]]
        if not 0 < seconds <= _LONGEST.total_seconds():
            self.fail("say it as 90, 15m, 1h or 7d, at most 365d", param, ctx)
        return timedelta(seconds=seconds)
