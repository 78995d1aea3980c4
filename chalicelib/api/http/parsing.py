"""From bytes to models: the body, the query and the one header that endpoints read.

`pipeline` calls it after the key was checked; everything wrong is raised together as `Malformed`.
Bodies go straight from bytes to a model, because pydantic's own parser is the strict one: it
refuses what `json.loads` lets through (deep nesting, lone surrogates, other encodings).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.problems import (
    MOST_PROBLEMS,
    Malformed,
    Problem,
    malformed,
    missing_body,
    unknown_field,
)
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.outcome import Json
from chalicelib.http.messages import Request

IDEMPOTENCY_HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
MISMATCH = "Idempotency-Mismatch"
LONGEST_IDEMPOTENCY_KEY = 80
_LATER = ConfigDict(defer_build=True)
_HEADER: TypeAdapter[str] = TypeAdapter(
    Annotated[str, Field(max_length=LONGEST_IDEMPOTENCY_KEY)], config=_LATER
)
_OBJECT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue], config=_LATER)
_NO_BODY = "Unknown field: this call takes no body"
_NO_PARAMETER = "Unknown parameter: this call takes none"

PartT = TypeVar("PartT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What an endpoint declared, out of one request."""

    body: BaseModel | None
    query: BaseModel | None
    idempotency_key: str | None


def parse(endpoint: Endpoint, request: Request) -> Parsed:
    """Read what the endpoint declares. Raises Malformed with every problem of every part."""
    problems: list[Problem] = []
    parsed = Parsed(
        query=_collecting(problems, lambda: _query(endpoint, request.query)),
        idempotency_key=_collecting(problems, lambda: _idempotency_key(endpoint, request.headers)),
        body=_collecting(problems, lambda: _body(endpoint, request.body)),
    )
    if problems:
        raise Malformed(problems)
    return parsed


def _collecting(problems: list[Problem], read: Callable[[], PartT]) -> PartT | None:
    try:
        return read()
    except Malformed as wrong:
        problems += wrong.problems
        return None


def _query(endpoint: Endpoint, sent: Mapping[str, Sequence[str]]) -> BaseModel | None:
    last = {name: values[-1] for name, values in sent.items() if values}
    if endpoint.query is None:
        if endpoint.documented:
            _require_none("query", last, _NO_PARAMETER)
        return None
    try:
        return endpoint.query.model_validate(last)
    except ValidationError as error:
        raise malformed(error, where=("query",), model=endpoint.query) from error


def _idempotency_key(endpoint: Endpoint, headers: Mapping[str, str]) -> str | None:
    sent = headers.get(IDEMPOTENCY_HEADER.lower())
    if not endpoint.takes_idempotency_key or not sent:
        return None
    try:
        return _HEADER.validate_python(sent)
    except ValidationError as error:
        raise malformed(error, where=("header", IDEMPOTENCY_HEADER)) from error


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
        return endpoint.body.model_validate_json(sent)
    except ValidationError as error:
        raise malformed(error, where=("body",), sent=sent, model=endpoint.body) from error


def _fields(sent: bytes) -> Mapping[str, Json]:
    """Read the fields of a JSON object that was sent where no body is taken."""
    try:
        return _OBJECT.validate_json(sent)
    except ValidationError as error:
        raise malformed(error, where=("body",), sent=sent) from error


def _require_none(where: str, sent: Mapping[str, Json], message: str) -> None:
    """Refuse fields where there are none, so that none is thought to have had an effect."""
    if sent:
        named = islice(sent, MOST_PROBLEMS)  # as many as are answered, of however many there are
        raise Malformed([unknown_field(name, where, sent[name], message) for name in named])
