"""What the description bounds is refused beyond the bound, in words that say so."""

import pytest

from tests.api.http_room import Room

BEYOND = [
    ("/v1/posts", {"status": "draft," * 100 + "draft"}, ["query", "status"], "too_long"),
    ("/v1/posts", {"account_id": "a" * 65}, ["query", "account_id", 0], "string_too_long"),
    ("/v1/posts", {"cursor": "0" * 1_025}, ["query", "cursor"], "string_too_long"),
    ("/v1/media", {"cursor": "0" * 1_025}, ["query", "cursor"], "string_too_long"),
    ("/v1/media", {"q": "a\0"}, ["query", "q"], "control_character"),
]


@pytest.mark.parametrize(("path", "query", "loc", "kind"), BEYOND)
def test_what_is_beyond_a_bound_is_refused(
    room: Room, path: str, query: dict[str, str], loc: list[str | int], kind: str
) -> None:
    answer = room.get(path, query)

    assert 422 == answer.status
    assert [(loc, kind)] == [(one["loc"], one["type"]) for one in answer.json["detail"]]


@pytest.mark.parametrize(("method", "header"), [("GET", "If-None-Match"), ("PATCH", "If-Match")])
def test_more_entity_tags_than_anybody_has_are_refused(
    room: Room, method: str, header: str
) -> None:
    post = room.draft("x")
    headers = {header.lower(): '"0", ' * 500}
    body: dict[str, str] | None = {} if method == "PATCH" else None

    answer = room.ask(method, f"/v1/posts/{post['id']}", body=body, headers=headers)

    assert 422 == answer.status
    assert ["header", header] == answer.json["detail"][0]["loc"]
