"""The names of a request, what answers it, and answers in JSON, which is written here alone.

`doors` (Chalice, the ASGI front) make requests (`kit/asgi/messages.py`), `pipeline` answers and
logs them. A caller's own `X-Request-Id` is kept as the request's name if it is plain, so that one
name leads through its log and ours; `traceparent` (W3C Trace Context) names the trace that it
belongs to.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.json_value import Json

JsonObject: TypeAlias = dict[str, Json]

JSON_TYPE: Final = "application/json"
REQUEST_ID: Final = "X-Request-Id"
REQUEST_ID_PATTERN: Final = "^[A-Za-z0-9._-]{8,64}$"
LONGEST_REQUEST_ID: Final = 64

_REQUEST_ID: Final = re.compile(REQUEST_ID_PATTERN.strip("^$"), re.ASCII)
_TRACEPARENT_LENGTH: Final = 55
_TRACEPARENT: Final = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}.*")


class Answers(Protocol):
    """What answers requests: the pipeline, or the entrance before it."""

    def answer(self, request: Request) -> Response:
        """Answer a request, whatever it is."""
        ...


def json_bytes(value: object) -> bytes:
    """Write a value as UTF-8 JSON; what JSON cannot say (infinity) becomes null."""
    from pydantic_core import to_json  # noqa: PLC0415 - functions that answer no request need none

    return to_json(value, inf_nan_mode="null")


def json_response(status: int, value: object, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer with a JSON body."""
    written = {"Content-Type": JSON_TYPE, **(headers or {})}
    return Response(status=status, headers=written, body=json_bytes(value))


def request_id_of(headers: Mapping[str, str]) -> str:
    """Return the name that a request brings, or a new one."""
    brought = headers.get(REQUEST_ID.lower(), "")
    return brought if _REQUEST_ID.fullmatch(brought) else secrets.token_hex(16)


def trace_of(headers: Mapping[str, str]) -> tuple[str, str] | tuple[None, None]:
    """Return the id of the trace that a request belongs to, and its place in it as it was brought.

    None for none, or a misspelt one.
    """
    found = _TRACEPARENT.fullmatch(headers.get("traceparent", ""))
    if found is None or not (int(found[1], 16) and int(found[2], 16)):
        return None, None
    return found[1], found[0][:_TRACEPARENT_LENGTH]
