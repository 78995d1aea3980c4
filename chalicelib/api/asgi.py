"""One HTTP request and its answer over ASGI: bounded reads, and answers that always arrive.

`front` makes an Exchange per request. An answer given before the body was read would be lost if
the connection were reset, so what the client still sends is read for a moment and thrown away.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from chalicelib.api.wire import Request, Response

# What ASGI passes around is untyped by its own specification.
Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
AsgiApp: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_PAUSE_S = 60.0
"""A client that sends nothing for so long is gone."""

_DRAIN_S = 3.0
_DRAIN_BYTES = 64 * 1024 * 1024


class CutShortError(Exception):
    """The request ended, or stopped, before its body did."""


class Exchange:
    """A request that may still be arriving, and the way to answer it."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._ended = False
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self._raw_path: bytes = scope.get("raw_path") or self.path.encode()
        self._query: str = scope["query_string"].decode("latin-1")
        self.headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            self._add_header(name.decode("latin-1").lower(), value.decode("latin-1"))

    @property
    def content_length(self) -> int | None:
        """Return the announced length of the body; servers refuse what is no number."""
        announced = self.headers.get("content-length", "")
        return int(announced) if announced.isdecimal() else None

    @property
    def is_ambiguous(self) -> bool:
        """Tell whether the body has two lengths, which a proxy before us may read otherwise."""
        return "content-length" in self.headers and "transfer-encoding" in self.headers

    def request(self, body: bytes = b"") -> Request:
        """Return what was asked, with a body that was read."""
        return Request(
            method=self.method,
            path=self._raw_path.partition(b"?")[0].decode("latin-1"),
            query=parse_qs(self._query, keep_blank_values=True),
            headers=self.headers,
            body=body,
        )

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives. Raises CutShortError when it does not arrive whole."""
        while not self._ended:
            try:
                async with asyncio.timeout(LONGEST_PAUSE_S):
                    message = await self._receive()
            except TimeoutError as error:
                self._ended = True
                raise CutShortError from error
            if message["type"] != "http.request":
                self._ended = True
                raise CutShortError
            self._ended = not message.get("more_body", False)
            yield message.get("body", b"")

    async def answer(self, response: Response) -> None:
        """Send the answer; if the body is still coming, see to it that the answer arrives."""
        early = self._has_more()
        headers = {**response.headers, **({"Connection": "close"} if early else {})}
        if response.body:
            headers["Content-Length"] = str(len(response.body))
        await self._send(
            {
                "type": "http.response.start",
                "status": response.status,
                "headers": [(n.lower().encode(), v.encode("latin-1")) for n, v in headers.items()],
            }
        )
        body = {"type": "http.response.body", "body": response.body}
        if early:
            await self._send({**body, "more_body": True})
            await self._drain()
            body["body"] = b""
        await self._send({**body, "more_body": False})

    def _has_more(self) -> bool:
        """Tell whether the client is still sending; one that waits for 100-continue is not."""
        has_body = self.content_length not in {None, 0} or "transfer-encoding" in self.headers
        waits = self.headers.get("expect", "").lower() == "100-continue"
        return has_body and not self._ended and not waits

    async def _drain(self) -> None:
        """Read for a moment what the client sends before it sees the answer."""
        drained = 0
        try:
            async with asyncio.timeout(_DRAIN_S):
                async for piece in self.pieces():
                    drained += len(piece)
                    if drained > _DRAIN_BYTES:
                        return
        except (CutShortError, TimeoutError):
            return

    def _add_header(self, name: str, value: str) -> None:
        earlier = self.headers.get(name)
        self.headers[name] = value if earlier is None else f"{earlier}, {value}"
