"""Queries, headers and paths that are not what an endpoint takes."""

import json

import pytest

from tests.api.http.pipelines import POST_ID, a_pipeline, a_request, problems
from tests.api.http.things import THINGS

EDGE = a_pipeline(*THINGS)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"limit": ["0"]}, [("greater_than_equal", ["query", "limit"])]),
        ({"limit": ["201"]}, [("less_than_equal", ["query", "limit"])]),
        ({"limit": ["many"]}, [("int_parsing", ["query", "limit"])]),
        ({"limit": [""]}, [("int_parsing", ["query", "limit"])]),
        ({"limit": ["9" * 5000]}, [("int_parsing_size", ["query", "limit"])]),
        ({"from": ["2030-05-01T09:00:00"]}, [("timezone_aware", ["query", "from"])]),
        ({"from": ["tomorrow"]}, [("datetime_parsing", ["query", "from"])]),
        (
            {"from": ["x"], "limit": ["0"]},
            [
                ("greater_than_equal", ["query", "limit"]),
                ("datetime_parsing", ["query", "from"]),
            ],
        ),
    ],
)
def test_a_wrong_query_is_named_by_its_parameter(
    query: dict[str, list[str]], expected: list[tuple[str, list[str | int]]]
) -> None:
    assert problems(EDGE.answer(a_request(query=query))) == expected


@pytest.mark.parametrize(
    "sent",
    ["2030-05-01T09:00:00+02:00", "2030-05-01T09:00:00 02:00", "2030-05-01T07:00:00Z"],
    ids=["encoded", "plus arrived as a space", "zulu"],
)
def test_a_time_in_a_query_is_understood(sent: str) -> None:
    response = EDGE.answer(a_request(query={"from": [sent]}))

    assert b"50/2030-05-01 07:00:00+00:00" in response.body


@pytest.mark.parametrize("sent", [["5", "7"], ["5", "5"], ["5", "7", "9"], ["", "5"]])
def test_a_parameter_that_is_no_list_is_given_once(sent: list[str]) -> None:
    response = EDGE.answer(a_request(query={"limit": sent, "from": []}))

    assert problems(response) == [("repeated", ["query", "limit"])]
    assert json.loads(response.body)["detail"][0]["input"] == sent[1]


def test_a_parameter_without_a_value_is_none() -> None:
    assert b"7/None" in EDGE.answer(a_request(query={"limit": ["7"], "from": []})).body


@pytest.mark.parametrize(("sent", "meant"), [("since", "from"), ("page_size", "limit")])
def test_an_unknown_parameter_is_told_which_one_was_meant(sent: str, meant: str) -> None:
    response = EDGE.answer(a_request(query={sent: ["5"]}))

    (problem,) = json.loads(response.body)["detail"]
    assert problem["loc"] == ["query", sent]
    assert problem["msg"] == f"Unknown field; did you mean `{meant}`?"


def test_an_idempotency_key_has_at_most_80_characters() -> None:
    fits = a_request("POST", body={"name": "x"}, headers={"idempotency-key": "k" * 80})
    long = a_request("POST", body={"name": "x"}, headers={"idempotency-key": "k" * 81})

    assert EDGE.answer(fits).status == 201
    assert problems(EDGE.answer(long)) == [("string_too_long", ["header", "Idempotency-Key"])]


def test_problems_of_header_and_body_come_together() -> None:
    request = a_request("POST", body={}, headers={"idempotency-key": "k" * 81})

    assert problems(EDGE.answer(request)) == [
        ("string_too_long", ["header", "Idempotency-Key"]),
        ("missing", ["body", "name"]),
    ]


@pytest.mark.parametrize(
    "path",
    ["/", "", "//", "/v1/", "/v1/things//", "/v1/%", "/v1/%zz", "/v1/%ff%fe", "/v1/\ud800", "%00"],
)
def test_strange_paths_are_not_found(path: str) -> None:
    assert EDGE.answer(a_request("GET", path, key=None)).status == 404


@pytest.mark.parametrize("path", [f"/v1/things/{POST_ID}", f"/v1/things/%30{POST_ID[1:]}/"])
def test_an_id_may_be_percent_encoded_and_a_slash_may_follow(path: str) -> None:
    assert EDGE.answer(a_request("GET", path)).body == f'{{"name":"{POST_ID}"}}'.encode()


@pytest.mark.parametrize("sent", ["x", POST_ID.upper(), POST_ID + "0", "%00", "%2F", "é", "POST"])
def test_what_is_no_id_becomes_one_that_nothing_has(sent: str) -> None:
    response = EDGE.answer(a_request("GET", f"/v1/things/{sent}"))

    assert response.body == b'{"name":"' + b"0" * 32 + b'"}'
