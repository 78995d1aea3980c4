"""Hosts of an attacker's own: they answer as slowly as they like, and count who asks."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass(slots=True)
class SlowHost:
    """A host that begins to send a video of a gigabyte, a few bytes a second."""

    port: int
    open_now: int = 0
    most_at_once: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def serve(self, client: socket.socket, head: bytes, a_second: int) -> None:
        """Answer one connection until it is closed."""
        with self.lock:
            self.open_now += 1
            self.most_at_once = max(self.most_at_once, self.open_now)
        with client, suppress(OSError):
            client.recv(65_536)
            client.sendall(head)
            while a_second and not self.stopping.is_set():
                client.sendall(bytes(a_second))
                time.sleep(1)
            while not a_second and not self.stopping.is_set():
                client.settimeout(1)
                with suppress(TimeoutError):
                    if not client.recv(1):
                        break
        with self.lock:
            self.open_now -= 1


_VIDEO = (
    b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 900000000\r\n\r\n"
    b"\0\0\0\x18ftypisom\0\0\0\0isomiso2" + bytes(4_096)
)


@contextmanager
def slow_host(head: bytes = _VIDEO, *, a_second: int = 64) -> Iterator[SlowHost]:
    """Serve until the block ends; with nothing a second it is silent after the head."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        listener.settimeout(0.2)
        host = SlowHost(listener.getsockname()[1])

        def accept() -> None:
            while not host.stopping.is_set():
                with suppress(TimeoutError):
                    client, _ = listener.accept()
                    work = (client, head, a_second)
                    threading.Thread(target=host.serve, args=work, daemon=True).start()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield host
        finally:
            host.stopping.set()
            thread.join()
