"""The way out to hosts that strangers choose: what is reached, and what an answer may cost."""

import gzip
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests

from chalicelib.kit.transport.failures import NotSentError, UnansweredError
from chalicelib.kit.transport.guarded import GuardedFetch, Network, guarded_session
from chalicelib.kit.transport.network_rules import ForbiddenAddressError
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received
from tests.kit.transport.tls_host import a_tls_host

NAME = "bread.example"
PUBLIC = "93.184.215.14"
METADATA = "169.254.169.254"


@dataclass
class Internet:
    """Names with the addresses they give in turn; connections end on one port of loopback."""

    answers: list[list[str]]
    port: int = 0
    connected: list[str] = field(default_factory=list)

    def look_up(self, host: str, port: int) -> list[str]:
        del host, port
        return self.answers.pop(0)

    def connect(self, place: tuple[str, int], timeout: object, **more: object) -> socket.socket:
        del timeout, more
        self.connected.append(place[0])
        return socket.create_connection(("127.0.0.1", self.port), 5)

    @property
    def network(self) -> Network:
        return Network(self.look_up, self.connect)


class Host(FakePlatform):
    """Answers what it is told to."""

    says = Answer(200, b"bread", {"Content-Type": "text/html"})

    def answer(self, call: Received) -> Answer:
        del call
        return self.says


@pytest.fixture
def host() -> Iterator[Host]:
    running = Host()
    yield running
    running.close()


def _trusting(url: str) -> GuardedFetch:
    return GuardedFetch(frozenset({url}))


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], [METADATA], ["::1", "10.0.0.1"], ["::ffff:127.0.0.1"], ["64:ff9b::a9fe:a9fe"]],
    ids=str,
)
def test_a_name_that_leads_inside_is_never_connected_to(addresses: list[str]) -> None:
    internet = Internet([addresses])

    with pytest.raises(ForbiddenAddressError):
        GuardedFetch(network=internet.network).read(f"https://{NAME}/", most_bytes=9, seconds=5)

    assert internet.connected == []


def test_a_name_is_looked_up_once_and_its_address_is_the_one_connected_to(tmp_path: Path) -> None:
    """Asked again it would say loopback, as a rebinding name does."""
    with a_tls_host(NAME, tmp_path) as there:
        internet = Internet([[PUBLIC], ["127.0.0.1"]], there.port)
        session = guarded_session(network=internet.network)

        answer = session.get(f"https://{NAME}/", verify=str(there.certificate))

    assert (answer.text, there.hosts_asked) == ("hello", [NAME])
    assert (internet.connected, len(internet.answers)) == ([PUBLIC], 1)


def test_the_certificate_is_held_against_the_name_and_not_the_address(tmp_path: Path) -> None:
    with a_tls_host("other.example", tmp_path) as there:
        internet = Internet([[PUBLIC]], there.port)
        session = guarded_session(network=internet.network)

        with pytest.raises(requests.exceptions.SSLError):
            session.get(f"https://{NAME}/", verify=str(there.certificate))

    assert there.hosts_asked == []


def test_of_a_names_addresses_only_public_ones_are_tried(tmp_path: Path) -> None:
    with a_tls_host(NAME, tmp_path) as there:
        internet = Internet([["127.0.0.1", METADATA, PUBLIC]], there.port)
        session = guarded_session(network=internet.network)

        session.get(f"https://{NAME}/", verify=str(there.certificate))

    assert internet.connected == [PUBLIC]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9001/",
        "http://example.com/",
        "https://localhost/",
        "https://127。0。0。1/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "https://",
        "bread",
        f"https://{METADATA}/latest/meta-data/",
    ],
)
def test_a_forbidden_spelling_is_not_even_looked_up(url: str) -> None:
    internet = Internet([])

    with pytest.raises(ForbiddenAddressError):
        GuardedFetch(network=internet.network).read(url, most_bytes=9, seconds=5)


def test_a_trusted_origin_covers_its_own_port_alone(host: Host) -> None:
    cut = host.url[:-1]  # the same digits but the last

    assert _trusting(host.url).read(f"{host.url}/", most_bytes=9, seconds=5).body == b"bread"
    with pytest.raises(ForbiddenAddressError):
        _trusting(cut).read(f"{host.url}/", most_bytes=9, seconds=5)


def test_a_redirect_is_returned_and_not_followed(host: Host) -> None:
    host.says = Answer(302, b"", {"Location": f"{host.url}/secret"})

    page = _trusting(host.url).read(f"{host.url}/", most_bytes=9, seconds=5)
    forgetful = guarded_session(frozenset({host.url})).get(f"{host.url}/")

    assert (page.status, page.headers["location"]) == (302, f"{host.url}/secret")
    assert forgetful.status_code == 302
    assert [call.path for call in host.calls] == ["/", "/"]


def test_nothing_of_ours_is_sent_along(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    host.says = Answer(200, b"bread", {"Set-Cookie": "a=b"})
    fetch = _trusting(host.url)

    for _ in range(2):
        fetch.read(f"{host.url}/", most_bytes=9, seconds=5)

    assert all(
        set(call.headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}
        for call in host.calls
    )


@pytest.mark.parametrize("length", ["10", "9" * 5_000], ids=["ten", "5,000 digits"])
def test_an_answer_that_says_it_is_too_long_is_not_read(host: Host, length: str) -> None:
    """RFC 9110, 8.6: any number of digits is a length."""
    host.says = Answer(200, b"x" * 10, {"Content-Length": length})

    with pytest.raises(UnansweredError):
        _trusting(host.url).read(f"{host.url}/", most_bytes=9, seconds=5)


def test_a_compressed_answer_costs_no_more_than_the_bytes_that_were_allowed(host: Host) -> None:
    bomb = gzip.compress(bytes(50_000_000), 9)
    host.says = Answer(200, bomb, {"Content-Encoding": "gzip"})
    tracemalloc.start()

    with pytest.raises(UnansweredError):
        _trusting(host.url).read(f"{host.url}/", most_bytes=1_000_000, seconds=20)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8_000_000


@pytest.fixture
def raw() -> Iterator[Callable[[bytes, bytes], str]]:
    """Start hosts that say a beginning and then the same bytes for ever, ten times a second."""
    stopped, threads = threading.Event(), list[threading.Thread]()

    def serve(beginning: bytes, more: bytes) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]

        def run() -> None:
            with listener, suppress(OSError):
                taken, _ = listener.accept()
                with taken:
                    taken.sendall(beginning)
                    while not stopped.wait(0.1):
                        taken.sendall(more)

        threads.append(threading.Thread(target=run))
        threads[-1].start()
        return f"http://127.0.0.1:{port}"

    yield serve
    stopped.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    ("beginning", "more"),
    [
        (b"", b""),
        (b"", b"H"),
        (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
    ids=["silence", "status line", "headers", "body", "chunks"],
)
def test_an_answer_that_drips_ends_with_its_seconds(
    raw: Callable[[bytes, bytes], str], beginning: bytes, more: bytes
) -> None:
    url, began = raw(beginning, more), time.monotonic()

    with pytest.raises(UnansweredError):
        _trusting(url).read(f"{url}/", most_bytes=10_000, seconds=1)

    assert time.monotonic() - began < 20


def test_an_endless_body_ends_at_the_bytes_that_were_allowed(
    raw: Callable[[bytes, bytes], str],
) -> None:
    url = raw(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 100_000)

    with _trusting(url).stream(f"{url}/", most_bytes=150_000, seconds=30) as answer:
        first = next(answer.pieces)

        with pytest.raises(UnansweredError):
            list(answer.pieces)

    assert first.strip(b"x") == b""


def test_a_host_where_nobody_answers_was_sent_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"

    with pytest.raises(NotSentError):
        _trusting(url).read(f"{url}/", most_bytes=9, seconds=5)
