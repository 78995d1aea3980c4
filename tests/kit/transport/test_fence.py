"""The fence stands before the first byte: a call that it stops never reaches the platform."""

import http.server
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import ClassVar

import pytest
import requests.adapters

from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.deadline import (
    PlainConnection,
    PlainPool,
    WatchedAdapter,
    a_session,
)
from chalicelib.kit.transport.failures import FencedError, NotSentError
from chalicelib.kit.transport.fence import (
    connect_only,
    fence_requests,
    without_fence,
)
from tests.kit.transport.tls_host import a_tls_host


class _Server(http.server.ThreadingHTTPServer):
    seen: list[str]
    connections: list[int]
    answers_to: threading.Barrier | None = None


class _Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        assert isinstance(self.server, _Server)
        self.server.connections.append(self.client_address[1])

    def do_POST(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        assert isinstance(self.server, _Server)
        self.server.seen.append(self.command)
        if self.server.answers_to is not None:
            self.server.answers_to.wait()
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def platform() -> Iterator[_Server]:
    server = _Server(("127.0.0.1", 0), _Answers)
    server.seen, server.connections = [], []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def http_client() -> PlatformHttp:
    return PlatformHttp(Platform.X, {}, lambda _: ())


def _call(platform: _Server, method: str = "POST") -> Call:
    body = JsonBody({"text": "Bread"}) if method == "POST" else None
    return Call(method=method, url=f"http://127.0.0.1:{platform.server_port}/posts", body=body)


def test_a_stopped_call_writes_nothing(platform: _Server, http_client: PlatformHttp) -> None:
    with fence_requests(lambda: False) as fence, pytest.raises(FencedError):
        http_client.send(_call(platform))

    assert (platform.seen, fence.has_stopped, fence.has_sent) == ([], True, False)


def test_a_stopped_call_leaves_a_connection_that_works(
    platform: _Server, http_client: PlatformHttp
) -> None:
    http_client.send(_call(platform))
    with fence_requests(lambda: False), pytest.raises(FencedError):
        http_client.send(_call(platform))

    http_client.send(_call(platform))

    assert platform.seen == ["POST", "POST"]


def test_each_request_of_a_step_is_asked_for(platform: _Server, http_client: PlatformHttp) -> None:
    answers = iter([True, True, False])
    with fence_requests(lambda: next(answers)) as fence:
        http_client.send(_call(platform, "GET"))
        asked_before = fence.has_sent
        http_client.send(_call(platform))
        with pytest.raises(FencedError):
            http_client.send(_call(platform))

    assert (asked_before, fence.has_sent, platform.seen) == (False, True, ["GET", "POST"])


def test_what_is_no_part_of_the_step_goes_through(
    platform: _Server, http_client: PlatformHttp
) -> None:
    with fence_requests(lambda: False) as fence, without_fence():
        http_client.send(_call(platform))

    assert (platform.seen, fence.has_sent) == (["POST"], False)


class _Fresh(PlainPool):
    longest_rest_s = 3_600.0


class _Slept(PlainPool):
    longest_rest_s = -1.0


class _Frozen(PlainPool):
    """In a process that stood still for a minute after each call: only the world's clock knows."""

    world: ClassVar[Iterator[int]] = count(step=60)

    @classmethod
    def clocks(cls) -> tuple[float, float]:
        return 0.0, float(next(cls.world))


class _SetBack(PlainPool):
    """On a machine whose clock was set back after each call, where three seconds passed."""

    world: ClassVar[Iterator[int]] = count()

    @classmethod
    def clocks(cls) -> tuple[float, float]:
        calls = next(cls.world)
        return calls * 3.0, calls * -3_600.0


@pytest.mark.parametrize(
    ("pool", "opened"),
    [(_Fresh, 1), (_Slept, 2), (_Frozen, 2), (_SetBack, 1)],
    ids=["fresh", "slept", "frozen", "set back"],
)
def test_a_connection_that_slept_is_never_used_again(
    platform: _Server, pool: type[PlainPool], opened: int
) -> None:
    """A server may be closing it: the request would be lost in a way that looks like a doubt."""
    session, adapter = a_session(), WatchedAdapter()
    adapter.poolmanager.pool_classes_by_scheme = {"http": pool}
    session.mount("http://", adapter)
    client = PlatformHttp(Platform.X, {}, lambda _: (), session=session)

    for _ in range(2):
        client.send(_call(platform))

    assert platform.seen == ["POST", "POST"]
    assert len(platform.connections) == opened


def _connect(platform: _Server, client: PlatformHttp) -> None:
    with connect_only(), pytest.raises(FencedError):
        client.send(_call(platform))


def test_a_call_goes_over_the_connection_that_was_opened_ahead(
    platform: _Server, http_client: PlatformHttp
) -> None:
    _connect(platform, http_client)
    before = list(platform.seen)
    http_client.send(_call(platform))

    assert (before, platform.seen, len(platform.connections)) == ([], ["POST"], 1)


def test_calls_of_one_moment_have_a_connection_each(
    platform: _Server, http_client: PlatformHttp
) -> None:
    platform.answers_to = threading.Barrier(3, timeout=240)
    for _ in range(3):
        _connect(platform, http_client)

    with ThreadPoolExecutor(3) as callers:
        list(callers.map(lambda _: http_client.send(_call(platform)), range(3)))

    assert len(platform.connections) == 3


def test_no_more_connections_are_opened_than_are_kept(
    platform: _Server, http_client: PlatformHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    connect = PlainConnection.connect

    def counted(one: PlainConnection) -> None:
        opened.append(one)
        connect(one)

    monkeypatch.setattr(PlainConnection, "connect", counted)
    monkeypatch.setattr(PlainPool, "clocks", lambda *_: (0.0, 0.0))  # however long it takes here

    for _ in range(40):
        _connect(platform, http_client)

    assert len(opened) == 32


def test_who_cannot_be_reached_ahead_is_not_sent_anything(http_client: PlatformHttp) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    with connect_only(), pytest.raises(NotSentError):
        http_client.send(Call(method="POST", url=f"http://127.0.0.1:{port}/posts"))


@pytest.mark.parametrize("trusted", [False, True], ids=["strange", "trusted"])
def test_a_host_is_checked_when_it_is_connected_to_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, trusted: bool
) -> None:
    """By the same authorities as at the call itself."""
    client = PlatformHttp(Platform.X, {}, lambda _: ())

    with a_tls_host("localhost", tmp_path) as host, connect_only():
        if trusted:
            monkeypatch.setattr(requests.adapters, "DEFAULT_CA_BUNDLE_PATH", str(host.certificate))
        with pytest.raises(FencedError if trusted else NotSentError):
            client.send(Call(method="GET", url=f"https://localhost:{host.port}/"))


@pytest.mark.parametrize("closes_after_s", [None, 0.01], ids=["stays", "closed"])
def test_a_call_goes_over_the_tls_connection_that_was_opened_ahead_unless_the_host_closed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closes_after_s: float | None
) -> None:
    """TLS 1.3 sends tickets after its handshake: they are no end of a connection."""
    client = PlatformHttp(Platform.X, {}, lambda _: ())

    with a_tls_host("localhost", tmp_path, closes_after_s) as host:
        monkeypatch.setattr(requests.adapters, "DEFAULT_CA_BUNDLE_PATH", str(host.certificate))
        call = Call(method="GET", url=f"https://localhost:{host.port}/")
        with connect_only(), pytest.raises(FencedError):
            client.send(call)
        assert host.opened.acquire(timeout=240)
        if closes_after_s is not None:
            assert host.closed.acquire(timeout=240)
        answer = client.send(call)

    assert answer.body == b"hello"
    assert host.opened.acquire(blocking=False) is (closes_after_s is not None)
