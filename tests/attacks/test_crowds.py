"""Crowds that ask for what anybody may have, and bodies in crumbs. Who: anybody, without a key.

A thousand requests for the description of the API, answers unread, kept callers waiting for twelve
seconds; a megabyte in chunks of one byte cost seconds of the one thread that reads bodies.
"""

import socket

import pytest

from tests.attacks.service import Neighbour, Service, Tenant
from tests.attacks.sockets import crowd, send_all, status
from tests.support.costs import readings_s

pytestmark = pytest.mark.costly

CROWD = 600


@pytest.mark.parametrize("path", ["/v1/openapi.json", "/v1/docs", "/app/sign-in", "/llms.txt"])
def test_a_crowd_before_the_open_doors_is_not_in_the_callers_way(
    service: Service, neighbour: Neighbour, path: str
) -> None:
    """None of it reads its answer, which then stays with the server for a minute at most."""
    asked = f"GET {path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    with neighbour.beside() as seen, crowd(service.address, CROWD) as clients:
        for client in clients:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        send_all(clients, asked)
        seen.beside = neighbour.measured()

        assert service.memory_mb() < 300

    assert seen.is_well_served, seen


@pytest.mark.parametrize(
    ("path", "answer"), [("/connect/x", 400), ("/v1/posts", 400), ("/v1/media", 422)]
)
def test_a_body_in_crumbs_is_given_up(
    service: Service, neighbour: Neighbour, eve: Tenant, path: str, answer: int
) -> None:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
        f"Authorization: Bearer {eve.key}\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n"
    )
    before = service.cpu_at_rest_s()
    with neighbour.beside() as seen, crowd(service.address, 3) as clients:
        send_all(clients, head.encode() + b"1\r\na\r\n" * 20_000)
        answers = {status(client) for client in clients}
        seen.beside = neighbour.measured()

    # None: reset while it was still sending. 408: on a busy machine its time ran out first.
    assert answers <= {answer, 408, None}
    assert service.cpu_s() - before < readings_s(60)
    assert seen.is_well_served, seen
