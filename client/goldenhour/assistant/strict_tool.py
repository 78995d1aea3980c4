"""A tool that refuses what it does not know, with the name that was probably meant.

Values of a wrong kind are refused in the same plain words, without those of the package behind it.

The package behind it drops unknown arguments: a misspelt zone would schedule a post at a wrong hour
with a success.
"""

import difflib
import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import ValidationError

from goldenhour.errors import GoldenhourError

P = ParamSpec("P")
R = TypeVar("R")

_NEAR = 0.5
_OTHER_NAMES = {
    "tz": "zone",
    "time": "at",
    "message": "caption",
    "text": "caption",
    "content": "caption",
    "caption_override": "captions",
    "query": "text",
    "q": "text",
    "platforms": "accounts",
    "targets": "accounts",
    "idempotency_key": "key",
    "id": "post_id",
    **dict.fromkeys(("from", "from_date", "start", "start_date", "after"), "since"),
    **dict.fromkeys(("to", "to_date", "end", "end_date", "before"), "until"),
}
"""What others call it, where that looks nothing like our name."""


class StrictTool(Tool):
    """A tool whose unknown arguments are an error, and whose null ones count as left out."""

    @classmethod
    def of(cls, function: Callable[..., object], annotations: ToolAnnotations) -> "StrictTool":
        """Return a method as a tool; its docstring and parameters are what an assistant is told."""
        tool = cls.from_function(_telling_errors(function), annotations=annotations)
        assert isinstance(tool, cls)  # noqa: S101 - from_function makes its own class
        tool.parameters = {
            **tool.parameters,
            "properties": {
                name: _one_kind(schema) for name, schema in tool.parameters["properties"].items()
            },
        }
        return tool

    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,  # noqa: FBT001, FBT002 - as the package calls it
    ) -> Any:  # noqa: ANN401 - as the package
        """Run it, unless an argument is unknown. Raises ToolError."""
        known = [*self.parameters["properties"]]
        for name in arguments:
            if name not in known:
                raise ToolError(_refusal(self.name, name, known))
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            self.fn_metadata.validate_arguments(given)
        except ValidationError as wrong:
            problems = "; ".join(_problem(one["loc"], one["msg"]) for one in wrong.errors())
            raise ToolError(f"{self.name}: {problems}; nothing was done.") from wrong
        return await super().run(given, context, convert_result=convert_result)


def _one_kind(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """Return what is told of a parameter: one type, without null or a flag.

    Google's package ends at `additionalProperties` that are true or false
    (github.com/googleapis/python-genai/issues/2476), and drops the description beside `anyOf`.
    """
    match schema:
        case {"anyOf": [kind, {"type": "null"}], "default": None, **rest}:
            return _one_kind({**kind, **rest})
        case {"additionalProperties": True, **rest}:
            return _one_kind({**rest, "additionalProperties": {}})
        case dict():
            return {name: _one_kind(one) for name, one in schema.items()}
        case _:
            return schema


def _refusal(tool: str, name: str, known: list[str]) -> str:
    other = _OTHER_NAMES.get(name)
    near = [other] if other in known else difflib.get_close_matches(name, known, 1, _NEAR)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    names = ", ".join(known) or "none"
    return f"{tool} has no argument {name!r}; nothing was done.{meant} Its arguments: {names}."


def _problem(location: tuple[str | int, ...], message: str) -> str:
    """Return what is wrong with one argument: `limit: Input should be …`."""
    where = ".".join(str(part) for part in location)
    return f"{where}: {message[:1].lower()}{message[1:]}"


def _telling_errors(tool: Callable[P, R]) -> Callable[P, R]:
    """Return a tool whose refusals reach the assistant word for word, with their code."""

    @functools.wraps(tool)
    def told(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except (GoldenhourError, ValueError, OSError) as failure:
            raise ToolError(str(failure)) from failure

    return told
