"""A host on loopback with files that strangers name, and with what goes wrong at hosts."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.sample_media import samples

VIDEO = samples()["turned90.mp4"].data
LONG = 9 * 1024 * 1024
"""More than a part of a multipart upload."""

FILES = {
    "/bread.mp4": VIDEO,
    "/Br%C3%B6t%20chen.webp": samples()["plain.webp"].data,
    "/page.mp4": b"<html>Sign in first</html>",
    "/empty.jpg": b"",
}


@dataclass(frozen=True, slots=True)
class FileHost:
    """Where the host is, and which paths it was asked for."""

    origin: str
    asked: list[str] = field(default_factory=list)


@contextmanager
def run_file_host() -> Iterator[FileHost]:
    """Serve until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    host = FileHost(f"http://127.0.0.1:{server.server_port}")
    server.host = host  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        host: FileHost = self.server.host  # type: ignore[attr-defined]
        host.asked.append(self.path)
        kind, _, rest = self.path.removeprefix("/").partition("/")
        match kind:
            case "to":
                self._answer(302, b"", Location=f"/{rest}")
            case "nowhere":
                self._answer(302, b"", Location="https://[bread")
            case "out":
                self._answer(302, b"", Location=f"http://127.0.0.1:{rest}/secret.mp4")
            case "longer":
                self._answer(200, VIDEO, Content_Length=str(len(VIDEO) + 1))
            case "broken":
                self._answer(200, VIDEO + bytes(LONG), Content_Length=str(2 * LONG))
            case "named":
                self._answer(200, VIDEO)
            case "said":
                self._answer(200, VIDEO, Content_Disposition=f"attachment; filename*=UTF-8''{rest}")
            case "huge":
                said = "9" * 5_000 if rest == "digits" else str(1024**3 + 1)
                self._answer(200, VIDEO, Content_Length=said)
            case _ if (path := self.path.partition("?")[0]) in FILES:
                self._answer(200, FILES[path])
            case _:
                self._answer(404, b"nothing here")

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **named}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Stay quiet."""
