"""What every command shares: `--json` and `--stage`, how answers are printed, how errors end.

A command is a function that takes a deployment and returns an Answer; `answers` adds the rest.
Answers go to stdout, errors to stderr with status 1; wrong usage is click's status 2.
"""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.command_output import write_answer
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure, explain
from chalicelib.kit.dynamodb.table import ContentionError

OpenServices = Callable[[str | Path | None], AbstractContextManager[Deployment]]
"""Opens a deployment: of a stage by its name, of a server by its data directory as a Path, of the
local stack with None."""

_FOR_THE_ANSWER = frozenset(
    {"list", "show", "status", "stuck", "at-risk", "doctor", "try"}
    | {"create", "add", "invite", "sign-in"}
)
"""Commands that only read, and those that make something for their answer: an id, a key, a link."""
_Options = ParamSpec("_Options")
_Kind = TypeVar("_Kind", bound=StrEnum)
_Listed = TypeVar("_Listed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command prints: a JSON document, or lines for a person."""

    document: Mapping[str, object]
    lines: Sequence[str]
    exit_status: int = 0


class Several(click.ParamType[frozenset[_Kind], str]):
    """Values of a kind, separated by commas; words in `nothing` stand for no value."""

    def __init__(self, kinds: type[_Kind], one: str, nothing: tuple[str, ...] = ()) -> None:
        self.name = f"{one}s"
        self._kinds, self._one, self._nothing = kinds, one, nothing

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> frozenset[_Kind]:
        """Read the values; an unknown one is wrong usage."""
        if isinstance(value, frozenset):
            return value
        names = {name.strip() for name in str(value).split(",")}.difference(self._nothing)
        for name in sorted(names.difference(self._kinds)):
            known = ", ".join(self._kinds)
            self.fail(f"{name!r} is not a {self._one}. Choose from {known}.", param, ctx)
        return frozenset(self._kinds(name) for name in names)


def answers(
    command: Callable[Concatenate[Deployment, _Options], Answer],
) -> Callable[..., None]:
    """Make a command of a function from a deployment and options to an Answer."""
    return _command(command, _require_whole_indexes)


def answers_meanwhile(
    command: Callable[Concatenate[Deployment, _Options], Answer],
) -> Callable[..., None]:
    """Make a command that also works while indexes are being rebuilt."""
    return _command(command, lambda _: None)


def _require_whole_indexes(services: Deployment) -> None:
    if services.indexes is not None:
        services.indexes.require_whole()


def _command(
    command: Callable[Concatenate[Deployment, _Options], Answer],
    begin: Callable[[Deployment], None],
) -> Callable[..., None]:

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
    @click.option("--stage", metavar="NAME", help="Work on this deployed stage in AWS.")
    @functools.wraps(command)
    def run(*arguments: _Options.args, **options: _Options.kwargs) -> None:
        context = click.get_current_context()
        as_json, stage = options.pop("as_json"), options.pop("stage")
        answer = _answer(
            context.obj,
            str(stage) if stage else None,
            lambda services: command(services, *arguments, **options),
            begin,
        )
        text = json.dumps(answer.document) if as_json else "\n".join(answer.lines)
        is_the_point = context.command.name in _FOR_THE_ANSWER
        context.exit(write_answer(text, answer.exit_status, is_the_point=is_the_point))

    return run


def _answer(
    open_services: OpenServices,
    stage: str | None,
    command: Callable[[Deployment], Answer],
    begin: Callable[[Deployment], None],
) -> Answer:
    try:
        with open_services(stage) as services:
            begin(services)
            return command(services)
    except (OperatorError, ServiceError) as error:
        raise click.ClickException(error.message) from error
    except ContentionError as error:
        message = "Somebody else keeps changing this. Try again in a moment."
        raise click.ClickException(message) from error
    except AwsFailure as failure:
        raise click.ClickException(
            explain(failure, advice="`doctor` says what is wrong.")
        ) from failure


def moment(instant: datetime | None) -> str | None:
    """Return an instant in ISO 8601 in UTC, as the API does; None for None."""
    return None if instant is None else instant.astimezone(UTC).isoformat()


def listing(
    found: Sequence[_Listed],
    document: Callable[[_Listed], Mapping[str, object]],
    headings: Sequence[str],
    row: Callable[[_Listed], Sequence[object]],
    *,
    nothing: str = "",
) -> Answer:
    """Return the answer that lists what was found, or says `nothing` where that is given."""
    says = [nothing] if nothing and not found else table(headings, [row(one) for one in found])
    return Answer(document={"data": [document(one) for one in found]}, lines=says)


def table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the lines of a table; absent values are dashes."""
    cells = [list(headings), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(headings))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def yes_or_no(value: object) -> str:
    """Return what a table says of a claim."""
    return "yes" if value else "no"


def _cell(value: object) -> str:
    return "-" if value is None or value == "" else str(value)
