"""Connections that ask for nothing, or never finish asking. Who: anybody who reaches the port.

The service took 512 connections in all, and each could wait half a minute for a header.
"""

import time

import pytest

from tests.attacks.service import Neighbour, Service
from tests.attacks.sockets import answered_or_cut, becomes, crowd, send_all, status

pytestmark = pytest.mark.costly

CLIENTS = 1_300
_ASKS = b"GET /v1/health HTTP/1.1\r\nHost: a\r\n"


def test_connections_that_say_nothing_keep_nobody_out(
    service: Service, neighbour: Neighbour
) -> None:
    with neighbour.beside() as seen, crowd(service.address, CLIENTS) as clients:
        seen.beside = neighbour.measured()
        assert becomes(lambda: answered_or_cut(clients) == CLIENTS, within_s=20)

    assert seen.is_well_served, seen


@pytest.mark.prove
def test_headers_that_never_end_keep_nobody_out(service: Service, neighbour: Neighbour) -> None:
    """Each sends a little more each second: the time does not begin anew."""
    with neighbour.beside() as seen, crowd(service.address, CLIENTS) as clients:
        send_all(clients, _ASKS)
        began = time.monotonic()
        while answered_or_cut(clients) < len(clients) and time.monotonic() - began < 25:
            send_all(clients, b"x: y\r\n")
            seen.beside = seen.beside or neighbour.measured()
            time.sleep(1)
        assert answered_or_cut(clients) == len(clients)

    assert seen.is_well_served, seen


def test_large_unfinished_headers_take_little_memory(
    service: Service, neighbour: Neighbour
) -> None:
    with neighbour.beside() as seen, crowd(service.address, 600) as clients:
        for client in clients:
            client.settimeout(0.05)
        send_all(clients, _ASKS + b"x: " + b"y" * 1_000_000)
        seen.beside = neighbour.measured()

        assert service.memory_mb() < 250

    assert seen.is_well_served, seen


def test_a_connection_is_kept_between_a_clients_calls(service: Service) -> None:
    with crowd(service.address, 1) as [client]:
        for _ in range(3):
            client.sendall(_ASKS + b"\r\n")
            assert status(client) == 200
            client.recv(65_536)
            time.sleep(3)
