"""Calls of one owner to a server that takes its time are under way together, over real HTTP."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from chalicelib.kit.limits.thread_places import Call, ThreadPlaces

_CALLS, _PLACES, _WITHIN_S = 200, 256, 240


class SlowServer(ThreadingHTTPServer):
    """Answers nobody before so many ask, or a neighbour does."""

    request_queue_size = 512
    daemon_threads = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Slow)
        self.all_ask = threading.Barrier(_CALLS)


class _Slow(BaseHTTPRequestHandler):
    server: SlowServer

    def do_POST(self) -> None:
        if self.path == "/many":
            with suppress(threading.BrokenBarrierError):
                self.server.all_ask.wait(_WITHIN_S)
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[SlowServer]:
    with SlowServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_two_hundred_calls_of_one_workspace_reach_a_slow_server_before_it_answers_one(
    server: SlowServer,
) -> None:
    places = ThreadPlaces(ThreadPoolExecutor(_PLACES), _PLACES)
    calls = [Call("many", "slow", lambda: _post(server, "/many")) for _ in range(_CALLS)]

    places.begin(calls)

    for call in calls:
        call.done.result(2 * _WITHIN_S)
    assert not server.all_ask.broken


@pytest.mark.costly
def test_a_neighbour_is_answered_while_a_thousand_of_one_workspace_wait_for_a_slow_server(
    server: SlowServer,
) -> None:
    server.all_ask = threading.Barrier(_CALLS + 800)
    places = ThreadPlaces(ThreadPoolExecutor(_PLACES), _PLACES)
    many = [Call("many", "slow", lambda: _post(server, "/many")) for _ in range(1_000)]
    places.begin(many)

    same_server = Call("other", "slow", lambda: _post(server, "/one"))
    places.begin([same_server])

    same_server.done.result(_WITHIN_S)
    many_were_answered = server.all_ask.broken
    server.all_ask.abort()
    for call in many:
        call.done.result(_WITHIN_S)

    assert not many_were_answered


def _post(server: SlowServer, path: str) -> None:
    with closing(HTTPConnection("127.0.0.1", server.server_port, timeout=_WITHIN_S)) as connection:
        connection.request("POST", path)
        connection.getresponse().read()
