"""Two thousand strangers at each kind of door, and a caller beside them. Who: anybody.

At doors that let them in at once (health, a refused key, a made-up session, files) a caller's
request took ten times as long as alone. That each of all doors has them wait is held without a
clock in `tests/api/doors/test_strangers_at_doors.py`; here it is measured, in turns.
"""

import os
import socket
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import pytest
import requests

from chalicelib.domain.workspace.key_form import make_key
from tests.attacks.service import PATIENCE_S, Service

pytestmark = pytest.mark.prove

STRANGERS, TOGETHER, TURNS = 2_000, 20, 3
DOORS = {
    "health": "GET /v1/health",
    "the description": "GET /v1/openapi.json",
    "no key": "GET /v1/posts",
    "a key that was made up": f"GET /v1/posts|Authorization: Bearer {make_key()}",
    "a session that was made up": f"GET /app/posts|Cookie: goldenhour_session={'0' * 64}",
    "the sign-in": "GET /app/sign-in",
    "a link of a review": f"GET /review/{'a' * 43}",
    "a file": f"GET /v1/pulled/{'a' * 40}/oven.jpg",
    "an upload": "POST /v1/media|Content-Type: multipart/form-data; boundary=x",
}


@pytest.mark.parametrize("door", DOORS)
def test_a_caller_beside_a_crowd_is_answered_within_twice(service: Service, door: str) -> None:
    tenant = service.tenant()
    first, _, more = DOORS[door].partition("|")
    asked = f"{first} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n{more}"
    request = f"{asked.strip()}\r\n\r\n".encode()

    with requests.Session() as caller, ProcessPoolExecutor(2, get_context("spawn")) as crowds:

        def ask() -> float:
            began = time.monotonic()
            url, headers = f"{service.url}/v1/accounts", tenant.headers
            caller.get(url, headers=headers, timeout=PATIENCE_S).raise_for_status()
            return 1e3 * (time.monotonic() - began)

        alone, beside = [ask() for _ in range(100)][50:], list[float]()
        for _ in range(TURNS):
            alone += [ask() for _ in range(100)]
            coming = [crowds.submit(come, service.address, request) for _ in range(2)]
            beside += _while(lambda: not any(one.done() for one in coming), ask)  # noqa: B023
            assert {status for one in coming for status in one.result()} <= {200, 303, 401, 404}

    took = statistics.median(alone), statistics.median(beside)
    print(f"{door}: {took[0]:.1f} ms alone, {took[1]:.1f} ms beside")  # noqa: T201 - make prove
    assert took[1] <= 2 * took[0], took


def _while(goes_on: Callable[[], bool], ask: Callable[[], float]) -> Sequence[float]:
    found = [ask()]
    while goes_on():
        found.append(ask())
    return found


def come(address: tuple[str, int], request: bytes) -> list[int]:
    """Come as half of all for a turn, with less of the processor than whoever measures."""
    os.nice(10)
    with ThreadPoolExecutor(TOGETHER // 2) as strangers:
        each = [request] * (STRANGERS // TURNS // 2)
        return list(strangers.map(lambda sent: answer(address, sent), each))


def answer(address: tuple[str, int], request: bytes) -> int:
    """Ask on a connection of its own; return the status."""
    with closing(socket.create_connection(address, PATIENCE_S)) as stranger:
        stranger.sendall(request)
        head = b""
        while piece := stranger.recv(65_536):
            head = (head + piece)[:12]
        return int(head[9:12])
