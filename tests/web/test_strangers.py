"""Strangers at the passkey door, counted: no row, and little of the processor.

`tests/attacks/test_passkey_door.py` lets them come to a whole service; here nothing depends on how
fast the machine is.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from chalicelib.domain.workspace.key_form import make_key
from chalicelib.http.pipeline import Standing
from chalicelib.kit.asgi.messages import Request
from chalicelib.web.messages import SESSION_COOKIE
from tests.api.http.round_trips import Meter
from tests.api.http_room import Room
from tests.web.browser import Browser, both
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
def test_a_session_that_opened_a_page_waits_for_no_crowd(room: Room, address: str) -> None:
    member = Browser.of(room).with_session()
    cookie = f"{SESSION_COOKIE}={member.cookies[SESSION_COOKIE][0]}"
    headers = {"host": "127.0.0.1:8000"}
    stranger = Request(method="GET", path=address, headers=headers)
    asked = replace(stranger, headers={**headers, "cookie": cookie})
    made_up = replace(stranger, headers={**headers, "cookie": f"{cookie}x"})

    assert member.pipeline.standing(asked) is Standing.UNKNOWN
    assert member.open("/app/posts").status == 200
    assert member.pipeline.standing(stranger) is Standing.ANYBODY
    assert member.pipeline.standing(asked) is Standing.CALLER
    assert member.pipeline.standing(made_up) is Standing.UNKNOWN


def test_a_key_waits_for_no_crowd_once_it_let_somebody_in(room: Room) -> None:
    pipeline = both(room.house.deployment)
    headers = {"authorization": f"Bearer {room.key}"}
    asked = Request(method="GET", path="/v1/accounts", headers=headers)
    made_up = replace(asked, headers={"authorization": f"Bearer {make_key()}"})

    assert pipeline.standing(asked) is Standing.UNKNOWN
    assert (pipeline.answer(asked).status, pipeline.answer(made_up).status) == (200, 401)
    assert pipeline.standing(asked) is Standing.CALLER
    assert pipeline.standing(made_up) is Standing.UNKNOWN


@pytest.mark.parametrize("path", ["/v1/health", "/v1/ready", "/v1/docs", "/v1/nothing"])
def test_with_a_key_too_what_needs_none_waits_for_callers(room: Room, path: str) -> None:
    pipeline = both(room.house.deployment)
    headers = {"authorization": f"Bearer {room.key}"}
    pipeline.answer(Request(method="GET", path="/v1/accounts", headers=headers))

    asked = Request(method="GET", path=path, headers=headers)

    assert pipeline.standing(asked) is Standing.ANYBODY
