"""The fence stands before the first byte: a call that it stops never reaches the platform."""

import http.server
import threading
from collections.abc import Iterator

import pytest

from chalicelib.connectors.shared.transport.bodies import JsonBody
from chalicelib.connectors.shared.transport.deadline import (
    PlainPool,
    WatchedAdapter,
    a_session,
)
from chalicelib.connectors.shared.transport.failures import FencedError
from chalicelib.connectors.shared.transport.fence import fence_requests, without_fence
from chalicelib.connectors.shared.transport.http import Call, PlatformHttp
from chalicelib.domain.platforms.platform import Platform


class _Server(http.server.ThreadingHTTPServer):
    seen: list[str]
    connections: list[int]


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


@pytest.mark.parametrize(("pool", "opened"), [(_Fresh, 1), (_Slept, 2)], ids=["fresh", "slept"])
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
