"""Clients that send what they like, as slowly as they like, and read as little."""

import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

Address = tuple[str, int]


@contextmanager
def crowd(address: Address, count: int) -> Iterator[list[socket.socket]]:
    """Open so many connections, as far as the server takes them."""
    with ExitStack() as stack:
        clients = []
        for _ in range(count):
            with suppress(OSError):
                client = socket.create_connection(address, timeout=5)
                clients.append(stack.enter_context(client))
        yield clients


def send_all(clients: list[socket.socket], data: bytes) -> None:
    """Let everybody send the same; whoever was cut off is passed over."""
    for client in clients:
        with suppress(OSError):
            client.sendall(data)


def answered_or_cut(clients: list[socket.socket]) -> int:
    """Count the clients that have an answer to read, or were cut off."""
    poll = select.poll()
    for client in clients:
        poll.register(client, select.POLLIN | select.POLLHUP)
    return len(poll.poll(0))


def becomes(claim: Callable[[], bool], *, within_s: float) -> bool:
    """Wait until something holds."""
    end = time.monotonic() + within_s
    while not claim():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def status(client: socket.socket) -> int | None:
    """Return the status that a client was answered with; None if it was cut off."""
    client.settimeout(5)
    try:
        return int(client.recv(12)[9:12])
    except (OSError, ValueError):
        return None
