"""Strangers at the passkey door, counted: no row, and little of the processor.

`tests/attacks/test_passkey_door.py` lets them come to a whole service; here nothing depends on how
fast the machine is.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from chalicelib.kit.asgi.messages import Request
from chalicelib.web.messages import SESSION_COOKIE
from tests.api.http.round_trips import Meter
from tests.api.http_room import Room
from tests.web.browser import Browser
from tests.web.test_passkeys import OURS

STRANGERS = 2_000


def cpu_s(act: Callable[[], object], times: int) -> float:
    """Return how much of the processor something takes, each time."""
    begun = time.process_time()
    for _ in range(times):
        act()
    return (time.process_time() - begun) / times


@pytest.mark.costly
def test_two_thousand_questions_ask_nothing_of_the_tables_and_cost_no_more_than_two_posts(
    room: Room,
) -> None:
    """A neighbour's post makes the same calls as before the strangers came."""
    stranger = Browser.of(room)
    meter = Meter(room.house.deployment.clients.dynamodb, room.house.deployment.clients.sqs)

    def asks() -> None:
        assert stranger.send("/app/passkeys/question", token="", headers=OURS).status == 200

    def posts() -> None:
        room.draft("x", caption="Bread")

    asks()  # the first reads the key of this process
    posts()
    with meter.measured() as alone:
        posts()
    neighbour = cpu_s(posts, 50)

    with meter.measured() as asked:
        each = cpu_s(asks, STRANGERS)
    with meter.measured() as beside:
        posts()

    assert [] == asked.operations
    assert alone.operations == beside.operations
    assert each < 2 * neighbour, f"{1e3 * each:.2f} ms a question, {1e3 * neighbour:.2f} ms a post"


def test_a_wrong_answer_writes_no_row(room: Room) -> None:
    stranger = Browser.of(room)
    meter = Meter(room.house.deployment.clients.dynamodb, room.house.deployment.clients.sqs)
    nonsense = {"answer": '{"id": "AAAA", "rawId": "AAAA", "type": "public-key"}'}

    stranger.send("/app/passkeys/question", token="", headers=OURS)  # the first makes the key, once
    with meter.measured() as cost:
        for _ in range(200):
            stranger.send("/app/passkeys/question", token="", headers=OURS)
            answer = stranger.send("/app/passkeys/sign-in", nonsense, token="", headers=OURS)
            assert answer.status == 403

    assert {"GetItem", "BatchGetItem", "Query"} >= set(cost.operations)


@pytest.mark.parametrize("address", ["/app/static/app.css", "/app/sign-in", "/app/posts"])
def test_whoever_has_a_session_waits_for_no_crowd(room: Room, address: str) -> None:
    member = Browser.of(room).with_session()
    cookie = f"{SESSION_COOKIE}={member.cookies[SESSION_COOKIE][0]}"
    headers = {"host": "127.0.0.1:8000"}
    stranger = Request(method="GET", path=address, headers=headers)

    assert member.pipeline.is_for_anybody(stranger)
    assert not member.pipeline.is_for_anybody(
        replace(stranger, headers={**headers, "cookie": cookie})
    )
