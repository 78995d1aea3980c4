"""The template engine: everything that is put into a page is escaped.

Templates are files beside this one, so that they are packaged with the code. Undefined names are
errors, so that a page never silently lacks something.
"""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from chalicelib.domain.platforms.platform import LIMITS, NAMES, Platform
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.plans import gigabytes
from chalicelib.web.static_files import versioned

_FOLDER = Path(__file__).parent / "templates"
_MARKS = {
    Platform.INSTAGRAM: "Ig",
    Platform.TIKTOK: "Tt",
    Platform.YOUTUBE: "Yt",
    Platform.LINKEDIN: "in",
    Platform.X: "X",
    Platform.FACEBOOK: "f",
    Platform.THREADS: "@",
    Platform.PINTEREST: "P",
    Platform.BLUESKY: "Bs",
    Platform.REDDIT: "r/",
    Platform.GOOGLE_BUSINESS_PROFILE: "G",
}


class Templates:
    """The app's templates."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(_FOLDER),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(
            day=_day, clock=_clock, moment=_moment, typed=_typed, count=_count, size=gigabytes
        )
        self._environment.globals.update(
            NAMES=NAMES, MARKS=_MARKS, LIMITS=LIMITS, Scope=Scope, static=versioned
        )

    def render(self, name: str, **values: object) -> str:
        """Return a template with values put in."""
        return self._environment.get_template(name).render(**values)


def _day(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%a %-d %b %Y}"


def _clock(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%H:%M}"


def _moment(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%a %-d %b %Y, %H:%M}"


def _typed(instant: datetime | None, zone: ZoneInfo) -> str:
    """Spell an instant as a date-time field of a form wants it."""
    return "" if instant is None else f"{instant.astimezone(zone):%Y-%m-%dT%H:%M}"


def _count(number: int) -> str:
    return f"{number:,}"
