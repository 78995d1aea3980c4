"""A server on loopback that answers what a test told it to and notes what it received."""

import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

DROP = -1
"""Instead of a status: take the request, then break the connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One request."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Message
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answering:
    """What is answered next, and what was asked so far; the last answer is repeated."""

    base_url: str
    answers: deque[tuple[int, object, Mapping[str, str]]] = field(default_factory=deque)
    received: list[Received] = field(default_factory=list)

    def will(self, status: int, body: object = None, **headers: str) -> None:
        """Answer so next, after what it was told before."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers.append((status, body, named))


@contextmanager
def run_answering() -> Iterator[Answering]:
    """Serve until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    answering = Answering(f"http://127.0.0.1:{server.server_port}")
    server.answering = answering  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield answering
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def _answer(self) -> None:
        answering: Answering = self.server.answering  # type: ignore[attr-defined]
        parts = urlsplit(self.path)
        answering.received.append(
            Received(
                method=self.command,
                path=parts.path,
                query=parse_qs(parts.query),
                headers=self.headers,
                body=self.rfile.read(int(self.headers.get("Content-Length", 0))),
            )
        )
        waiting = answering.answers
        status, body, headers = waiting.popleft() if len(waiting) > 1 else waiting[0]
        if status == DROP:
            self.close_connection = True
            return
        content = body if isinstance(body, bytes) else _as_json(body)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer  # noqa: N815 - the names there

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Stay quiet."""


def _as_json(body: object) -> bytes:
    return b"" if body is None else json.dumps(body).encode()
