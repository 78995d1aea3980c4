"""What a call may carry along: Idempotency-Key makes one post, If-Match changes no later state.

A key stands for one post of a workspace, for as long as that post exists; a change that is meant
for an earlier state of a post than its own is refused with 412.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.http_room import UNKNOWN_ID, Answer, Document, House, Room


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


def test_a_repeat_says_that_it_is_one_and_whether_it_came_with_another_body(room: Room) -> None:
    answers = [_create(room, "order-7"), _create(room, "order-7")]
    answers.append(_create(room, "order-7", caption="Stale bread"))

    said = [
        tuple(each.response.headers.get(f"Idempotency-{what}") for what in ("Replayed", "Mismatch"))
        for each in answers
    ]
    assert [(None, None), ("true", None), ("true", "body")] == said


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


VERBS = ["schedule", "queue", "publish-now", "cancel", "retry"]


def _tag(room: Room, post: Document) -> str:
    return room.get(f"/v1/posts/{post['id']}").response.headers["ETag"]


def _patch(room: Room, post: Document, tag: str, caption: str = "Newer") -> Answer:
    return room.ask(
        "PATCH", f"/v1/posts/{post['id']}", body={"caption": caption}, headers={"if-match": tag}
    )


def test_making_reading_and_editing_a_post_carry_its_tag(room: Room) -> None:
    made = room.create("x")
    edited = room.patch(made.json, {"caption": "Newer"})

    first, second = (answer.response.headers["ETag"] for answer in (made, edited))
    assert first != second
    assert second == _tag(room, made.json)


def test_two_posts_never_share_a_tag(room: Room) -> None:
    assert _tag(room, room.draft("x")) != _tag(room, room.draft("x"))


def test_every_change_makes_another_tag(room: Room) -> None:
    post = room.draft("x")
    tags = [_tag(room, post)]
    for change in (
        lambda: room.act(post, "schedule", {"at": room.in_(hours=1)}),
        lambda: room.act(post, "cancel"),
        lambda: room.act(post, "publish-now"),
        room.run_due,
    ):
        change()
        tags.append(_tag(room, post))

    assert len(set(tags)) == len(tags)


def test_an_edit_that_changes_nothing_leaves_the_tag_and_the_history(room: Room) -> None:
    post = room.draft("x")
    room.act(post, "schedule", {"at": room.in_(hours=1)})
    before = _tag(room, post), room.actions(post)
    (target,) = room.show(post)["targets"]
    time = {"id": target["id"], "scheduled_at": target["scheduled_at"]}

    edited = room.patch(post, {"caption": post["caption"], "targets": [time]})

    assert 200 == edited.status
    assert before == (_tag(room, post), room.actions(post))


def test_a_change_with_the_posts_own_tag_is_made(room: Room) -> None:
    post = room.draft("x")

    assert 200 == _patch(room, post, _tag(room, post)).status


def test_a_change_that_is_meant_for_an_earlier_state_is_refused(room: Room) -> None:
    post = room.draft("x")
    tag = _tag(room, post)
    room.patch(post, {"caption": "Somebody else's"})

    answer = _patch(room, post, tag)

    assert (412, "stale") == answer.refusal
    assert "Somebody else's" == room.show(post)["caption"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_a_tag(room: Room, verb: str) -> None:
    post = room.draft("x")

    answer = room.ask("POST", f"/v1/posts/{post['id']}/{verb}", headers={"if-match": '"other"'})

    assert (412, "stale") == answer.refusal


def test_a_delete_takes_a_tag(room: Room) -> None:
    post = room.draft("x")
    path = f"/v1/posts/{post['id']}"

    refused = room.ask("DELETE", path, headers={"if-match": '"other"'})
    done = room.ask("DELETE", path, headers={"if-match": _tag(room, post)})

    assert [(412, "stale"), 204] == [refused.refusal, done.status]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("*", 200),
        ('"other", {tag}', 200),
        ('"other" ,"another"', 412),
        ("W/{tag}", 412),
        ("nonsense", 412),
    ],
)
def test_lists_and_a_star_work_and_weak_tags_never_match(
    room: Room, sent: str, status: int
) -> None:
    post = room.draft("x")

    answer = _patch(room, post, sent.format(tag=_tag(room, post)))

    assert status == answer.status


def test_an_unknown_post_is_not_found_before_it_is_stale(room: Room) -> None:
    answer = _patch(room, {"id": UNKNOWN_ID}, '"other"')

    assert (404, "post_not_found") == answer.refusal


def test_what_is_stale_is_told_before_what_is_in_conflict(room: Room) -> None:
    post = room.sent("x")

    assert (412, "stale") == _patch(room, post, '"other"').refusal
    assert (409, "already_live") == _patch(room, post, _tag(room, post)).refusal
