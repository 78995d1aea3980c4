"""Bodies that never end. Who: anybody who reaches the port, without a key; then one with a trial.

The key was looked at after the body, and a body could take for ever: 540 connections with twelve
bytes a second between them stopped the whole service, and 600 took a gigabyte.
"""

import time

import pytest

from tests.attacks.service import Neighbour, Service, Tenant
from tests.attacks.sockets import answered_or_cut, becomes, crowd, send_all, status

pytestmark = pytest.mark.costly

CLIENTS = 700
MOST_MB = 250


def _head(method_and_path: str, length: int, more: str = "") -> bytes:
    return (
        f"{method_and_path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n{more}\r\n".encode()
    )


@pytest.mark.parametrize(
    ("asked", "answer"),
    [("POST /v1/posts", 401), ("POST /app/sign-out", 303), ("POST /v1/no-such-path", 404)],
)
def test_without_a_key_nobody_may_even_begin_a_body(
    service: Service, asked: str, answer: int
) -> None:
    with crowd(service.address, 1) as [client]:
        client.sendall(_head(asked, 1_000_000) + b"{")

        assert status(client) == answer


def test_seven_hundred_bodies_without_a_key_are_no_burden(
    service: Service, neighbour: Neighbour
) -> None:
    with neighbour.beside() as seen, crowd(service.address, CLIENTS) as clients:
        send_all(clients, _head("POST /v1/posts", 1_000_000) + b"{")
        seen.beside = neighbour.measured()
        assert becomes(lambda: answered_or_cut(clients) == len(clients), within_s=15)

    assert seen.is_well_served, seen


def test_forms_that_anybody_may_send_end_within_seconds(
    service: Service, neighbour: Neighbour
) -> None:
    """A connect link's form needs no session: 700 of them trickle."""
    with neighbour.beside() as seen, crowd(service.address, CLIENTS) as clients:
        began = time.monotonic()
        send_all(clients, _head("POST /connect/none", 9_000) + b"a")
        time.sleep(1)
        send_all(clients, b"b")
        seen.beside = neighbour.measured()
        assert becomes(lambda: answered_or_cut(clients) == len(clients), within_s=20)
        assert time.monotonic() - began < 20

    assert seen.is_well_served, seen


def test_six_hundred_almost_whole_bodies_take_little_memory(
    service: Service, neighbour: Neighbour, eve: Tenant
) -> None:
    """With a key, since nobody else gets so far: a megabyte each, less the last byte."""
    key = f"Authorization: Bearer {eve.key}\r\n"
    before = service.memory_mb()

    with neighbour.beside() as seen, crowd(service.address, 600) as clients:
        for client in clients:
            client.settimeout(0.05)
        send_all(clients, _head("POST /v1/posts", 1_000_000, key) + bytes(999_999))
        seen.beside = neighbour.measured()
        more = service.memory_mb() - before
        print(f"600 unfinished megabytes: {more:.0f} MB more")  # noqa: T201 - with -s

    assert service.memory_mb() < MOST_MB
    assert seen.is_well_served, seen


def test_a_body_on_a_bad_line_is_still_taken(service: Service, eve: Tenant) -> None:
    """Four kilobytes in four seconds: a phone at the edge of its network."""
    body = b'{"caption": "' + b"x" * 3_900 + b'", "targets": []}'
    key = f"Authorization: Bearer {eve.key}\r\n"
    with crowd(service.address, 1) as [client]:
        client.sendall(_head("POST /v1/posts", len(body), key))
        for start in range(0, len(body), 500):
            client.sendall(body[start : start + 500])
            time.sleep(0.5)

        assert status(client) in (201, 422)
