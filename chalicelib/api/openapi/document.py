"""The machine-readable description, OpenAPI 3.1, made from the endpoints' own declarations.

`api/resources/service.py` serves it at `/v1/openapi.json`; `python -m chalicelib.api` prints it for
`docs/openapi.json`, and `make check` compares the two. It lists only what a key can call.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.fields import options_schemas
from chalicelib.api.openapi.bounds import OUR_ID, bound_parameter, bound_schema
from chalicelib.api.openapi.examples import TAGS, code_samples
from chalicelib.api.openapi.headers import (
    HEADERS,
    NOT_MODIFIED,
    header_parameters,
    headers_of,
)
from chalicelib.api.openapi.names import public_name, without_suffix
from chalicelib.api.openapi.responses import (
    ERROR_BODY,
    ERROR_CODE,
    RESULT_SCHEMAS,
    error_codes,
    error_schema,
    examples_of,
    links_from,
    params_of,
    reference,
    refusals,
)
from chalicelib.http.messages import JSON_TYPE, JsonObject
from chalicelib.kit.json_value import Json

VERSION: Final = "0.1.0"
"""Of the description, as SPEC has it; the service's own is `domain/version.py`."""

_ANY_JSON = "JsonValue"
"""What pydantic calls the values of options, which have schemas of their own."""

_SERVER = "Where this description was fetched from: a local, staging or production service"
_ABOUT = """Schedules and publishes one caption and one video or photo to connected social accounts.

Send `Authorization: Bearer <API_KEY>` with every request. Times are ISO 8601 with an offset; lists
are `{"data": [...]}`; ids are 32 hexadecimal characters. Every answer carries `X-Request-Id`; a
method that a path does not take is 405, with the others in `Allow`.
"""


@cache
def describe(endpoints: tuple[Endpoint, ...]) -> JsonObject:
    """Return the description of the documented endpoints."""
    listed = [endpoint for endpoint in endpoints if endpoint.documented]
    paths: dict[str, Json] = {}
    for endpoint in listed:
        operations = paths.setdefault(endpoint.path, {})
        if isinstance(operations, dict):
            operations[endpoint.method.lower()] = _operation(endpoint, listed)
    document: JsonObject = {
        "openapi": "3.1.0",
        "info": {
            "title": "goldenhour",
            "version": VERSION,
            "description": _ABOUT,
            "contact": {"name": "The operator of this service"},
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        # Read against this document's own address, so that it is right behind any prefix.
        "servers": [{"url": "..", "description": _SERVER, "x-internal": False}],
        "security": [{"apiKey": []}],
        "tags": [{"name": name, "description": about} for name, about in sorted(TAGS.items())],
        "paths": paths,
        "components": {
            "securitySchemes": {"apiKey": {"type": "http", "scheme": "bearer"}},
            "examples": examples_of(listed),
            "headers": dict(HEADERS),
            "schemas": {name: bound_schema(name, schema) for name, schema in _all_schemas(listed)},
        },
    }
    return without_suffix(document)


def _operation(endpoint: Endpoint, listed: Sequence[Endpoint]) -> JsonObject:
    operation: JsonObject = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "description": _needs(endpoint),
        "tags": [endpoint.path.split("/")[2]],
        "parameters": [
            *_path_parameters(endpoint),
            *_query_parameters(endpoint),
            *header_parameters(endpoint),
        ],
        "responses": {**_success(endpoint, listed), **refusals(endpoint)},
    }
    operation["x-codeSamples"] = code_samples(endpoint)
    if endpoint.open_to_all:
        operation["security"] = []
    if endpoint.takes_file:
        operation["requestBody"] = _file_body()
    elif endpoint.body is not None:
        operation["requestBody"] = _json_body(endpoint, endpoint.body)
    return operation


def _needs(endpoint: Endpoint) -> str:
    if endpoint.open_to_all:
        return "Needs no key."
    if endpoint.scope is None:
        return "Needs any valid key."
    return f"Needs a key with the scope `{endpoint.scope}`. {endpoint.also_needs}".rstrip()


def _path_parameters(endpoint: Endpoint) -> list[Json]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", **OUR_ID},
        }
        for name in params_of(endpoint.path)
    ]


def _query_parameters(endpoint: Endpoint) -> list[Json]:
    if endpoint.query is None:
        return []
    schema = endpoint.query.model_json_schema(ref_template="#/components/schemas/{model}")
    return [_query_parameter(name, about) for name, about in schema["properties"].items()]


def _query_parameter(name: str, schema: JsonObject) -> JsonObject:
    described = _without_null(schema)
    parameter: JsonObject = {
        "name": name,
        "in": "query",
        "required": False,
        "schema": bound_parameter(described),
    }
    if "description" in schema:
        parameter["description"] = schema["description"]
    if schema.get("type") == "array":
        # Repeats are taken too, which no description can say of the same parameter.
        parameter |= {"style": "form", "explode": False}
    return parameter


def _without_null(schema: JsonObject) -> JsonObject:
    """Return the schema of what is sent: a parameter may be left out, it is never null."""
    match schema.get("anyOf"):
        case [dict() as sent, {"type": "null"}]:
            return sent
        case _:
            left_out = ("title", "description")
            kept = {key: value for key, value in schema.items() if key not in left_out}
            # An empty list stands for a parameter that is left out: it cannot be sent.
            return {key: value for key, value in kept.items() if (key, value) != ("default", [])}


def _json_body(endpoint: Endpoint, model: type[BaseModel]) -> JsonObject:
    content: JsonObject = {"schema": reference(model.__name__), "example": endpoint.example}
    return {"required": not endpoint.body_optional, "content": {JSON_TYPE: content}}


def _file_body() -> JsonObject:
    file: JsonObject = {
        "type": "string",
        "format": "binary",
        "contentMediaType": "application/octet-stream",
    }
    form: JsonObject = {"type": "object", "required": ["file"], "properties": {"file": file}}
    return {"required": True, "content": {"multipart/form-data": {"schema": form}}}


def _success(endpoint: Endpoint, listed: Sequence[Endpoint]) -> JsonObject:
    statuses = [endpoint.status]
    if endpoint.takes_idempotency_key:
        statuses.append(200)
    answer: JsonObject = {"description": endpoint.summary}
    if issubclass(endpoint.returns, BaseModel):
        answer["content"] = {JSON_TYPE: {"schema": reference(endpoint.returns.__name__)}}
    if links := links_from(endpoint, listed):
        answer["links"] = links
    successes: JsonObject = {
        str(status): {**answer, "headers": headers_of(endpoint, status)}
        for status in sorted(statuses)
    }
    if endpoint.is_tagged:
        headers = headers_of(endpoint, NOT_MODIFIED)
        successes[str(NOT_MODIFIED)] = {"description": _NOT_MODIFIED, "headers": headers}
    return successes


def _all_schemas(listed: Sequence[Endpoint]) -> Iterator[tuple[str, JsonObject]]:
    yield from _schemas(listed).items()
    yield from options_schemas().items()
    yield ERROR_BODY, error_schema()
    yield ERROR_CODE, error_codes(listed)


def _schemas(endpoints: Sequence[Endpoint]) -> dict[str, JsonObject]:
    bodies = _distinct(endpoint.body for endpoint in endpoints)
    queries = _distinct(endpoint.query for endpoint in endpoints)
    answers = _distinct(endpoint.returns for endpoint in endpoints)
    _, described = models_json_schema(
        [
            *((model, "validation") for model in (*bodies, *queries)),
            *((model, "serialization") for model in (*answers, *RESULT_SCHEMAS)),
        ],
        ref_template="#/components/schemas/{model}",
    )
    schemas: dict[str, JsonObject] = described["$defs"]
    left_out = {_ANY_JSON, *(model.__name__ for model in queries)}
    names = sorted(schemas.keys() - left_out, key=public_name)
    return {name: _for_clients(schemas[name]) for name in names}


_NOT_MODIFIED = "It would be the same as the answer that If-None-Match names"
_SAYS_NOTHING = (None, "")
"""Defaults that are the same as leaving a field out: some generators demand fields with any."""


def _for_clients(schema: JsonObject) -> JsonObject:
    """Return a schema without what only this code's readers need to know, and empty defaults."""
    kept = {
        key: value for key, value in schema.items() if key != "description" or "enum" not in schema
    }
    fields = kept.get("properties")
    if isinstance(fields, dict):
        kept["properties"] = {name: _without_empty(field) for name, field in fields.items()}
    return kept


def _without_empty(field: Json) -> Json:
    if not isinstance(field, dict) or field.get("default", True) not in _SAYS_NOTHING:
        return field
    return {key: value for key, value in field.items() if key != "default"}


def _distinct(kinds: Iterable[type | None]) -> list[type[BaseModel]]:
    models = [kind for kind in kinds if kind is not None and issubclass(kind, BaseModel)]
    return list(dict.fromkeys(models))


def as_text(description: JsonObject) -> str:
    """Write the description as `docs/openapi.json` holds it."""
    text = json.dumps(description, indent=2, ensure_ascii=False)
    return text.replace("\x9f", "\\u009f") + "\n"  # a terminal takes it for a command
