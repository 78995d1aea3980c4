"""A host on loopback that says bytes as they are, however little they are HTTP.

`says` has what it says to each request, in order, the last of them from then on; `end` what follows
that.
"""

import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum

_AT_ONCE = struct.pack("ii", 1, 0)
_HEAD_ENDS = b"\r\n\r\n"


class End(StrEnum):
    """What a host does once it has said what it says."""

    CLOSE = "close"
    HALF = "half-close"
    RESET = "reset"
    KEEP = "keep"


@dataclass
class RawHost:
    """A running host: what it says, and the first line of each request that arrived."""

    listener: socket.socket
    says: Sequence[bytes] = ()
    end: End = End.CLOSE
    asked: list[bytes] = field(default_factory=list)
    connections: int = 0
    taken: socket.socket | None = None

    @property
    def url(self) -> str:
        """Return where it listens."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        """Answer one connection after the other until the listener is closed."""
        with suppress(OSError):
            while True:
                taken, _ = self.listener.accept()
                self.connections += 1
                self.taken = taken
                with taken, suppress(OSError):
                    self._answer(taken)

    def _answer(self, taken: socket.socket) -> None:
        while (asked := _request(taken)) is not None:
            said = self.says[min(len(self.asked), len(self.says) - 1)]
            self.asked.append(asked)
            taken.sendall(said)
            if self.end is End.KEEP:
                continue
            if self.end is End.RESET:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            if self.end is End.HALF:
                taken.shutdown(socket.SHUT_WR)
                taken.recv(1)
            return


def _request(taken: socket.socket) -> bytes | None:
    """Read one whole request; return its first line, None if the other side has gone."""
    read = b""
    while _HEAD_ENDS not in read:
        piece = taken.recv(65_536)
        if not piece:
            return None
        read += piece
    head, _, body = read.partition(_HEAD_ENDS)
    lines = head.lower().split(b"\r\n")
    named = (line.partition(b":")[2] for line in lines if line.startswith(b"content-length:"))
    left = int(next(named, b"0")) - len(body)
    while left > 0:
        piece = taken.recv(left)
        if not piece:
            return None
        left -= len(piece)
    return head.partition(b"\r\n")[0]


@contextmanager
def a_raw_host() -> Iterator[RawHost]:
    """Run a host for a while."""
    listener = socket.create_server(("127.0.0.1", 0))
    host = RawHost(listener)
    thread = threading.Thread(target=host.serve)
    thread.start()
    try:
        yield host
    finally:
        for still_open in (listener, host.taken):
            with suppress(OSError, AttributeError):
                still_open.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
        listener.close()
        thread.join()
