"""Whoever asks again gets what has changed only: If-None-Match of RFC 9110, 13.1.2."""

from datetime import timedelta

import pytest

from tests.api.http_room import Answer, Room


def _again(room: Room, path: str, tag: str) -> Answer:
    return room.ask("GET", path, headers={"if-none-match": tag})


def _tag(answer: Answer) -> str:
    return answer.response.headers["ETag"]


PATHS = ["/v1/posts", "/v1/posts/{id}", "/v1/posts/{id}/metrics", "/v1/accounts", "/v1/media"]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_sent_of_what_the_reader_has(room: Room, path: str) -> None:
    path = path.replace("{id}", room.draft("x")["id"])
    first = room.get(path)

    second = _again(room, path, _tag(first))

    assert (304, b"") == (second.status, second.response.body)
    assert _tag(first) == _tag(second)
    assert "Content-Type" not in second.response.headers


@pytest.mark.parametrize("path", ["/v1/posts", "/v1/posts/{id}"])
def test_what_has_changed_is_sent(room: Room, path: str) -> None:
    post = room.draft("x")
    path = path.replace("{id}", post["id"])
    tag = _tag(room.get(path))
    room.act(post, "schedule", {"at": room.in_(hours=1)})

    second = _again(room, path, tag)

    assert 200 == second.status
    assert tag != _tag(second)


@pytest.mark.parametrize("known", ['"other", {tag}', "*", "W/{tag}"])
def test_any_of_the_tags_is_enough_and_weak_ones_count(room: Room, known: str) -> None:
    post = room.draft("x")
    tag = _tag(room.get(f"/v1/posts/{post['id']}"))

    second = _again(room, f"/v1/posts/{post['id']}", known.replace("{tag}", tag))

    assert 304 == second.status


def test_an_account_that_is_gone_shows_though_the_post_has_not_changed(room: Room) -> None:
    post = room.sent("x")
    path = f"/v1/posts/{post['id']}"
    tag = _tag(room.get(path))
    room.disconnect(room.account("x"))

    second = _again(room, path, tag)

    assert 200 == second.status
    assert second.json["targets"][0]["account_id"] is None


def test_a_refusal_is_told_whatever_the_reader_has(room: Room) -> None:
    assert 404 == _again(room, "/v1/posts/" + "0" * 32, "*").status


def test_a_change_is_never_answered_with_nothing_new(room: Room) -> None:
    post = room.draft("x")
    path = f"/v1/posts/{post['id']}"

    answer = room.ask("PATCH", path, body={"caption": "Newer"}, headers={"if-none-match": "*"})

    assert 200 == answer.status


def test_a_page_that_another_one_follows_now_is_sent_again(room: Room) -> None:
    older = room.draft("x")
    room.house.clock.pass_time(timedelta(seconds=1))
    room.scheduled("x")
    query = {"status": "scheduled", "limit": "1"}
    first = room.get("/v1/posts", query)
    room.act(older, "schedule", {"at": room.in_(hours=1)})

    headers = {"if-none-match": _tag(first)}
    second = room.ask("GET", "/v1/posts", query=query, headers=headers)

    assert "Link" not in first.response.headers
    assert (200, first.json) == (second.status, second.json)
    assert "Link" in second.response.headers
