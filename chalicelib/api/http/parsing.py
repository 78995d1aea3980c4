"""From bytes to models: the body, the query and the one header that endpoints read.

`pipeline` calls it after the key was checked; everything wrong is raised together as `Malformed`.
Bodies go straight from bytes to a model, because pydantic's own parser is the strict one: it
refuses what `json.loads` lets through (deep nesting, lone surrogates, other encodings).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.messages import Request
from chalicelib.api.http.problems import Malformed, Problem, malformed, missing_body

IDEMPOTENCY_HEADER = "Idempotency-Key"
LONGEST_IDEMPOTENCY_KEY = 80
_HEADER: TypeAdapter[str] = TypeAdapter(Annotated[str, Field(max_length=LONGEST_IDEMPOTENCY_KEY)])

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
    if endpoint.query is None:
        return None
    last = {name: values[-1] for name, values in sent.items() if values}
    try:
        return endpoint.query.model_validate(last)
    except ValidationError as error:
        raise malformed(error, where=("query",)) from error


def _idempotency_key(endpoint: Endpoint, headers: Mapping[str, str]) -> str | None:
    sent = headers.get(IDEMPOTENCY_HEADER.lower())
    if not endpoint.takes_idempotency_key or not sent:
        return None
    try:
        return _HEADER.validate_python(sent)
    except ValidationError as error:
        raise malformed(error, where=("header", IDEMPOTENCY_HEADER)) from error


def _body(endpoint: Endpoint, sent: bytes) -> BaseModel | None:
    if endpoint.body is None:
        return None
    trimmed = sent.strip()
    if endpoint.body_optional and trimmed in (b"", b"null"):
        return endpoint.body.model_validate_json(b"{}")
    if not trimmed:
        raise missing_body()
    try:
        return endpoint.body.model_validate_json(sent)
    except ValidationError as error:
        raise malformed(error, where=("body",), sent=sent) from error
