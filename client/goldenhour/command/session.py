"""What every command shares: the profile, the client, the zone, and how to print.

People get words, tables and colours (colours on a terminal only); `--json` gets one JSON document
on stdout, and nothing else is written there.
"""

import json
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo

import click
import tzlocal
from rich.console import Console
from rich.table import Table
from rich.text import Text

from goldenhour.client import Client
from goldenhour.command import keys
from goldenhour.command.output import is_for_everything
from goldenhour.http.writing import to_json
from goldenhour.spoken.times import find_zone, machine_zone, tell_time

Command = TypeVar("Command", bound=Callable[..., object])

WIDTH_OF_PIPES = 240
COLOURS = {
    "published": "green",
    "ok": "green",
    "scheduled": "cyan",
    "publishing": "yellow",
    "partial": "yellow",
    "warn": "yellow",
    "failed": "red",
    "broken": "red",
    "error": "red",
}


@dataclass
class Session:
    """One run of the command."""

    profile_name: str = "default"
    insecure_http: bool = False
    as_json: bool = False
    acts: bool = False
    """The command changes something: once that is done, a lost answer is no failure."""

    zone_name: str | None = None
    console: Console = field(default_factory=lambda: _console(stderr=False))
    notes: Console = field(default_factory=lambda: _console(stderr=True))
    """Progress and remarks; stderr, so that stdout holds only the result."""

    @cached_property
    def profile(self) -> keys.Profile:
        """The profile in use. Raises NotSignedIn."""
        return keys.load(self.profile_name)

    @property
    def address(self) -> str:
        """The service's address. Raises NotSignedIn."""
        return keys.address(self.profile_name)

    @cached_property
    def client(self) -> Client:
        """The API."""
        profile = self.profile
        return Client(profile.url, profile.api_key, insecure_http=self.insecure_http)

    @cached_property
    def zone(self) -> ZoneInfo:
        """The zone of times: asked for, the profile's, or this machine's."""
        return find_zone(
            self.zone_name
            or keys.zone(self.profile_name)
            or machine_zone(tzlocal.get_localzone_name(), time.tzname)
        )

    def now(self) -> datetime:
        """Return the present moment."""
        return datetime.now(timezone.utc)

    def tell(self, at: datetime | None) -> str:
        """Return a moment in the zone, in words."""
        return "" if at is None else tell_time(at, self.zone)

    def tell_short(self, at: datetime | None) -> str:
        """Return a moment in the zone, for a column whose title names the zone."""
        return "" if at is None else f"{at.astimezone(self.zone):%a %d %b %Y %H:%M}"

    def result(self, value: object) -> bool:
        """Print a result as JSON if that is wanted; return whether it was."""
        if self.as_json:
            self.document(value, indent=2)
        return self.as_json

    def document(self, value: object, *, indent: int | None = None) -> None:
        """Print a value as JSON, which is the same document in every encoding."""
        is_escaped = not is_for_everything(sys.stdout)
        click.echo(json.dumps(to_json(value), indent=indent, ensure_ascii=is_escaped))

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a table."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold", no_wrap=column in {"id", "post"})
        for row in rows:
            table.add_row(*(shown(cell) for cell in row))
        self.console.print(table)

    def say(self, text: str) -> None:
        """Print a sentence for a person; nothing when JSON is wanted."""
        if not self.as_json:
            self.console.print(shown(text), soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a remark to stderr."""
        self.notes.print(shown(text), soft_wrap=True)


def _console(*, stderr: bool) -> Console:
    """Return a console; one that is no terminal gets lines that are long enough for a table."""
    console = Console(stderr=stderr, highlight=False, markup=False)
    if not console.is_terminal:
        console.width = WIDTH_OF_PIPES
    return console


def shown(text: str) -> Text:
    """Return text for a terminal: without control characters, a status in its colour."""
    safe = "".join(
        each
        if each in "\n\t" or unicodedata.category(each) != "Cc"
        else "\N{REPLACEMENT CHARACTER}"
        for each in text
    )
    return Text(safe, style=COLOURS.get(safe, ""))


def _want_json(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click calls it
    context.ensure_object(Session).as_json |= value


def _want_zone(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.ensure_object(Session).zone_name = value


def json_option(command: Command) -> Command:
    """Give a command `--json`."""
    return click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        callback=_want_json,
        help="Print one JSON document.",
    )(command)


def zone_option(command: Command) -> Command:
    """Give a command `--zone`."""
    return click.option(
        "--zone",
        metavar="ZONE",
        expose_value=False,
        callback=_want_zone,
        help="Time zone of times, as Europe/Paris (default: the profile's, or this machine's).",
    )(command)
