"""A platform on loopback: real HTTP, strict about what it is sent, and able to fail on demand.

    class FakeX(FakePlatform):
        def answer(self, call: Received) -> Answer: ...     # raise Wrong for what X would refuse

    platform.strike(2, Fault.DROP_AFTER)      # take the third call from now on, lose its answer

A fake stands for a fact sheet: it knows methods, paths, headers, fields and their order.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from socket import SHUT_RDWR
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from multipart import (  # type: ignore[import-untyped]  # it ships none
    MultipartParser,
    parse_options_header,
)

Value = Any
"""JSON of any shape: a fake reads and answers what it wants."""

KEPT_BYTES = 8_388_608
_PIECE = 524_288


class Fault(StrEnum):
    """What goes wrong with one call; AFTER means that the platform did what it was asked."""

    DROP_BEFORE = "drop before"
    DROP_AFTER = "drop after"
    ERROR_BEFORE = "503 before"
    ERROR_AFTER = "502 after"
    GARBLED_AFTER = "garbled after"
    LIMITED = "429"
    TOKEN_REFUSED = "token refused"


@dataclass(frozen=True, slots=True)
class Received:
    """A call as it arrived; of a big body only size and digest are kept."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    size: int
    digest: str

    @property
    def name(self) -> str:
        """Return method and path."""
        return f"{self.method} {self.path}"

    @property
    def json(self) -> Value:
        """Return the body's JSON."""
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        """Return the fields of a form."""
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))

    @property
    def parts(self) -> list["Part"]:
        """Return the parts of a multipart body, in order."""
        _, said = parse_options_header(self.headers["content-type"])
        read = MultipartParser(
            BytesIO(self.body), said["boundary"], strict=True, spool_limit=KEPT_BYTES
        )
        return [
            Part(part.name, part.filename, part.headers.get("content-type"), part.raw)
            for part in read
        ]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a multipart body."""

    name: str
    filename: str | None
    mime: str | None
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the platform says: JSON, or bytes as they are."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


_TAKEN: Mapping[Fault, Answer | None] = {
    Fault.DROP_AFTER: None,
    Fault.ERROR_AFTER: Answer(502, {"error": "bad gateway"}),
    Fault.GARBLED_AFTER: Answer(200, b"<html>It works!</html>"),
}
"""What is said by a platform that did what it was asked."""


class BusyAccount(Protocol):
    """What an account meets that posts a lot: `limits.py`."""

    def refuse(self, call: Received, limited: Answer, now: datetime) -> Answer | None:
        """Return what a call is refused with, None for one that is taken."""
        ...

    def note(self, posts: Iterable[str], now: datetime) -> None:
        """Remember when posts became visible."""
        ...

    def is_listed(self, post: str, now: datetime) -> bool:
        """Tell whether the platform's lists show a post yet."""
        ...


class Wrong(Exception):
    """The call is not what the platform takes: it answers so."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(str(answer.body))
        self.answer = answer


class FakePlatform:
    """A server in this process; `calls` is what arrived, `posts` what everybody can see.

    `loses_next_post` cuts the connection once a call made the next post visible.
    """

    token_refused = Answer(401, {"error": "token"})
    limited = Answer(429, {"error": "limited"}, {"Retry-After": "7"})

    def __init__(self) -> None:
        self.calls: list[Received] = []
        self.posts: dict[str, Any] = {}
        self.loses_next_post = False
        self.limits: BusyAccount | None = None
        self._faults: dict[int, Fault] = {}
        self._guard = threading.RLock()
        platform = self

        class Handler(_Handler):
            served = platform

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, call: Received) -> Answer:
        """Do what a call asks; a subclass is the platform."""
        raise NotImplementedError

    def strike(self, place: int, fault: Fault) -> None:
        """Let the call at a place, counted from now on, go wrong."""
        self._faults[len(self.calls) + place] = fault

    def receive(self, call: Received) -> Answer | None:
        """Answer one call at a time; None is a cut connection."""
        with self._guard:
            fault = self._faults.pop(len(self.calls), None)
            self.calls.append(call)
            if fault in self._untaken:
                return self._untaken[fault]
            refusal = self._enough(call)
            if refusal is not None:
                return refusal
            shown = len(self.posts)
            try:
                answer = self.answer(call)
            except Wrong as wrong:
                answer = wrong.answer
            if self.limits is not None:
                self.limits.note(self.posts, self._now())
            if self.loses_next_post and len(self.posts) > shown:
                self.loses_next_post = False
                return None
            return answer if fault is None else _TAKEN[fault]

    def is_listed(self, post: str) -> bool:
        """Tell whether lists show a post yet; without limits they always do."""
        return self.limits is None or self.limits.is_listed(post, self._now())

    def _enough(self, call: Received) -> Answer | None:
        return None if self.limits is None else self.limits.refuse(call, self.limited, self._now())

    def _now(self) -> datetime:
        clock: Callable[[], datetime] = self.clock  # type: ignore[attr-defined]  # each fake has one
        return clock()

    @property
    def _untaken(self) -> dict[Fault | None, Answer | None]:
        """What is said by a platform that did nothing."""
        return {
            Fault.DROP_BEFORE: None,
            Fault.ERROR_BEFORE: Answer(503, {"error": "unavailable"}),
            Fault.LIMITED: self.limited,
            Fault.TOKEN_REFUSED: self.token_refused,
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet for an answer: two would wait for each other's acknowledgement
    served: FakePlatform

    def _serve(self) -> None:
        address = urlsplit(self.path)
        kept, size, digest = self._body()
        call = Received(
            method=self.command,
            path=address.path,
            query=dict(parse_qsl(address.query, keep_blank_values=True)),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=kept,
            size=size,
            digest=digest,
        )
        answer = self.served.receive(call)
        if answer is None:
            self.close_connection = True
            self.connection.shutdown(SHUT_RDWR)
            return
        self._send(answer)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _serve  # noqa: N815 - the library's names

    def _body(self) -> tuple[bytes, int, str]:
        left = int(self.headers.get("Content-Length", 0))
        kept, size, digest = bytearray(), left, hashlib.sha256()
        while left > 0:
            piece = self.rfile.read(min(_PIECE, left))
            left -= len(piece)
            digest.update(piece)
            if size <= KEPT_BYTES:
                kept += piece
        return bytes(kept), size, digest.hexdigest()

    def _send(self, answer: Answer) -> None:
        body = answer.body
        content = body if isinstance(body, bytes) else b"" if body is None else _spelled(body)
        self.send_response(answer.status)
        if not isinstance(body, bytes):
            self.send_header("Content-Type", "application/json")
        for name, value in {"Content-Length": str(len(content)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        """Keep quiet."""


def _spelled(body: object) -> bytes:
    return json.dumps(body).encode()
