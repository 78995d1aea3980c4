"""A request keeps the name that it brings, if it is a plain one, in its answer and in the log."""

import logging
import re

import pytest

from tests.api.http_room import Room

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"


def _answered(room: Room, **headers: str) -> str:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return room.ask("GET", "/v1/health", headers=named).response.headers["X-Request-Id"]


def test_a_plain_name_comes_back_and_is_logged(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        answered = _answered(room, x_request_id="nightly-import.42", traceparent=PARENT)

    line = vars(caplog.records[-1])
    assert "nightly-import.42" == answered == line["request_id"]
    assert (TRACE, PARENT) == (line["trace_id"], line["traceparent"])


@pytest.mark.parametrize("odd", ["", "short", "x" * 65, 'quoted"12', "two words", "line\nfeed12"])
def test_any_other_name_is_not_taken_over(room: Room, odd: str) -> None:
    assert re.fullmatch("[0-9a-f]{32}", _answered(room, x_request_id=odd))


@pytest.mark.parametrize(
    "odd", ["", TRACE, f"ff{PARENT[2:]}", PARENT.upper(), f"00-{'0' * 32}-00f067aa0ba902b7-01"]
)
def test_no_trace_is_read_out_of_anything_else(
    room: Room, caplog: pytest.LogCaptureFixture, odd: str
) -> None:
    with caplog.at_level(logging.INFO):
        _answered(room, traceparent=odd)

    assert vars(caplog.records[-1])["trace_id"] is None
