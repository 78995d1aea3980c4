"""One HTTP request and its answer over ASGI: limited reads, and answers that always arrive.

`api/doors/front` makes an Exchange per request. An answer given before the body was read would be
lost if the connection were reset, so what the client still sends is read for a moment and dropped.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from chalicelib.kit.asgi.messages import Request, Response, is_host
from chalicelib.kit.json_value import whole_number

# What ASGI passes around is untyped by its own specification.
Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
AsgiApp: TypeAlias = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]

LONGEST_PAUSE_S = 60.0
"""How long a client may send nothing before it counts as gone, in seconds."""

_MOST_DIGITS = 4_300
"""As many as Python reads; servers refuse far shorter numbers."""
_CRUMB_BYTES = 128
_MOST_CRUMBS = 1_000
_DRAIN_S = 10.0
_STOPPED_S = 1.0
"""Many libraries send all of a body before they look at an answer, and pause in a weak network."""

_DRAIN_BYTES = 64 * 1024 * 1024


class SilentError(Exception):
    """Nothing of the body arrived for the longest pause that is allowed."""


class CutShortError(Exception):
    """The request ended, or stopped, before its body did."""


class CrumbsError(CutShortError):
    """The body came in too many tiny pieces to be read on."""


class Exchange:
    """A request that may still be arriving, and the way to answer it."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._ended = False
        self._received_bytes = 0
        self._received_pieces = 0
        self._is_given_up = False
        self._receiving: asyncio.Future[Message] | None = None
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self._raw_path: bytes = scope.get("raw_path") or self.path.encode()
        self._query: str = scope["query_string"].decode("utf-8", "replace")
        self.head_bytes = len(self._raw_path) + len(scope["query_string"])
        self._client = _host(scope.get("client"))
        self._version: str = scope.get("http_version", "1.0")
        self.headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            self.head_bytes += len(name) + len(value)
            self._add_header(name.decode("latin-1").lower(), value.decode("latin-1"))

    @property
    def content_length(self) -> int | None:
        """Return the Content-Length, None without one; servers refuse what is not a number."""
        return whole_number(self.headers.get("content-length"), _MOST_DIGITS)

    @property
    def has_body(self) -> bool:
        """Tell whether a body was announced."""
        return self.content_length not in {None, 0} or "transfer-encoding" in self.headers

    @property
    def names_its_host(self) -> bool:
        """Tell whether it names one host, as HTTP/1.1 demands (RFC 9112, 3.2).

        Of two, a proxy in front may use the other one. A server may say none by an empty one.
        """
        host = self.headers.get("host")
        return is_host(host) if host else self._version != "1.1"

    @property
    def is_ambiguous(self) -> bool:
        """Tell whether the body has two lengths, of which a proxy in front may use the other."""
        return "content-length" in self.headers and "transfer-encoding" in self.headers

    @property
    def is_read(self) -> bool:
        """Tell whether the whole body was read."""
        return self._ended or not self.has_body

    @property
    def waits_to_be_asked(self) -> bool:
        """Tell whether the client sends its body only after 100 Continue."""
        return self.headers.get("expect", "").lower() == "100-continue"

    def request(self, body: bytes = b"") -> Request:
        """Return the request with this body."""
        return Request(
            method=self.method,
            path=self._raw_path.partition(b"?")[0].decode("latin-1"),
            query=parse_qs(self._query, keep_blank_values=True),
            headers=self.headers,
            body=body,
            client=self._client,
        )

    async def pieces(self, longest_pause_s: float = LONGEST_PAUSE_S) -> AsyncIterator[bytes]:
        """Yield the body as it arrives.

        Raises CutShortError if it does not arrive completely, SilentError after a longer pause.
        """
        while not self._ended:
            try:
                async with asyncio.timeout(longest_pause_s):
                    message = await self._receive()
            except TimeoutError as error:
                self._ended = True
                raise SilentError from error
            yield self._take(message)

    async def next_piece(self, within_s: float) -> bytes | None:
        """Return the next piece, None if none arrives in time; call it again to wait longer.

        Raises CutShortError if the client is gone.
        """
        receiving = self._receiving or asyncio.ensure_future(self._receive())
        self._receiving = None
        done, _ = await asyncio.wait({receiving}, timeout=within_s)
        if not done:
            self._receiving = receiving
            return None
        return self._take(receiving.result())

    def close(self) -> None:
        """Stop waiting for the client; call it after the request was answered."""
        if self._receiving is not None:
            self._receiving.cancel()

    def _take(self, message: Message) -> bytes:
        if message["type"] != "http.request":
            self._ended = True
            raise CutShortError
        piece: bytes = message.get("body", b"")
        self._received_bytes += len(piece)
        self._received_pieces += 1
        self._require_whole_pieces()
        is_whole = self._received_bytes == self.content_length
        self._ended = is_whole or not message.get("more_body", False)
        return piece

    def _require_whole_pieces(self) -> None:
        """Give up a body in tiny pieces, each as costly as a large one. Raises CrumbsError."""
        crumbs = self._received_pieces * _CRUMB_BYTES > self._received_bytes
        if crumbs and self._received_pieces > _MOST_CRUMBS:
            self._ended = self._is_given_up = True
            raise CrumbsError

    async def answer(self, response: Response) -> None:
        """Send the answer, and make sure that it arrives if the body is still being sent."""
        is_early = self._has_more()
        await self._send(_start(response, closes=is_early or self._is_given_up))
        body = response.body
        if is_early and body:
            # A server closes the connection after the whole answer and resets a client that still
            # sends. So the last byte waits until the client has seen the rest and stopped.
            await self._send_body(body[:-1], is_last=False)
            await self._drain()
            body = body[-1:]
        await self._send_body(body, is_last=True)

    async def stream(self, response: Response, pieces: AsyncIterator[bytes]) -> bool:
        """Send an answer whose body comes in pieces; return False if the client is gone.

        The next piece is read after the server took the last, so a slow client slows the reading.
        `response` must have the body's Content-Length. What `pieces` raises ends the connection.
        """
        leaving = asyncio.ensure_future(self._leaves())
        try:
            await self._send(_start(response, closes=self._has_more()))
            left = int(response.headers["Content-Length"])
            async for piece in pieces:
                async with asyncio.timeout(LONGEST_PAUSE_S):
                    await self._send_body(piece, is_last=False)
                left -= len(piece)
                if left and leaving.done():
                    return False
            await self._send_body(b"", is_last=True)
        except (TimeoutError, OSError):
            return False
        finally:
            leaving.cancel()
        return True

    async def _leaves(self) -> None:
        """Wait until the client is gone, and drop what it sends."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _send_body(self, body: bytes, *, is_last: bool) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": not is_last})

    def _has_more(self) -> bool:
        """Tell whether the client is still sending; one that waits for 100-continue is not."""
        return self.has_body and not self._ended and not self.waits_to_be_asked

    async def _drain(self) -> None:
        """Read for a moment, and drop, what the client sends before it sees the answer."""
        end = asyncio.get_running_loop().time() + _DRAIN_S
        most = self._received_bytes + _DRAIN_BYTES
        try:
            while not self._ended and await self.next_piece(_STOPPED_S) is not None:
                if self._received_bytes > most or asyncio.get_running_loop().time() > end:
                    return
        except CutShortError:
            return

    def _add_header(self, name: str, value: str) -> None:
        earlier = self.headers.get(name)
        self.headers[name] = value if earlier is None else f"{earlier}, {value}"


def _start(response: Response, *, closes: bool) -> Message:
    headers = {**response.headers, **({"Connection": "close"} if closes else {})}
    if response.body:
        headers["Content-Length"] = str(len(response.body))
    return {
        "type": "http.response.start",
        "status": response.status,
        "headers": [(n.lower().encode(), v.encode("latin-1")) for n, v in headers.items()],
    }


def _host(client: object) -> str:
    """Return the address of a connection's other end, empty if it is unknown."""
    return str(client[0]) if isinstance(client, tuple | list) and client else ""
