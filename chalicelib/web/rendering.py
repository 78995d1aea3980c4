"""What pages are made of: templates that escape everything put into them, and static files.

Templates are files beside this one, so that they are packaged with the code. Undefined names are
errors, so that a page never silently lacks something. Style, scripts and the drawing library are
served from this origin and kept by browsers for a year: an address carries the beginning of its
file's SHA-256, so a new release is fetched at once. Where the libraries come from and what their
checksums are is in `static/README.md`; a test holds it.
"""

import hashlib
from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.plans import gigabytes
from chalicelib.web.messages import Answer

_STATIC = Path(__file__).parent / "static"
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_NOT_FOUND = Answer(status=404, headers={"Content-Type": "text/plain"}, body=b"Not found.\n")


@cache
def _read(name: str) -> bytes | None:
    path = _STATIC / name
    return path.read_bytes() if path.parent == _STATIC and path.is_file() else None


@cache
def versioned(name: str) -> str:
    """Return the address of a static file."""
    data = _read(name) or b""
    return f"/app/static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"


def serve(name: str) -> Answer:
    """Answer with a static file."""
    kind = _TYPES.get(Path(name).suffix)
    data = _read(name) if kind is not None else None
    if kind is None or data is None:
        return _NOT_FOUND
    headers = {"Content-Type": kind, "Cache-Control": "public, max-age=31536000, immutable"}
    return Answer(headers=headers, body=data)


_TEMPLATES = Path(__file__).parent / "templates"


class Templates:
    """The app's templates."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(_TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(
            day=_day, clock=_clock, moment=_moment, typed=_typed, count=_count, size=gigabytes
        )
        self._environment.globals.update(
            FACTS=FACTS,
            NAMES={platform: facts.name for platform, facts in FACTS.items()},
            MARKS={platform: facts.mark for platform, facts in FACTS.items()},
            LIMITS={platform: facts.limits for platform, facts in FACTS.items()},
            Scope=Scope,
            static=versioned,
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
