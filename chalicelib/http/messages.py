"""What answers a request, and answers in JSON: the one place where JSON is written.

`doors` (Chalice, the ASGI front) make requests (`kit/asgi/messages.py`), `pipeline` answers them.
"""

from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.json_value import Json

JsonObject: TypeAlias = dict[str, Json]

JSON_TYPE: Final = "application/json"


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
    body = json_bytes(value)
    return Response(
        status=status, headers={"Content-Type": JSON_TYPE, **(headers or {})}, body=body
    )
