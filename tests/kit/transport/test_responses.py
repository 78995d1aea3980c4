"""Answers that a hostile server makes: none of them raises anything but UnansweredError."""

from typing import Final

import pytest

from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count

NESTED: Final = b"[" * 100_000


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff", NESTED], ids=len)
def test_a_body_that_is_no_json_is_unreadable(body: bytes) -> None:
    response = PlatformResponse(status=200, headers={}, body=body)

    assert response.find("id") is None
    assert response.items("id") == []
    with pytest.raises(UnansweredError):
        response.json()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("7.9", 7),
        ("1" + "0" * 400, 10**400),
        ("1e999", 0),
        ("-Infinity", 0),
        ("NaN", 0),
        ('"7"', 0),
        ("{}", 0),
    ],
)
def test_a_count_is_a_whole_number_whatever_was_sent(text: str, number: int) -> None:
    response = PlatformResponse(status=200, headers={}, body=f'{{"likes": {text}}}'.encode())

    assert count(response.json(), "likes") == number
