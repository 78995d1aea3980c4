"""A slow line between a browser and a stack, which can break: a SOCKS proxy on loopback (RFC 1928).

with slow_line(bytes_a_second=100_000) as line:
    page = visitor.page(proxy=line.proxy)
    line.break_off()
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from playwright.sync_api import ProxySettings

from tests.support.loopback_only import stays_here

_PIECE = 16 * 1024
_GREETED, _CONNECTED = b"\x05\x00", b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00"
_REQUEST = 5
"""Version, command, zero, the kind of address, which Chromium gives as a name, and its length."""


@dataclass(slots=True)
class SlowLine:
    """What a browser sends takes its time; what it gets does not."""

    server: socket.socket
    bytes_a_second: float

    @property
    def proxy(self) -> ProxySettings:
        """Return what sends a browser context through this line, for loopback too."""
        server = f"socks5://127.0.0.1:{self.server.getsockname()[1]}"
        return {"server": server, "bypass": "<-loopback>"}

    def serve(self) -> None:
        """Take connections until the line is closed."""
        with suppress(OSError):
            while True:
                near, _ = self.server.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, suppress(OSError):
            near.recv(257)
            near.sendall(_GREETED)
            length = near.recv(_REQUEST, socket.MSG_WAITALL)[-1]
            host = near.recv(length, socket.MSG_WAITALL).decode()
            port = int.from_bytes(near.recv(2, socket.MSG_WAITALL))
            if not stays_here(host):  # Chromium asks its maker for this and that by itself
                return
            with socket.create_connection((host, port)) as far:
                near.sendall(_CONNECTED)
                back = threading.Thread(target=_relay, args=(far, near), daemon=True)
                back.start()
                _relay(near, far, self)
                back.join()


def _relay(source: socket.socket, target: socket.socket, line: SlowLine | None = None) -> None:
    with suppress(OSError):
        while piece := source.recv(_PIECE):
            target.sendall(piece)
            if line is not None:
                time.sleep(len(piece) / line.bytes_a_second)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@contextmanager
def slow_line(*, bytes_a_second: float) -> Iterator[SlowLine]:
    """Open a line that takes so many bytes a second from the browser, on each connection."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _PIECE)
    server.bind(("127.0.0.1", 0))
    server.listen()
    line = SlowLine(server, bytes_a_second)
    threading.Thread(target=line.serve, daemon=True).start()
    try:
        yield line
    finally:
        server.close()
