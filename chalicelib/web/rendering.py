"""Templates, which escape every value put into them, and static files.

An undefined name in a template is an error, so that no page silently lacks something. Styles,
scripts and libraries are served from this origin. Browsers cache them for a year: each address
contains the start of the file's SHA-256, so a new release is fetched at once. `static/README.md`
says where the libraries come from and gives their checksums, which a test compares.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok_form import form_for
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.plans import gigabytes
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.web.forms.times import by_day, near, typed_time, until, with_times_in
from chalicelib.web.sentences import FIXES

_STATIC = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
_NOT_FOUND = Response(
    status=HTTPStatus.NOT_FOUND, headers={"Content-Type": "text/plain"}, body=b"Not found.\n"
)


@cache
def _names() -> frozenset[str]:
    return frozenset(path.name for path in _STATIC.iterdir() if path.is_file())


_REMARK: Final = re.compile(rb"^[ \t]*(?://.*|/\*[^*]*\*/[ \t]*)\n", re.MULTILINE)
"""A comment of our styles and scripts with lines of its own: a tenth of the scripts."""


@cache
def _content(name: str) -> bytes:
    data = (_STATIC / name).read_bytes()
    is_ours = name.endswith((".css", ".js")) and ".min." not in name
    return _REMARK.sub(b"", data) if is_ours else data


def _read(name: str) -> bytes | None:
    """Return a static file, cached; None, cached nowhere, for a name that strangers made up."""
    return _content(name) if name in _names() else None


@cache
def static_address(name: str) -> str:
    """Return the address of a static file, with the start of its checksum."""
    data = _read(name) or b""
    return f"/app/static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"


@cache
def symbols(names: frozenset[str]) -> Markup:
    """Return icons as SVG symbols to embed in a page that shows them hundreds of times."""
    found = re.finditer(r'<symbol id="([\w-]+)".*?</symbol>', _sprite(), re.DOTALL)
    drawn = "".join(symbol[0] for symbol in found if symbol[1] in names)
    return Markup(f'<svg class="unseen" aria-hidden="true">{drawn}</svg>')  # noqa: S704 - ours


def _is_drawn(platform: str) -> bool:
    """Tell whether we have the platform's own icon; pages show its initials otherwise."""
    return f'id="p-{platform.replace(" ", "-")}"' in _sprite()


def _sprite() -> str:
    return (_read("icons.svg") or b"").decode()


_WORKER: Final = "worker.js"
_OF_PARTS: Final = "default-src 'none'; frame-ancestors 'none'"
"""For whoever opens such a file by itself: within a page, the page's own policy counts."""


def serve(name: str) -> Response:
    """Answer with a static file, or 404."""
    kind = _TYPES.get(Path(name).suffix)
    data = _read(name) if kind is not None else None
    if kind is None or data is None:
        return _NOT_FOUND
    headers = {"Content-Type": kind, "Cache-Control": "public, max-age=31536000, immutable"}
    if name == _WORKER:
        headers["Service-Worker-Allowed"] = "/app"
    elif Path(name).suffix != ".html":
        headers["Content-Security-Policy"] = _OF_PARTS
    return Response(status=HTTPStatus.OK, headers=headers, body=data)


_TEMPLATES = Path(__file__).parent / "templates"


_ACTIONS: Final[Mapping[str, str]] = {
    Action.CREATED: "Written",
    Action.EDITED: "Changed",
    Action.SCHEDULED: "Scheduled",
    Action.QUEUED: "Added to the queue",
    Action.PUBLISH_REQUESTED: "Publishing requested",
    Action.CANCELLED: "Schedule cancelled",
    Action.RETRIED: "Sent again",
    Action.DUPLICATED: "Duplicated",
    Action.COMMENTED: "Commented",
    Action.RESOLVED: "Comment resolved",
    Action.REPEATED: "Series started",
    Action.SERIES_STOPPED: "Series stopped",
    Action.DELETED: "Deleted",
    Action.APPROVED: "Approved",
    Action.REJECTED: "Changes requested",
    Action.TARGET_PUBLISHED: "Published",
    Action.TARGET_FAILED: "Failed",
    Action.TARGET_UNPUBLISHED: "Deleted",
    Action.TARGET_AT_RISK: "At risk",
    Action.TARGET_REMINDED: "Time to post it by hand",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """How a state is shown: with an icon and a word, so that colour is never the only sign."""

    icon: str
    word: str
    tone: str = ""


STATES: Final[Mapping[str, Shown]] = {
    "draft": Shown("draft", "Draft"),
    "scheduled": Shown("clock", "Scheduled", "ink"),
    "publishing": Shown("sending", "Going out", "info"),
    "published": Shown("ok", "Published", "ok"),
    "partial": Shown("partial", "Partly out", "bad"),
    "failed": Shown("fail", "Failed", "bad"),
    "cancelled": Shown("cancel", "Cancelled"),
    "removed": Shown("trash", "Removed"),
    "pending": Shown("eye", "Waiting for review", "wait"),
    "rejected": Shown("edit", "Changes requested", "bad"),
    "risk": Shown("partial", "At risk", "bad"),
    "ok": Shown("ok", "Fine", "ok"),
    "warn": Shown("key", "Sign in again soon", "ink"),
    "broken": Shown("fail", "Sign in again", "bad"),
}


_SECOND, _MINUTE = 1000, 60
_SENTENCE = re.compile(r".{12,}?[.!?](?=\s|$)")
_LONGEST_NAME = 80
_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def render(template: str, **values: object) -> str:
    """Return the text of a template filled with values."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    """Return the template environment, one for the process: compiling a template takes 0.2 s."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        day=_day,
        clock=_clock,
        moment=_moment,
        second=_second,
        typed=typed_time,
        near=near,
        with_times_in=with_times_in,
        by_day=by_day,
        until=until,
        number=_number,
        lateness=_lateness,
        count=_count,
        size=gigabytes,
        initial=_initial,
        headline=_headline,
        city=_city,
    )
    environment.globals.update(
        FACTS=FACTS,
        NAMES={platform: facts.name for platform, facts in FACTS.items()},
        FIXES=FIXES,
        DRAWN={platform for platform in FACTS if _is_drawn(platform)},
        MARKS={platform: facts.mark for platform, facts in FACTS.items()},
        SPRITE=static_address("icons.svg"),
        STATES=STATES,
        TIKTOK=form_for(MediaKind.VIDEO, is_audited=True),
        ACTIONS=_ACTIONS,
        Scope=Scope,
        static=static_address,
        symbols=symbols,
        frozenset=frozenset,
    )
    return environment


def _initial(name: str) -> str:
    """Return a name's first letter or digit, in upper case; "?" if it has none."""
    return next((sign.upper() for sign in name if sign.isalnum()), "?")


def _headline(text: str) -> str:
    """Return a name for a text: its first sentence or line, of at most 80 characters."""
    line = text.strip().partition("\n")[0]
    sentence = _SENTENCE.match(line)
    name = line if sentence is None else sentence[0].rstrip(".")
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME].rstrip()}…"


def _city(zone: ZoneInfo) -> str:
    return zone.key.rpartition("/")[2].replace("_", " ")


def _day(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%a %-d %b %Y}"


def _clock(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%H:%M}"


def _moment(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%a %-d %b %Y, %H:%M}"


def _second(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%a %-d %b %Y, %H:%M:%S}"


def option_words(target: Target) -> list[tuple[str, str]]:
    """Return the labels and values of a target's options, in the words of its form."""
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


def _lateness(milliseconds: int) -> str:
    """Return how late something was, in words: milliseconds, seconds or minutes."""
    if milliseconds < _SECOND:
        return f"{milliseconds} ms"
    seconds = milliseconds / _SECOND
    return f"{seconds:.1f} s" if seconds < _MINUTE else f"{seconds / _MINUTE:.0f} min"


def _number(number: int) -> str:
    """Return a number up to twelve as a word, a larger one in digits."""
    return _WORDS[number] if number < len(_WORDS) else f"{number:,}"
