"""One answer to each request: what comes before it or behind it is no answer to the next one."""

import select
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chalicelib.kit.transport.deadline import SecureConnection, a_session
from tests.kit.transport.tls_host import a_tls_host

HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
_WITHIN_S = 240
_UNTIL_ASKED_AGAIN_S = 0.2


def _answer_that_says(name: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(name), name)


@pytest.fixture
def hinting() -> Iterator[str]:
    """Serve two requests on one connection; each answer comes when the next request does, or later.

    A 103 comes at once, as from a server that is still making the answer (RFC 8297).
    """
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        taken, _ = listener.accept()
        with taken:
            for name in (b"first", b"second"):
                taken.recv(65_536)
                taken.sendall(HINTS)
                select.select([taken], [], [], _UNTIL_ASKED_AGAIN_S)
                taken.sendall(_answer_that_says(name))

    thread = threading.Thread(target=run)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    listener.close()
    thread.join()


def test_an_answer_behind_103_is_its_own_requests_and_not_the_nexts(hinting: str) -> None:
    """RFC 9110, 15.2: any number of interim answers may come before the final one."""
    session = a_session()

    said = [session.get(hinting, timeout=_WITHIN_S) for _ in range(2)]

    assert [(one.status_code, one.text) for one in said] == [(200, "first"), (200, "second")]


@contextmanager
def _said_over_tls(said: bytes, folder: Path) -> Iterator[ssl.SSLSocket]:
    """Yield a TLS connection whose other side has said something, and waits."""
    with a_tls_host("bread.example", folder) as host:
        theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        theirs.load_cert_chain(host.certificate)
        ours = ssl.create_default_context(cafile=str(host.certificate))
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def run() -> None:
            with theirs.wrap_socket(listener.accept()[0], server_side=True) as taken:
                taken.sendall(said)
                over.wait(_WITHIN_S)

        thread = threading.Thread(target=run)
        thread.start()
        plain = socket.create_connection(listener.getsockname()[:2])
        with ours.wrap_socket(plain, server_hostname="bread.example") as connected:
            yield connected
            over.set()
    thread.join()


def test_what_an_answer_had_behind_its_end_ends_the_connection(tmp_path: Path) -> None:
    """It came in one TLS record with the answer, so that the socket itself has nothing to read."""
    with _said_over_tls(b"x" * 12_000, tmp_path) as connected:
        connected.recv(8_192)
        connection = SecureConnection("bread.example")
        connection.sock = connected

        assert not connection.is_connected


def test_a_connection_with_nothing_left_to_read_is_open(tmp_path: Path) -> None:
    with _said_over_tls(b"x" * 12_000, tmp_path) as connected:
        connected.recv(16_384)
        connection = SecureConnection("bread.example")
        connection.sock = connected

        assert connection.is_connected
