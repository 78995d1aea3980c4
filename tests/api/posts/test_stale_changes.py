"""ETag and If-Match: a change that is meant for an earlier state of a post is refused with 412."""

import pytest

from tests.api.http_room import UNKNOWN_ID, Answer, Document, Room

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
