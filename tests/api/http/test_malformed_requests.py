"""Whatever a client sends, the answer is a small 422 that says where, and never a 500."""

import gzip
import json
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.api.http.pipelines import POST_ID, a_pipeline, a_request, problems
from tests.api.http.things import THINGS

EDGE = a_pipeline(*THINGS)


MOVE = f"/v1/things/{POST_ID}/move"


SMALL = 64 * 1024


NOT_JSON = {
    "nothing closed": b'{"name":',
    "a comma too many": b'{"name": "x",}',
    "not utf-8": b'{"name": "\xff"}',
    "utf-16": '{"name": "x"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "x"}',
    "a lone surrogate": b'{"name": "\\ud800"}',
    "a raw surrogate": '{"name": "\ud800"}'.encode("utf-8", "surrogatepass"),
    "deep nesting": b'{"options": {"a": ' + b"[" * 100_000,
    "an endless number": b'{"options": {"a": ' + b"9" * 5_000 + b"}}",
    "form data": b"name=x",
}


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_is_not_json_is_json_invalid_as_fastapi_says_it(body: bytes) -> None:
    response = EDGE.answer(a_request("POST", raw=body))

    assert response.status == 422
    (problem,) = json.loads(response.body)["detail"]
    assert problem["type"] == "json_invalid"
    assert problem["loc"][0] == "body"
    assert isinstance(problem["loc"][1], int)
    assert problem["input"] == {}
    assert problem["ctx"]["error"]


@pytest.mark.parametrize(
    ("coded", "named"),
    [
        (gzip.compress, "gzip"),
        (lambda plain: plain.decode().encode("utf-16"), "UTF-16"),
        (lambda plain: plain.decode().encode("utf-16-le"), "UTF-16"),
        (lambda plain: plain.decode().encode("utf-16-be"), "UTF-16"),
        (lambda plain: plain.decode().encode("utf-8-sig"), "byte order mark"),
    ],
    ids=["gzip", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"],
)
def test_a_body_in_another_coding_is_told_which_it_looks_like(
    coded: Callable[[bytes], bytes], named: str
) -> None:
    response = EDGE.answer(a_request("POST", raw=coded(b'{"name": "x"}')))

    (problem,) = json.loads(response.body)["detail"]
    assert named in problem["ctx"]["error"]
    assert "send JSON in plain UTF-8" in problem["ctx"]["error"]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        pytest.param(
            b"caption=Gr%C3%B6%C3%9Fe+%F0%9F%98%80&targets=account_id",
            "a form",
            id="requests 2.34.2, data=",
        ),
        pytest.param(
            b"targets%5B0%5D%5Baccount_id%5D=0&caption=x",
            "a form",
            id="http_build_query of PHP 8.2",
        ),
        pytest.param(
            b"--------------------------4f49ca2001da4acb\r\n"
            b'Content-Disposition: form-data; name="caption"\r\n\r\nx\r\n'
            b"--------------------------4f49ca2001da4acb--\r\n",
            "a form",
            id="an array as CURLOPT_POSTFIELDS of PHP 8.2",
        ),
        pytest.param(
            b"------formdata-undici-011695479623\r\n"
            b'Content-Disposition: form-data; name="caption"\r\n\r\nx\r\n'
            b"------formdata-undici-011695479623--\r\n",
            "a form",
            id="FormData of Node 20",
        ),
        pytest.param(
            b"[object Object]", "a JavaScript object", id="an object as body, fetch of Node 20"
        ),
        pytest.param(zlib.compress(b'{"name": "x"}'), "deflate", id="HTTPie 3.2.1, --compress"),
        pytest.param(
            b'{"name": "gr\xf6\xdfe"}', "no UTF-8", id="StringEntity of Apache HttpClient 5.3.1"
        ),
        pytest.param(
            b'{"name": "x\\ud83d"}',
            "Half of a character",
            id="JSON.stringify of a text cut within an emoji",
        ),
        pytest.param(
            b'{"name": "\\udE00x"}',
            "Half of a character",
            id="a text cut before the rest of an emoji",
        ),
    ],
)
def test_a_body_of_another_kind_is_told_what_it_looks_like(sent: bytes, told: str) -> None:
    """What libraries send when a developer leaves their defaults as they are."""
    (problem,) = json.loads(EDGE.answer(a_request("POST", raw=sent)).body)["detail"]

    assert problem["type"] == "json_invalid"
    assert told in problem["ctx"]["error"]


def test_json_invalid_says_at_which_byte() -> None:
    response = EDGE.answer(a_request("POST", raw=b'{\n"name": nope}'))

    assert problems(response) == [("json_invalid", ["body", 12])]


WRONG_SHAPES: dict[str, tuple[str, list[tuple[str, list[str | int]]]]] = {
    "a list": ("[]", [("model_type", ["body"])]),
    "a text": ('"x"', [("model_type", ["body"])]),
    "null": ("null", [("model_type", ["body"])]),
    "a missing field": ("{}", [("missing", ["body", "name"])]),
    "a number for a text": ('{"name": 5}', [("string_type", ["body", "name"])]),
    "null for a text": ('{"name": null}', [("string_type", ["body", "name"])]),
    "a text for a list": ('{"name": "x", "parts": "y"}', [("list_type", ["body", "parts"])]),
    "a text for a number": ('{"name":"x","sizes":["1"]}', [("int_type", ["body", "sizes", 0])]),
    "true for a number": ('{"name":"x","sizes":[true]}', [("int_type", ["body", "sizes", 0])]),
    "a naive time": (
        '{"name":"x","at":"2030-05-01T09:00:00"}',
        [("timezone_aware", ["body", "at"])],
    ),
    "a date": ('{"name":"x","at":"2030-05-01"}', [("timezone_aware", ["body", "at"])]),
    "a number for a time": ('{"name":"x","at":1893456000}', [("datetime_type", ["body", "at"])]),
    "digits for a time": (
        '{"name":"x","at":"1893456000"}',
        [("datetime_parsing", ["body", "at"])],
    ),
    "year 1": (
        '{"name":"x","at":"0001-01-01T00:00:00+14:00"}',
        [("greater_than_equal", ["body", "at"])],
    ),
    "year 9999": (
        '{"name":"x","at":"9999-12-31T23:59:59-14:00"}',
        [("less_than_equal", ["body", "at"])],
    ),
    "infinity": ('{"name":"x","options":{"a":1e999}}', [("finite_number", ["body", "options"])]),
    "nan": ('{"name":"x","options":{"a":[NaN]}}', [("finite_number", ["body", "options"])]),
    "39 digits": (
        '{"name":"x","options":{"a":' + "9" * 39 + "}}",
        [("value_error", ["body", "options"])],
    ),
    "eleven levels": (
        '{"name":"x","options":{"a":' + "[" * 10 + "]" * 10 + "}}",
        [("value_error", ["body", "options"])],
    ),
    "options too long": (
        '{"name":"x","options":{"a":"' + "x" * 17_000 + '"}}',
        [("value_error", ["body", "options"])],
    ),
    "too many entries": (
        '{"name":"x","parts":[' + ",".join(["5"] * 100_000) + "]}",
        [("too_long", ["body", "parts"])],
    ),
}


@pytest.mark.parametrize(("body", "expected"), WRONG_SHAPES.values(), ids=WRONG_SHAPES.keys())
def test_a_wrong_shape_is_named_where_it_stands(
    body: str, expected: list[tuple[str, list[str | int]]]
) -> None:
    response = EDGE.answer(a_request("POST", raw=body.encode()))

    assert response.status == 422
    assert problems(response) == expected
    assert len(response.body) < SMALL


def test_an_unknown_field_is_refused_and_the_known_ones_are_named() -> None:
    response = EDGE.answer(a_request("POST", body={"name": "x", "colour": "red"}))

    (problem,) = json.loads(response.body)["detail"]
    assert problem == {
        "type": "extra_forbidden",
        "loc": ["body", "colour"],
        "msg": "Unknown field; what can be sent here: `name`, `at`, `parts`, `sizes`, `options`",
        "input": "red",
    }


@pytest.mark.parametrize("sent", ["scheduled_at", "time", "scheduledAt", "AT", "publish_at"])
def test_an_unknown_field_is_told_which_one_was_meant(sent: str) -> None:
    response = EDGE.answer(a_request("POST", MOVE, body={sent: "2030-05-01T09:00:00Z"}))

    (problem,) = json.loads(response.body)["detail"]
    assert problem["msg"] == "Unknown field; did you mean `at`?"


@pytest.mark.parametrize("raw", [b'{"at": "2030-05-01T09:00:00Z"}', b' {"x": null}'])
@pytest.mark.parametrize("method", ["POST", "DELETE", "GET"])
def test_a_call_that_takes_no_body_refuses_fields(method: str, raw: bytes) -> None:
    path = f"/v1/things/{POST_ID}" + ("/refuse" if method == "POST" else "")

    response = EDGE.answer(a_request(method, path, raw=raw))

    (problem,) = json.loads(response.body)["detail"]
    assert problem["type"] == "extra_forbidden"


@pytest.mark.parametrize("raw", [b"", b"{}", b"null", b" {} "])
def test_a_call_that_takes_no_body_takes_an_empty_one(raw: bytes) -> None:
    assert EDGE.answer(a_request("DELETE", f"/v1/things/{POST_ID}", raw=raw)).status == 204


def test_a_call_without_parameters_refuses_them() -> None:
    response = EDGE.answer(a_request("GET", f"/v1/things/{POST_ID}", query={"fresh": ["1"]}))

    assert problems(response) == [("extra_forbidden", ["query", "fresh"])]


def test_a_page_for_people_takes_any_parameter() -> None:
    assert EDGE.answer(a_request("GET", "/v1/open", query={"v": ["1"]})).status == 200


@pytest.mark.parametrize(
    "character", ["\0", "\x08", "\x0b", "\x1f", "\r", "\x7f", "\x9f"], ids=repr
)
def test_control_characters_are_refused(character: str) -> None:
    response = EDGE.answer(a_request("POST", body={"name": f"a{character}b"}))

    assert problems(response) == [("control_character", ["body", "name"])]


def test_newlines_and_tabs_are_taken() -> None:
    assert EDGE.answer(a_request("POST", body={"name": "a\n\tb\r\nc"})).status == 201


@pytest.mark.parametrize("raw", [b"", b"  \n", b"null", b"{}", b'{"at": null}'])
def test_an_optional_body_may_be_left_out(raw: bytes) -> None:
    assert EDGE.answer(a_request("POST", MOVE, raw=raw)).body == b'{"name":"None"}'


def test_a_required_body_that_is_missing_says_so() -> None:
    assert problems(EDGE.answer(a_request("POST"))) == [("missing", ["body"])]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "x"])
def test_the_content_type_does_not_matter(kind: str) -> None:
    request = a_request("POST", body={"name": "x"}, headers={"content-type": kind})

    assert EDGE.answer(request).status == 201


def test_times_are_understood_in_any_offset() -> None:
    request = a_request("POST", MOVE, body={"at": "2030-05-01T09:00:00+02:00"})

    assert b"2030-05-01 07:00:00+00:00" in EDGE.answer(request).body


def test_many_problems_make_a_small_answer() -> None:
    body = json.dumps({"name": "x", "sizes": ["x" * 700] * 1000}).encode()

    response = EDGE.answer(a_request("POST", raw=body))

    found = json.loads(response.body)["detail"]
    assert len(found) == 100
    assert len(response.body) < SMALL


def test_a_long_input_is_cut_and_a_large_one_left_out() -> None:
    text = json.dumps({"name": "x", "at": "x" * 100_000}).encode()
    large = json.dumps({"colour": ["x"] * 100_000}).encode()

    cut = json.loads(EDGE.answer(a_request("POST", raw=text)).body)["detail"][0]
    left_out = json.loads(EDGE.answer(a_request("POST", raw=large)).body)["detail"][0]

    assert cut["input"] == "x" * 100 + "…"
    assert "input" not in left_out


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


fields = st.sampled_from(["name", "at", "parts", "sizes", "options", "other"])


@pytest.mark.costly
@settings(max_examples=150)
@given(st.dictionaries(fields, anything) | anything)
def test_no_json_ever_makes_the_service_fail(body: object) -> None:
    response = EDGE.answer(a_request("POST", raw=json.dumps(body).encode("utf-8", "replace")))

    assert response.status in {201, 422}
    assert len(response.body) < SMALL


@settings(max_examples=100)
@given(st.binary(max_size=60), st.text(max_size=20), st.text(max_size=20))
def test_no_bytes_ever_make_the_service_fail(body: bytes, text: str, path: str) -> None:
    request = a_request(
        "POST",
        f"/v1/things/{path}/move",
        raw=body,
        query={"limit": [text], text: [text]},
        headers={"idempotency-key": text},
    )

    assert EDGE.answer(request).status < 500
