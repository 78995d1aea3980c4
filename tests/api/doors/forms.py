"""Uploads written by hand: multipart bodies, raw requests, and answers as they come off the wire.

Clients behave too well to show what a server does with half a body; sockets do not.
"""

import json
import select
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.api.http.pipelines import KEY

BOUNDARY = "----one-of-a-kind"
FORM_TYPE = f"multipart/form-data; boundary={BOUNDARY}"
PATIENCE_S = 10


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """What came back on a socket: one answer, and whether the server closed."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def code(self) -> str:
        """Return the code of an answer in the `error` shape."""
        return str(json.loads(self.body)["error"]["code"])

    @property
    def closes(self) -> bool:
        return self.headers.get("connection") == "close"


def part(data: bytes, disposition: str = 'name="file"; filename="v.mp4"') -> bytes:
    """Return one part of a form."""
    head = f"--{BOUNDARY}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
    return head.encode() + data + b"\r\n"


def form(*parts: bytes) -> bytes:
    """Return the whole body of a form."""
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


def upload_head(
    length: int | None,
    *,
    key: str = KEY,
    content_type: str = FORM_TYPE,
    others: Mapping[str, str] | None = None,
) -> bytes:
    """Return the head of an upload; without a length its body comes in chunks."""
    framing = {"Transfer-Encoding": "chunked"} if length is None else {"Content-Length": length}
    headers = {
        "Host": "test",
        "Authorization": f"Bearer {key}",
        "Content-Type": content_type,
        **framing,
        **(others or {}),
    }
    lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
    return ("POST /v1/media HTTP/1.1\r\n" + "".join(lines) + "\r\n").encode()


def chunk(data: bytes) -> bytes:
    """Return one chunk of a chunked body."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


class Line:
    """A connection to the front."""

    def __init__(self, address: tuple[str, int], *, patience_s: float = PATIENCE_S) -> None:
        self._socket = socket.create_connection(address, timeout=patience_s)
        self._file = self._socket.makefile("rb")

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self._socket.sendall(piece)

    def end_sending(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    @property
    def has_answer(self) -> bool:
        """Tell whether there is something to read."""
        return bool(select.select([self._socket], [], [], 0)[0])

    def answer(self) -> RawAnswer:
        """Read one answer, stepping over 100 Continue."""
        status, headers = self.head()
        body = self._file.read(int(headers.get("content-length", 0)))
        return RawAnswer(status, headers, body)

    def head(self) -> tuple[int, dict[str, str]]:
        """Read an answer up to its body: status and headers."""
        status = self._status()
        while status == 100:
            self._file.readline()
            status = self._status()
        headers: dict[str, str] = {}
        while (line := self._file.readline().strip()) != b"":
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        return status, headers

    def body(self, most: int) -> bytes:
        """Read so much of a body, less where the server ends it before."""
        return self._file.read(most)

    def is_closed(self) -> bool:
        """Wait for the server to close the connection."""
        try:
            return self._file.read(1) == b""
        except ConnectionResetError:
            return True

    def _status(self) -> int:
        line = self._file.readline()
        if not line:
            raise ConnectionError("closed without an answer")
        return int(line.split()[1])
