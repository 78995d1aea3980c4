"""From bytes to models: the body, the query and the one header that endpoints read.

A field that a request gives twice is refused, except for lists: otherwise one of the two values
would be ignored silently, and a mistake must never change what goes out.

`pipeline` calls it after the key was checked; everything wrong is raised together as `Malformed`.
Bodies go straight from bytes to a model, because pydantic's own parser is the strict one: it
refuses what `json.loads` lets through (deep nesting, lone surrogates, other encodings).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Annotated, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.fields import COMMA_SEPARATED
from chalicelib.api.http.problems import (
    MOST_PROBLEMS,
    NOT_JSON,
    Malformed,
    Problem,
    missing_body,
    repetition_problem,
    translate_errors,
    unknown_field,
)
from chalicelib.api.http.response_headers import IF_MATCH, IF_NONE_MATCH
from chalicelib.kit.asgi.messages import Request
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

IDEMPOTENCY_HEADER = "Idempotency-Key"
LONGEST_IDEMPOTENCY_KEY = 80
LONGEST_TAGS = 2_048
"""Of If-Match and If-None-Match: some dozens of our entity tags."""
_LATER = ConfigDict(defer_build=True)
_HEADER: TypeAdapter[str] = TypeAdapter(
    Annotated[str, Field(max_length=LONGEST_IDEMPOTENCY_KEY)], config=_LATER
)
_TAGS: TypeAdapter[str] = TypeAdapter(Annotated[str, Field(max_length=LONGEST_TAGS)], config=_LATER)
_OBJECT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue], config=_LATER)
_NO_BODY = "Unknown field: this call takes no body"
_NO_PARAMETER = "Unknown parameter: this call takes none"

PartT = TypeVar("PartT")
Way: TypeAlias = tuple[str | int, ...]

_MOST_DIGITS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What an endpoint declared, out of one request."""

    query: BaseModel | None
    idempotency_key: str | None
    body: BaseModel | None = None


def parse(endpoint: Endpoint, request: Request) -> Parsed:
    """Read what the endpoint declares. Raises Malformed with every problem of every part."""
    problems: list[Problem] = []
    parsed = _head(endpoint, request, problems)
    body = _collecting(problems, lambda: _body(endpoint, request.body))
    if problems:
        raise Malformed(problems)
    return replace(parsed, body=body)


def check_head(endpoint: Endpoint, request: Request) -> None:
    """Read what needs no body. Raises Malformed with every problem of query and header."""
    problems: list[Problem] = []
    _head(endpoint, request, problems)
    if problems:
        raise Malformed(problems)


def _head(endpoint: Endpoint, request: Request, problems: list[Problem]) -> Parsed:
    _collecting(problems, lambda: _tags(endpoint, request.headers))
    return Parsed(
        query=_collecting(problems, lambda: _query(endpoint, request.query)),
        idempotency_key=_collecting(problems, lambda: _idempotency_key(endpoint, request.headers)),
    )


def _collecting(problems: list[Problem], read: Callable[[], PartT]) -> PartT | None:
    try:
        return read()
    except Malformed as wrong:
        problems += wrong.problems
        return None


def _query(endpoint: Endpoint, sent: Mapping[str, Sequence[str]]) -> BaseModel | None:
    if endpoint.query is None:
        if endpoint.documented:
            last = {name: values[-1] for name, values in sent.items() if values}
            _require_none("query", last, _NO_PARAMETER)
        return None
    joined, repeats = join_repeats(endpoint.query, sent)
    if repeats:
        raise Malformed(repeats)
    try:
        return endpoint.query.model_validate(joined)
    except ValidationError as error:
        raise translate_errors(error, where=("query",), model=endpoint.query) from error


def _idempotency_key(endpoint: Endpoint, headers: Mapping[str, str]) -> str | None:
    sent = headers.get(IDEMPOTENCY_HEADER.lower())
    if not endpoint.takes_idempotency_key or not sent:
        return None
    try:
        return _HEADER.validate_python(sent)
    except ValidationError as error:
        raise translate_errors(error, where=("header", IDEMPOTENCY_HEADER)) from error


def _tags(endpoint: Endpoint, headers: Mapping[str, str]) -> None:
    """Refuse more entity tags than anybody has of one thing."""
    for name, is_taken in (
        (IF_MATCH, endpoint.takes_if_match),
        (IF_NONE_MATCH, endpoint.is_tagged),
    ):
        sent = headers.get(name.lower())
        if is_taken and sent:
            try:
                _TAGS.validate_python(sent)
            except ValidationError as error:
                raise translate_errors(error, where=("header", name)) from error


def _body(endpoint: Endpoint, sent: bytes) -> BaseModel | None:
    trimmed = sent.strip()
    if endpoint.body is None:
        if trimmed.startswith(b"{") and not endpoint.takes_file:
            _require_none("body", _fields(sent), _NO_BODY)
        return None
    if endpoint.body_optional and trimmed in (b"", b"null"):
        return endpoint.body.model_validate_json(b"{}")
    if not trimmed:
        raise missing_body()
    try:
        read = endpoint.body.model_validate_json(sent)
    except ValidationError as error:
        if error.error_count() > 1 or error.errors(include_url=False)[0]["type"] != NOT_JSON:
            refuse_repeated_keys(sent)
        raise translate_errors(error, where=("body",), sent=sent, model=endpoint.body) from error
    refuse_repeated_keys(sent)
    return read


def _fields(sent: bytes) -> Mapping[str, Json]:
    """Read the fields of a JSON object that was sent where no body is taken."""
    try:
        return _OBJECT.validate_json(sent)
    except ValidationError as error:
        raise translate_errors(error, where=("body",), sent=sent) from error


def _require_none(where: str, sent: Mapping[str, Json], message: str) -> None:
    """Refuse fields where there are none, so that none is thought to have had an effect."""
    if sent:
        named = islice(sent, MOST_PROBLEMS)  # as many as are answered, of however many there are
        raise Malformed([unknown_field(name, where, sent[name], message) for name in named])


def join_repeats(
    model: type[BaseModel], sent: Mapping[str, Sequence[str]]
) -> tuple[dict[str, str], list[Problem]]:
    """Return each parameter's one text, and what is wrong about those that have several.

    A list takes commas and repeats alike, even mixed.
    """
    lists = {
        field.alias or name
        for name, field in model.model_fields.items()
        if COMMA_SEPARATED in field.metadata
    }
    known = {field.alias or name for name, field in model.model_fields.items()}
    joined = {
        name: ",".join(values) if name in lists else values[-1]
        for name, values in sent.items()
        if values
    }
    twice = [name for name, values in sent.items() if len(values) > 1]
    wrong = [name for name in twice if name in known - lists]
    return joined, [repetition_problem(("query", name), sent[name][1]) for name in wrong]


def refuse_repeated_keys(sent: bytes) -> None:
    """Refuse JSON in which an object, at any depth, names a key twice. Raises Malformed.

    It is JSON already by pydantic's parser, which is the strict one and bounds its depth.
    """
    doubles: list[_Object] = []

    def noticing(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        plain = dict(pairs)
        if len(plain) == len(pairs):
            return plain
        doubles.append(_Object(pairs))
        return doubles[-1]

    whole: Json = json.loads(sent.decode(), object_pairs_hook=noticing, parse_int=_whole)
    if not doubles:
        return
    found = sorted(_repeats(whole, ()), key=lambda one: len(one[0]))[:MOST_PROBLEMS]
    raise Malformed([repetition_problem(("body", *way), value) for way, value in found])


class _Object(dict[str, Json]):
    """A JSON object with a key that comes again; it still knows every pair."""

    def __init__(self, pairs: Iterable[tuple[str, Json]]) -> None:
        self.pairs = list(pairs)
        super().__init__(self.pairs)

    def repeats(self) -> Iterator[tuple[str, Json]]:
        """Yield each key that comes again, with the value that came with it the second time."""
        times: dict[str, int] = {}
        for name, value in self.pairs:
            times[name] = times.get(name, 0) + 1
            if times[name] == 2:  # noqa: PLR2004 - the second time
                yield name, value


def _repeats(value: Json, way: Way) -> Iterator[tuple[Way, Json]]:
    """Yield the way to each key that comes again, and its second value."""
    match value:
        case _Object():
            for name, second in value.repeats():
                yield (*way, name), second
            for name, inner in value.pairs:
                yield from _repeats(inner, (*way, name))
        case dict():
            for name, inner in value.items():
                yield from _repeats(inner, (*way, name))
        case list():
            for place, inner in enumerate(value):
                yield from _repeats(inner, (*way, place))
        case _:
            return


def _whole(digits: str) -> int | str:
    """Read a number of as many digits as anything here may have; longer ones stay a text."""
    return int(digits) if len(digits) <= _MOST_DIGITS else digits
