"""What is closed, and what is not, by whoever looks through the front's connections."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from chalicelib.kit.asgi.exchange import Message, Receive, Scope, Send
from chalicelib.local.front.connections import OF_AN_ADDRESS, Connections
from chalicelib.local.front.proxies import Network, networks

NOBODY = networks("")
LOOPBACK = networks("127.0.0.1")


async def answered(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 200, "headers": []})


class Room:
    """A listening socket, connections to it, and a clock to turn."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=512))
        self.port: int = self._listener.getsockname()[1]
        self.now = 0.0
        self.clients: list[socket.socket] = []

    def connected(self, count: int) -> None:
        for _ in range(count):
            made = socket.create_connection(("127.0.0.1", self.port))
            self.clients.append(self._stack.enter_context(made))
            self._stack.enter_context(self._listener.accept()[0])

    def closed(self) -> int:
        """Count the clients that were cut off."""
        return sum(_is_closed(client) for client in self.clients)


def _is_closed(client: socket.socket) -> bool:
    client.settimeout(0)
    with suppress(BlockingIOError):
        return client.recv(1) == b""
    return False


@pytest.fixture
def room() -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(stack)


def test_what_asks_for_nothing_for_a_minute_is_closed(room: Room) -> None:
    room.connected(2)
    connections = Connections(answered, room.port, LOOPBACK, seconds=lambda: room.now)
    connections.look()
    room.now = 59
    connections.look()
    closed_within_the_minute = room.closed()

    room.now = 61
    connections.look()

    assert closed_within_the_minute == 0
    assert room.closed() == 2


def test_what_is_being_answered_is_left_alone(room: Room) -> None:
    room.connected(2)
    host, port = room.clients[0].getsockname()

    async def looks_on(scope: Scope, receive: Receive, send: Send) -> None:
        await answered(scope, receive, send)
        room.now = 61
        connections.look()

    connections = Connections(looks_on, room.port, LOOPBACK, seconds=lambda: room.now)
    connections.look()
    asyncio.run(connections({"type": "http", "client": (host, port)}, _nothing, _dropped))

    assert [_is_closed(client) for client in room.clients] == [False, True]


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


async def _dropped(message: Message) -> None:
    del message


def test_the_oldest_go_when_there_is_little_room_left(room: Room) -> None:
    connections = Connections(answered, room.port, LOOPBACK, most=20, seconds=lambda: room.now)
    room.connected(10)
    connections.look()
    room.now = 5
    room.connected(10)

    connections.look()

    assert [_is_closed(client) for client in room.clients] == [True] * 5 + [False] * 15


def test_a_stranger_keeps_so_many_and_a_proxy_all(room: Room) -> None:
    room.connected(OF_AN_ADDRESS + 3)

    Connections(answered, room.port, LOOPBACK).look()
    of_a_proxy = room.closed()
    Connections(answered, room.port, NOBODY).look()

    assert (of_a_proxy, room.closed()) == (0, 3)


@pytest.mark.parametrize(
    ("trusted", "forwarded", "status"),
    [
        (NOBODY, (), 503),
        (LOOPBACK, ((b"x-forwarded-for", b"192.0.2.7, 192.0.2.1"),), 503),
        (LOOPBACK, (), 200),
    ],
    ids=["a stranger", "a stranger behind a proxy", "this machine"],
)
def test_an_address_has_so_many_requests_under_way(
    trusted: tuple[Network, ...], forwarded: tuple[tuple[bytes, bytes], ...], status: int
) -> None:
    told: list[Message] = []

    async def asked_often() -> None:
        go_on = asyncio.Event()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["client"] != ("127.0.0.1", 1):
                await go_on.wait()
            await answered(scope, receive, send)

        connections = Connections(slow, 1, trusted)

        async def ask(port: int, send: Send) -> None:
            scope: Scope = {"type": "http", "client": ("127.0.0.1", port)}
            scope["headers"] = list(forwarded)
            await connections(scope, _nothing, send)

        tasks = [asyncio.ensure_future(ask(2 + n, _dropped)) for n in range(OF_AN_ADDRESS)]
        await asyncio.sleep(0)

        async def kept(message: Message) -> None:
            told.append(message)

        await ask(1, kept)
        go_on.set()
        await asyncio.gather(*tasks)

    asyncio.run(asked_often())

    assert told[0]["status"] == status
