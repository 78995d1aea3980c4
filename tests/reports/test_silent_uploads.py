"""A phone lost its connection for half a minute: its upload was told that it had no file in it."""

import asyncio
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chalicelib.api.doors.file_stream import StreamedUpload, Unframed
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import FileMissing, TooSlow
from chalicelib.http.errors import error_response
from chalicelib.kit.asgi.exchange import Exchange


class Kept:
    """A store of nothing."""

    def has_room(self, _: int) -> bool:
        return True

    def write_all(self, _: object) -> None:
        pass

    def finish(self) -> None:
        pass

    def abort(self) -> None:
        pass


async def upload(*messages: MutableMapping[str, Any]) -> None:
    left = list(messages)

    async def receive() -> MutableMapping[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    async def send(_: MutableMapping[str, Any]) -> None:
        pass

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/media",
        "raw_path": b"/v1/media",
        "query_string": b"",
        "headers": [(b"content-length", b"9000")],
        "client": ("127.0.0.1", 1),
    }
    exchange = Exchange(scope, receive, send)
    with ThreadPoolExecutor(1) as storing:
        stream = StreamedUpload(Unframed(), Kept, storing)
        await stream.take(exchange, lambda _: None, longest_pause_s=0.05)


@pytest.mark.parametrize(
    ("ending", "refusal", "status"),
    [((), TooSlow, 408), (({"type": "http.disconnect"},), FileMissing, 422)],
    ids=["silence", "gone"],
)
def test_a_silence_is_told_as_one_and_not_as_a_missing_file(
    ending: tuple[MutableMapping[str, Any], ...], refusal: type[ServiceError], status: int
) -> None:
    """RFC 9110 15.5.9: 408 where a request did not come whole within the time one waits."""
    begun = {"type": "http.request", "body": b"\xff\xd8\xff" + bytes(5_000), "more_body": True}

    with pytest.raises(refusal) as told:
        asyncio.run(upload(begun, *ending))

    assert status == error_response(told.value).status
