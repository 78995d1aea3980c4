"""A request and an answer in plain bytes, whatever server or Lambda they came through.

`doors` (Chalice, the ASGI front) make requests, `pipeline` answers them. Header names of a
request are lower-case, its path is still percent-encoded; JSON is written in one place, here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final, Protocol, TypeAlias

from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.outcome import Json

JsonObject: TypeAlias = dict[str, Json]

JSON_TYPE: Final = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a client sent; `base_path` is what stands before `path` at API Gateway's own address."""

    method: str
    path: str
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    base_path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a client gets; the body is empty for 204 and for HEAD."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Answers(Protocol):
    """What answers requests: the pipeline, or the entrance before it."""

    def answer(self, request: Request) -> Response:
        """Answer a request, whatever it is."""
        ...


def lower_names(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with lower-case names."""
    return {name.lower(): value for name, value in headers.items()}


def json_bytes(value: object) -> bytes:
    """Write a value as UTF-8 JSON; what JSON cannot say (infinity) becomes null."""
    from pydantic_core import to_json  # noqa: PLC0415 - functions that answer no request need none

    return to_json(value, inf_nan_mode="null")


def json_response(status: int, value: object, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer with a JSON body."""
    body = json_bytes(value)
    return Response(
        status=status, headers={"Content-Type": JSON_TYPE, **(headers or {})}, body=body
    )
