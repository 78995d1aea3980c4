"""Problems with a request's shape: pydantic's errors in the form of 422 `detail`.

`parsing` finds them, `pipeline` answers with them. An answer stays small whatever was sent: at most
100 problems and 60 KB, and an `input` too long to be of use is cut or left out. An unknown field is
answered with the one that was probably meant, by the model it was sent to; one that belongs a level
further down is named with its way, as `targets[].scheduled_at`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NotRequired, TypedDict, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticKnownError, to_jsonable_python

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.nearest_name import nearest_name, unknown_message
from chalicelib.http.errors import DETAIL_CODE, help_with
from chalicelib.http.messages import json_bytes, json_response
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.json_value import Json


def unknown_field_message(model: type[BaseModel], loc: Sequence[str | int]) -> str:
    """Say which field was probably meant by the one that `loc` ends with."""
    *way, last = loc
    owner = _at(model, way)
    unknown = str(last)
    if nearest_name(unknown, _names(owner)) is None:
        for name, inner in _nested_models(owner):
            meant = nearest_name(unknown, _names(inner))
            if meant is not None:
                return f"Unknown field; did you mean `{name}[].{meant}`?"
    return unknown_message(unknown, _names(owner))


def _at(model: type[BaseModel], way: Sequence[str | int]) -> type[BaseModel]:
    """Return the model in which the way ends."""
    for step in way:
        model = dict(_nested_models(model)).get(str(step), model)
    return model


def _names(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _nested_models(model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    for name, field in model.model_fields.items():
        inner = next(_models_in(field.annotation), None)
        if inner is not None:
            yield field.alias or name, inner


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


DETAIL_STATUS = 422
UNKNOWN_FIELD = "extra_forbidden"
REPEATED = "repeated"
NOT_JSON = "json_invalid"
MOST_PROBLEMS = 100
MOST_BYTES = 60_000
LONGEST_INPUT_BYTES = 400
LONGEST_TEXT = 100
_OTHER_KINDS = {
    rb"\x1f\x8b": "gzip",
    rb"x[\x01\x9c\xda]": "deflate",
    rb"\x28\xb5\x2f\xfd": "Zstandard",
    rb"\xef\xbb\xbf": "a byte order mark",
    rb"\xff\xfe|\xfe\xff|\{\0|\0\{": "UTF-16",
    rb"[\w.%+*\[\]-]+=|--[^\r\n]+\r\nContent-": "a form",
    rb"\[object ": "a JavaScript object that was not made JSON",
}
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")
_WANTED = "send JSON in plain UTF-8, not compressed."
_JSON_POSITION = re.compile(r"line (\d+) column (\d+)$")


class Problem(TypedDict):
    """One thing that is wrong with a request, as pydantic names it."""

    type: str
    loc: list[str | int]
    msg: str
    input: NotRequired[Json]
    ctx: NotRequired[Json]


class Malformed(Exception):
    """The request does not have the expected shape."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__(f"{len(problems)} problems")


def missing_body() -> Malformed:
    """Return the refusal of a request that lacks its body."""
    return Malformed([Problem(type="missing", loc=["body"], msg="Field required", input=None)])


def unknown_field(name: str, where: str, value: Json, message: str) -> Problem:
    """Return the problem of a field that nothing is called."""
    problem = Problem(type=UNKNOWN_FIELD, loc=[where, _cut_name(name)], msg=message)
    _show_input(problem, value)
    return problem


def repetition_problem(loc: Sequence[str | int], second: Json) -> Problem:
    """Return the problem of something that can be said once; `second` came after the first."""
    name = _cut_name(loc[-1])
    way = [_cut_name(part) for part in loc]
    problem = Problem(type=REPEATED, loc=way, msg=f"`{name}` is given twice; give it once")
    _show_input(problem, second)
    return problem


def translate_errors(
    error: ValidationError,
    *,
    where: tuple[str, ...],
    sent: bytes = b"",
    model: type[BaseModel] | None = None,
) -> Malformed:
    """Turn pydantic's errors into ours; `where` begins each loc: body, query or a header.

    `model` is what was read, so that an unknown field can be told which one was probably meant.
    """
    found = error.errors(include_url=False)[:MOST_PROBLEMS]
    told = (_name_unknown_field(_count_characters(one), model) for one in found)
    return Malformed([_problem(one, where, sent) for one in told])


def _count_characters(error: ErrorDetails) -> ErrorDetails:
    """Say how many characters a text may have: behind our validators pydantic speaks of items."""
    bounds = {"too_long": "max_length", "too_short": "min_length"}
    bound = bounds.get(error["type"])
    if bound is None or not isinstance(error["input"], str):
        return error
    told = PydanticKnownError(f"string_{error['type']}", {bound: error["ctx"][bound]})  # type: ignore[arg-type]
    return {**error, "type": told.type, "msg": told.message(), "ctx": {**(told.context or {})}}


def _name_unknown_field(error: ErrorDetails, model: type[BaseModel] | None) -> ErrorDetails:
    if model is None or error["type"] != UNKNOWN_FIELD:
        return error
    return {**error, "msg": unknown_field_message(model, error["loc"])}


def invalid_input(error: InvalidInput) -> Malformed:
    """Turn shape problems that only a service could see into the same form."""
    return Malformed(
        [Problem(type=e.kind, loc=list(e.loc), msg=e.message) for e in (error, *error.others)]
    )


def detail_response(problems: Iterable[Problem]) -> Response:
    """Return the answer 422 `detail` with as many problems as it may hold."""
    kept: list[Problem] = []
    size = 0
    for problem in problems:
        size += len(json_bytes(problem))
        if len(kept) == MOST_PROBLEMS or (kept and size > MOST_BYTES):
            break
        kept.append(problem)
    return json_response(DETAIL_STATUS, {DETAIL_CODE: kept}, help_with(DETAIL_CODE))


def _problem(error: ErrorDetails, where: tuple[str, ...], sent: bytes) -> Problem:
    if error["type"] == NOT_JSON:
        return _json_invalid(error, sent)
    loc = [*where, *(_cut_name(part) for part in error["loc"])]
    problem = Problem(type=error["type"], loc=loc, msg=error["msg"])
    _show_input(problem, error["input"])
    if "ctx" in error:
        problem["ctx"] = to_jsonable_python(error["ctx"], fallback=str, inf_nan_mode="null")
    return problem


def _json_invalid(error: ErrorDetails, sent: bytes) -> Problem:
    """Say where the JSON breaks, as FastAPI does: loc is the offset, input is empty."""
    reason = error["ctx"]["error"]
    return Problem(
        type=NOT_JSON,
        loc=["body", _offset(reason, sent)],
        msg="JSON decode error",
        input={},
        ctx={"error": f"{reason}{_other_kind(reason, sent)}"},
    )


def _other_kind(reason: str, sent: bytes) -> str:
    """Say so of a body that is compressed, a form, or text in another coding than UTF-8."""
    for start, found in _OTHER_KINDS.items():
        if re.match(start, sent):
            return f". The body begins like {found}; {_WANTED}"
    try:
        sent.decode()
    except UnicodeDecodeError:
        return f". The body is no UTF-8; {_WANTED}"
    if "hex escape" in reason and _HALF_CHARACTER.search(sent):
        return ". Half of a character stands alone: a text was cut within an emoji."
    return ""


def _offset(reason: str, sent: bytes) -> int:
    position = _JSON_POSITION.search(reason)
    if position is None:
        return 0
    line, column = int(position[1]), int(position[2])
    before = sent.split(b"\n", line - 1)[: line - 1]
    return sum(len(part) + 1 for part in before) + column


def _show_input(problem: Problem, value: object) -> None:
    """Give a problem the value that was sent, unless it is too long to be of use."""
    if isinstance(value, list | dict) and len(value) > LONGEST_INPUT_BYTES:
        return  # as JSON it is at least as long, and may be a megabyte
    shown = _shorten(value)
    if len(json_bytes(shown)) <= LONGEST_INPUT_BYTES:
        problem["input"] = shown


def _shorten(value: object) -> Json:
    """Return plain JSON of a value that was sent; a long text loses its end."""
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + "…"
    plain: Json = to_jsonable_python(value, fallback=str, inf_nan_mode="null")
    return plain


def _cut_name(part: str | int) -> str | int:
    return part[:LONGEST_TEXT] if isinstance(part, str) else part
