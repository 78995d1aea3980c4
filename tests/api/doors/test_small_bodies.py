"""Bodies of requests that need neither key nor session."""

import asyncio

import pytest

from chalicelib.api.doors.small_bodies import SHORT_BYTES, SmallBodies
from chalicelib.domain.errors import BodyTooLarge
from chalicelib.http.pipeline import NOBODY
from chalicelib.kit.asgi.exchange import Exchange, Message
from chalicelib.kit.asgi.messages import Response


def _read(header: tuple[bytes, bytes], size: int) -> bytes | Response:
    async def receive() -> Message:
        return {"type": "http.request", "body": bytes(size), "more_body": size > SHORT_BYTES}

    async def send(message: Message) -> None:
        raise AssertionError(message)

    async def admit() -> str:
        return NOBODY

    scope = {"method": "POST", "path": "/oauth/token", "query_string": b"", "headers": [header]}
    return asyncio.run(SmallBodies().read(Exchange(scope, receive, send), admit))


@pytest.mark.parametrize(
    "header",
    [(b"content-length", b"%d" % (3 * SHORT_BYTES)), (b"transfer-encoding", b"chunked")],
    ids=["announced", "in pieces"],
)
def test_a_stranger_is_told_how_short_a_body_must_be(header: tuple[bytes, bytes]) -> None:
    with pytest.raises(BodyTooLarge) as refused:
        _read(header, SHORT_BYTES + 1)

    assert "at most 16 KB" in refused.value.message


def test_a_short_body_of_a_stranger_is_read() -> None:
    assert bytes(SHORT_BYTES) == _read((b"content-length", b"%d" % SHORT_BYTES), SHORT_BYTES)
