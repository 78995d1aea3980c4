"""Idempotency-Key: one post a key and workspace, for as long as that post exists."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.http_room import UNKNOWN_ID, Answer, House, Room


def _create(room: Room, key: str, caption: str = "Fresh bread") -> Answer:
    body = {"caption": caption, "targets": [{"account_id": room.account()}]}
    return room.post("/v1/posts", body, key=key)


def test_a_repeat_answers_200_with_the_post_that_was_made(room: Room) -> None:
    first = _create(room, "order-7")

    again = _create(room, "order-7")

    assert (201, 200) == (first.status, again.status)
    assert first.json == again.json
    assert 1 == len(room.find())


def test_a_repeat_with_another_body_still_answers_the_same_post(room: Room) -> None:
    first = _create(room, "order-7")

    again = _create(room, "order-7", caption="Stale bread")

    assert (200, first.json) == (again.status, again.json)


def test_a_repeat_is_answered_before_any_rule(room: Room) -> None:
    first = _create(room, "order-7")
    targets = [{"account_id": UNKNOWN_ID, "options": {"trim": "middle"}}]

    again = room.post("/v1/posts", {"targets": targets, "media_ids": [UNKNOWN_ID]}, key="order-7")

    assert (200, first.json["id"]) == (again.status, again.json["id"])


def test_a_repeat_shows_the_post_as_it_is_now(room: Room) -> None:
    post = _create(room, "order-7").json
    room.act(post, "schedule", {"at": room.in_(hours=1)})

    again = _create(room, "order-7")

    assert "scheduled" == again.json["status"]


def test_a_deleted_post_frees_its_key(room: Room) -> None:
    first = _create(room, "order-7").json
    room.delete(first)

    again = _create(room, "order-7")

    assert 201 == again.status
    assert first["id"] != again.json["id"]


def test_a_refused_request_leaves_its_key_free(room: Room) -> None:
    refused = room.post("/v1/posts", {"targets": [{"account_id": UNKNOWN_ID}]}, key="order-7")

    answer = _create(room, "order-7")

    assert (422, 201) == (refused.status, answer.status)


def test_each_workspace_has_keys_of_its_own(house: House, room: Room) -> None:
    other = house.room()
    first = _create(room, "order-7")

    second = _create(other, "order-7")

    assert (201, 201) == (first.status, second.status)
    assert first.json["id"] != second.json["id"]


def test_requests_without_a_key_make_a_post_each(room: Room) -> None:
    room.draft()
    room.draft()

    assert 2 == len(room.find())


def test_a_duplicate_does_not_inherit_the_key(room: Room) -> None:
    post = _create(room, "order-7").json
    room.act(post, "duplicate")

    again = _create(room, "order-7")

    assert post["id"] == again.json["id"]


@pytest.mark.parametrize(("key", "status"), [("k" * 80, 201), ("k" * 81, 422)])
def test_a_key_has_at_most_80_characters(room: Room, key: str, status: int) -> None:
    answer = _create(room, key)

    assert status == answer.status


def test_a_key_that_is_too_long_is_blamed(room: Room) -> None:
    answer = _create(room, "k" * 81)

    assert [("string_too_long", ["header", "Idempotency-Key"])] == answer.problems


def test_ten_repeats_at_once_make_one_post(room: Room) -> None:
    room.account()

    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda _: _create(room, "order-7"), range(10)))

    assert [200] * 9 + [201] == sorted(answer.status for answer in answers)
    assert 1 == len({answer.json["id"] for answer in answers})
    assert 1 == len(room.find())
