"""Answers that a hostile server makes: none of them raises anything but UnansweredError."""

from typing import Final

import pytest

from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import (
    PlatformResponse,
    count,
    identifier_in,
    token_of,
)

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


LONE = {
    "i_string_lone_second_surrogate": b'"\\uDFAA"',
    "i_string_incomplete_surrogate_pair": b'"\\uDd1ea"',
    "i_string_inverted_surrogates_U+1D11E": b'"\\uDd1e\\uD834"',
}
"""Of JSONTestSuite (github.com/nst/JSONTestSuite, test_parsing)."""


@pytest.mark.parametrize("text", LONE.values(), ids=LONE)
def test_half_a_pair_is_read_as_a_sign_that_a_row_can_keep(text: bytes) -> None:
    said = PlatformResponse(status=200, headers={}, body=b'{"id": ' + text + b', "whole": "\\\\u"}')

    found = said.text("id")

    assert found.encode().decode() == found
    assert "\ufffd" in found
    assert said.text("whole") == "\\u"


@pytest.mark.parametrize("text", [*LONE.values(), b'"7\\u0000"', b'" "', b'"7 7"', b"true", b"[7]"])
def test_what_names_nothing_is_no_identifier(text: bytes) -> None:
    said = PlatformResponse(status=200, headers={}, body=b'{"id": ' + text + b"}")

    with pytest.raises(UnansweredError):
        said.identifier("id")
    with pytest.raises(UnansweredError):
        identifier_in(said.json(), "id")


@pytest.mark.parametrize("value", ["", "a\nb", "\u2342", "a" * 9_000, None, True, 7, ["a"]])
def test_a_token_is_what_the_head_of_a_call_can_carry(value: Json) -> None:
    """RFC 6749, appendix A.12: visible ASCII."""
    assert token_of(value) is None
    assert token_of("ya29.a-b_c~1+/=") == "ya29.a-b_c~1+/="
