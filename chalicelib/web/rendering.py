"""What pages are made of: templates that escape everything put into them, and static files.

Templates are files beside this one, so that they are packaged with the code. Undefined names are
errors, so that a page never silently lacks something. Style, scripts and the drawing library are
served from this origin and kept by browsers for a year: an address carries the beginning of its
file's SHA-256, so a new release is fetched at once. Where the libraries come from and what their
checksums are is in `static/README.md`; a test holds it.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.plans import gigabytes
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.json_value import Json
from chalicelib.web.forms.times import typed_time

_STATIC = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_NOT_FOUND = Response(status=404, headers={"Content-Type": "text/plain"}, body=b"Not found.\n")


@cache
def _read(name: str) -> bytes | None:
    path = _STATIC / name
    return path.read_bytes() if path.parent == _STATIC and path.is_file() else None


@cache
def versioned(name: str) -> str:
    """Return the address of a static file."""
    data = _read(name) or b""
    return f"/app/static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"


def _is_drawn(platform: str) -> bool:
    """Tell whether we have the platform's own mark; else its letters stand for it."""
    return _read(f"mark-{platform.replace(' ', '-')}.svg") is not None


def serve(name: str) -> Response:
    """Answer with a static file."""
    kind = _TYPES.get(Path(name).suffix)
    data = _read(name) if kind is not None else None
    if kind is None or data is None:
        return _NOT_FOUND
    headers = {"Content-Type": kind, "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(status=200, headers=headers, body=data)


_TEMPLATES = Path(__file__).parent / "templates"


_ACTIONS: Final[Mapping[str, str]] = {
    Action.CREATED: "Written",
    Action.EDITED: "Changed",
    Action.SCHEDULED: "Scheduled",
    Action.QUEUED: "Put into the queue",
    Action.PUBLISH_REQUESTED: "Sent off",
    Action.CANCELLED: "Schedule cancelled",
    Action.RETRIED: "Sent again",
    Action.DUPLICATED: "Duplicated",
    Action.DELETED: "Deleted",
    Action.APPROVED: "Approved",
    Action.REJECTED: "Rejected",
    Action.TARGET_PUBLISHED: "Published",
    Action.TARGET_FAILED: "Failed",
    Action.TARGET_UNPUBLISHED: "Deleted",
    Action.TARGET_AT_RISK: "At risk",
}


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
            day=_day,
            clock=_clock,
            moment=_moment,
            second=_second,
            typed=typed_time,
            count=_count,
            size=gigabytes,
        )
        self._environment.globals.update(
            FACTS=FACTS,
            NAMES={platform: facts.name for platform, facts in FACTS.items()},
            DRAWN={platform for platform in FACTS if _is_drawn(platform)},
            MARKS={platform: facts.mark for platform, facts in FACTS.items()},
            LIMITS={platform: facts.limits for platform, facts in FACTS.items()},
            ACTIONS=_ACTIONS,
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


def _second(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%a %-d %b %Y, %H:%M:%S}"


def option_words(target: Target) -> list[tuple[str, str]]:
    """Return a target's options in the words of its form."""
    known = {option.name: option for option in FACTS[target.platform].options}
    return [
        (known[name].label, _value_words(dict(known[name].choices), value))
        for name, value in target.options.items()
        if name in known
    ]


def _value_words(choices: Mapping[str, str], value: Json) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_value_words(choices, one) for one in value)
        case dict():
            return ", ".join(_value_words({}, one) for one in value.values())
        case _:
            return choices.get(str(value), str(value))


def _count(number: int) -> str:
    return f"{number:,}"
