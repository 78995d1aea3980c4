"""Calls that end without an answer: cut, unreadable, never made, or past their deadline."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from chalicelib.kit.transport.bodies import (
    FileBody,
    JsonBody,
)
from chalicelib.kit.transport.failures import NotSentError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.shared.calls.echo import Echo, a_call, an_http
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_video


@pytest.mark.parametrize("fault", [Fault.DROP_BEFORE, Fault.DROP_AFTER], ids=str)
def test_a_cut_connection_leaves_the_call_in_doubt(echo: Echo, fault: Fault) -> None:
    echo.strike(0, fault)

    with pytest.raises(UnansweredError):
        an_http().send(a_call(echo.url))


def test_an_unreadable_answer_leaves_the_call_in_doubt(echo: Echo) -> None:
    echo.strike(0, Fault.GARBLED_AFTER)

    with pytest.raises(UnansweredError):
        an_http().send(a_call(echo.url)).text("id")


@pytest.mark.parametrize("body", [{"id": None}, {"id": ""}, {"id": True}, {"id": {}}, {}, [], 3])
def test_an_answer_without_what_must_be_there_is_unreadable(body: object) -> None:
    response = PlatformResponse(status=200, headers={}, body=repr(body).replace("'", '"').encode())

    with pytest.raises(UnansweredError):
        response.text("id")


def _closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def test_a_connection_that_was_never_made_proves_that_nothing_was_sent(echo: Echo) -> None:
    for url in (
        f"http://127.0.0.1:{_closed_port()}",
        "http://nowhere.invalid",
        echo.url.replace("http://", "https://"),
    ):
        with pytest.raises(NotSentError):
            an_http().send(a_call(url))


@pytest.fixture
def trickle() -> Iterator[Callable[[bytes], str]]:
    """Serve an answer whose bytes come one by one, for ever."""
    listeners: list[socket.socket] = []

    def serve(head: bytes) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def run() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65_536)
                try:
                    connection.sendall(head)
                    while True:
                        connection.sendall(b"a")
                        time.sleep(0.05)
                except OSError:
                    return

        threading.Thread(target=run, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield serve
    for listener in listeners:
        listener.close()


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
    ],
    ids=["silence", "headers", "body without end", "body"],
)
def test_a_call_ends_at_its_deadline_whatever_the_platform_does(
    trickle: Callable[[bytes], str], head: bytes
) -> None:
    url, began = trickle(head), time.monotonic()

    with pytest.raises(UnansweredError):
        an_http().send(a_call(url, body=JsonBody({}), deadline=timedelta(seconds=0.4)))

    assert 0.3 < time.monotonic() - began < 20


def test_a_platform_that_stops_reading_does_not_hold_a_call() -> None:
    began = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        body = FileBody(file=a_video(50_000_000), mime="video/mp4")

        with pytest.raises(UnansweredError):
            an_http().send(a_call(url, body=body, deadline=timedelta(seconds=0.4)))

    assert time.monotonic() - began < 20


def test_the_deadline_of_one_call_does_not_touch_the_next(echo: Echo) -> None:
    http = an_http()
    for _ in range(3):
        http.send(a_call(echo.url, deadline=timedelta(seconds=0.3)))
        time.sleep(0.15)

    http.send(a_call(echo.url))

    assert len(echo.calls) == 4
