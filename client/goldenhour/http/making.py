"""A call that makes something makes it once: under a key, a repeat changes nothing.

`resources` make whatever they make by `make`.
"""

import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from goldenhour.errors import KeyReused
from goldenhour.http.transport import Answer, Call, Transport

if TYPE_CHECKING:
    from goldenhour.errors import Made

MadeT = TypeVar("MadeT", bound="Made")


def make(
    transport: Transport,
    path: str,
    read: Callable[[Answer], MadeT],
    *,
    key: str | None,
    json: Mapping[str, object] | None = None,
    stream: Callable[[], tuple[object, str]] | None = None,
) -> MadeT:
    """Make something once for a key, one of its own if none is given, and return it.

    Raises KeyReused when the key made something of another request before.
    """
    sent = key or f"py-{uuid.uuid4().hex}"
    answer = transport.send(
        Call(
            method="POST",
            path=path,
            json=json,
            stream=stream,
            headers={"Idempotency-Key": sent},
            repeatable=True,
        )
    )
    made = read(answer)
    if "Idempotency-Mismatch" in answer.headers:
        raise KeyReused(sent, made)
    return made
