"""What an endpoint can refuse, as OpenAPI responses with an example of every code.

`openapi` asks for them per endpoint; statuses come from the same table that the answers do.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel, Field

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.problems import DETAIL_STATUS
from chalicelib.api.openapi.error_sections import DETAIL_EXAMPLE
from chalicelib.api.openapi.headers import headers_of
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import (
    BadApiKey,
    BodyTooLarge,
    Busy,
    MethodNotAllowed,
    PathNotFound,
    PlanLimit,
    RoleForbids,
    ScopeMissing,
    SessionRequired,
    TooManyRequests,
    Unwritable,
    WorkspaceMoved,
    WorkspaceMoving,
)
from chalicelib.http.errors import (
    DETAIL_CODE,
    INTERNAL_CODE,
    INTERNAL_MESSAGE,
    INTERNAL_STATUS,
    status_of,
)
from chalicelib.http.messages import JSON_TYPE, JsonObject
from chalicelib.kit.json_value import Json

_TITLES = {
    401: "No key, or the key is wrong or revoked",
    402: "The plan lacks the feature, or the month's allowance is used",
    403: "The key lacks the scope, or the role the permission",
    404: "Not in this workspace",
    408: "The file stopped coming",
    409: "Not in a state for this",
    412: "The post has changed since the version that If-Match names",
    413: "The body or file is too large",
    415: "The file's type is not supported",
    421: "The workspace has moved to another server",
    422: "The input does not have the expected shape, or breaks a rule",
    429: "The workspace has used up its share of requests; Retry-After says when to retry",
    500: "Something went wrong on our side",
    502: "A platform did not answer or did not act",
    503: "Not at the moment; Retry-After says when to retry",
}


class ErrorBody(BaseModel):
    """Why a request was refused."""

    code: str = Field(description="Stable; meant for programs.")
    message: str = Field(description="Plain English; meant for people.")
    field: str = Field(default_factory=str, description="Only when one input is the cause.")


class RefusalOut(BaseModel):
    """A refusal."""

    error: ErrorBody


class ProblemOut(BaseModel):
    """One thing that is wrong with a request's shape."""

    loc: list[str | int] = Field(description="Begins with body, query, path or header.")
    msg: str
    type: str
    input: object = None
    ctx: dict[str, object] | None = None


class DetailOut(BaseModel):
    """Everything that is wrong with a request's shape."""

    detail: list[ProblemOut]


ERROR: Final = RefusalOut.__name__
ERROR_CODE: Final = "ErrorCode"
ERROR_BODY: Final = ErrorBody.__name__
DETAIL: Final = DetailOut.__name__
RESULT_SCHEMAS: Final[Sequence[type[BaseModel]]] = (RefusalOut, DetailOut)


def reference(name: str) -> JsonObject:
    """Return a reference to a schema of the description."""
    return {"$ref": f"#/components/schemas/{name}"}


def refusals(endpoint: Endpoint) -> JsonObject:
    """Return every status other than success that the endpoint can answer, with its codes."""
    by_status: dict[int, JsonObject] = defaultdict(dict)
    for kind in _errors_of(endpoint):
        by_status[status_of(kind)][kind.code] = _example(kind.code)
    by_status[INTERNAL_STATUS][INTERNAL_CODE] = _example(INTERNAL_CODE)
    responses = {status: _answer(status, examples) for status, examples in by_status.items()}
    if endpoint.documented:  # unknown parameters are refused everywhere
        responses[DETAIL_STATUS] = _shape_answer(by_status.get(DETAIL_STATUS, {}))
    return {
        str(status): {**responses[status], "headers": headers_of(endpoint, status)}
        for status in sorted(responses)
    }


def examples_of(endpoints: Iterable[Endpoint]) -> JsonObject:
    """Return an example of every refusal that the endpoints' answers refer to."""
    kinds = {kind.code: kind().message for one in endpoints for kind in _errors_of(one)}
    messages = {**kinds, INTERNAL_CODE: INTERNAL_MESSAGE}
    shown: JsonObject = {
        code: {"value": {"error": {"code": code, "message": message}}}
        for code, message in sorted(messages.items())
    }
    return {DETAIL_CODE: {"value": DETAIL_EXAMPLE}, **shown}


def error_codes(endpoints: Iterable[Endpoint]) -> JsonObject:
    """Return the schema of every code that a refusal can carry, with a sentence for each."""
    said = {kind.code: kind().message for one in endpoints for kind in _errors_of(one)}
    said |= {kind.code: kind().message for kind in (PathNotFound, MethodNotAllowed)}
    said |= {SessionRequired.code: SessionRequired().message, INTERNAL_CODE: INTERNAL_MESSAGE}
    codes: list[Json] = [*sorted(said)]
    told = "\n".join(f"- `{code}`: {said[code]}" for code in sorted(said))
    return {
        "title": ERROR_CODE,
        "type": "string",
        "enum": codes,
        "description": f"Stable; meant for programs.\n\n{told}",
    }


def error_schema() -> JsonObject:
    """Return the schema of a refusal's inside, whose codes are a schema of their own."""
    schema: JsonObject = ErrorBody.model_json_schema()
    properties = schema["properties"]
    if isinstance(properties, dict):
        properties["code"] = reference(ERROR_CODE)
    return schema


def _errors_of(endpoint: Endpoint) -> list[type[ServiceError]]:
    kinds: list[type[ServiceError]] = []
    if not endpoint.open_to_all:
        kinds += [BadApiKey, PlanLimit, TooManyRequests, WorkspaceMoved, WorkspaceMoving]
        kinds += [Busy, Unwritable]  # `http/errors.refusal_for`, whatever is asked of the store
    if endpoint.scope is not None:
        kinds += [ScopeMissing, RoleForbids]
    if endpoint.method != "GET":
        kinds.append(BodyTooLarge)
    return list(dict.fromkeys([*kinds, *endpoint.raises]))


def _answer(status: int, examples: JsonObject) -> JsonObject:
    content: JsonObject = {"schema": reference(ERROR), "examples": examples}
    return {"description": _TITLES[status], "content": {JSON_TYPE: content}}


def _shape_answer(examples: JsonObject) -> JsonObject:
    either: list[Json] = [reference(DETAIL), *([reference(ERROR)] if examples else [])]
    schema: JsonObject = {"anyOf": either} if examples else reference(DETAIL)
    shown: JsonObject = {DETAIL_CODE: _example(DETAIL_CODE), **examples}
    content: JsonObject = {"schema": schema, "examples": shown}
    return {"description": _TITLES[DETAIL_STATUS], "content": {JSON_TYPE: content}}


def _example(code: str) -> JsonObject:
    return {"$ref": f"#/components/examples/{code}"}


_PARAM = re.compile(r"{(\w+)}")
_POST: Mapping[str, str] = {"post_id": "/id", "target_id": "/targets/0/id"}
GIVEN: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "list_accounts": {"account_id": "/data/0/id"},
        "upload_media": {"media_id": "/id"},
        "begin_upload": {"media_id": "/media_id"},
        "create_post": _POST,
        "duplicate_post": _POST,
        "add_queue_slot": {"slot_id": "/id"},
        "add_label": {"label_id": "/id"},
        "repeat_post": {"series_id": "/id"},
    }
)
"""Where in an endpoint's answer the ids stand that others ask for."""


def params_of(path: str) -> list[str]:
    """Return the names in the braces of a template."""
    return _PARAM.findall(path)


def links_from(source: Endpoint, endpoints: Iterable[Endpoint]) -> JsonObject:
    """Return the links of an endpoint's success answer to the endpoints that it serves."""
    given = GIVEN.get(source.name, {})
    served = {
        endpoint.name: wanted
        for endpoint in endpoints
        if (wanted := params_of(endpoint.path)) and given.keys() >= set(wanted)
    }
    return {
        name: {
            "operationId": name,
            "parameters": {param: f"$response.body#{given[param]}" for param in wanted},
        }
        for name, wanted in served.items()
    }
