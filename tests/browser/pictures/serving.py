"""A deployment in this process behind a socket, so that a browser can look at it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request


@contextmanager
def served(pipeline: Pipeline, port: int) -> Iterator[None]:
    """Answer at a port of this machine for as long as the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(pipeline))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def _handler(pipeline: Pipeline) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            url = urlsplit(self.path)
            asked = Request(
                method=self.command,
                path=url.path,
                query=parse_qs(url.query, keep_blank_values=True),
                headers={name.lower(): value for name, value in self.headers.items()},
                body=self.rfile.read(int(self.headers.get("Content-Length") or 0)),
            )
            answer = pipeline.answer(asked)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST = do_HEAD = _answer  # noqa: N815 - the standard library's names

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
