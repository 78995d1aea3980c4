"""What is made says where it is read (RFC 9110, 15.3.2: 201 and Location), found by httplint.

httplint (github.com/mnot/httplint), by an editor of that standard, held our answers against it.
"""

import pytest

from chalicelib.api.http.response_headers import ResponseHeaders
from chalicelib.kit.asgi.messages import Request, Response
from tests.api.http.endpoint_cases import CASES, Case
from tests.api.http.round_trip_table import send
from tests.api.http_room import Room

POSTS = [case for case in CASES if case.endpoint.startswith("POST ")]
SHOWN_NOWHERE = {"POST /v1/labels", "POST /v1/queue-slots"}
"""A label and a queue time are read in their list alone, which is what was asked."""


@pytest.mark.parametrize("case", POSTS, ids=[case.name for case in POSTS])
def test_what_is_made_is_read_where_its_answer_says(room: Room, case: Case) -> None:
    made = send(room, case.prepare(room))

    location = made.response.headers.get("Location")
    assert (made.status == 201 and case.endpoint not in SHOWN_NOWHERE) == (location is not None)
    if location is not None:
        made_id = made.json.get("id") or made.json["media_id"]
        assert location.endswith(f"/{made_id}")
        assert room.get(location).status == 200


@pytest.mark.parametrize(
    ("base_url", "asked", "place"),
    [
        (None, "/v1/posts", "/v1/posts/42"),
        ("", "/v1/posts", "posts/42"),
        ("", "/v1/posts/41/duplicate", "../42"),
        ("https://x.example/api", "/v1/posts", "https://x.example/api/v1/posts/42"),
    ],
)
def test_the_place_is_right_behind_any_prefix(base_url: str | None, asked: str, place: str) -> None:
    made = Response(status=201, headers={"Location": "/v1/posts/42"})
    request = Request(method="POST", path=asked)

    assert place == ResponseHeaders(base_url=base_url).add_to(request, made).headers["Location"]
