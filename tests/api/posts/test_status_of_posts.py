"""A post's status over HTTP: every way in which two targets sum up (docs/api.md "Posts")."""

import pytest

from tests.api.http_room import Document, Room

WORDS = {"failed": "sandbox:fail:unknown", "publishing": "sandbox:slow:600"}


def _send(room: Room, post: Document) -> None:
    room.act(post, "publish-now")
    room.run_due()


def _schedule(room: Room, post: Document) -> None:
    room.act(post, "schedule", {"at": room.in_(hours=1)})


def _post_with(room: Room, first: str, second: str) -> Document:
    """Make a post whose LinkedIn target comes to `first`, and then its X target to `second`."""
    post = room.draft("linkedin", caption=WORDS.get(first, "Fresh bread"))
    _bring(room, post, first)
    new = {"account_id": room.account("x"), "caption_override": WORDS.get(second, "On X")}
    room.patch(post, {"add": [new]})
    _bring(room, post, second)
    return room.show(post)


def _bring(room: Room, post: Document, status: str) -> None:
    """Bring the last target of a post to a status; others are out of reach already."""
    match status:
        case "draft":
            pass
        case "scheduled":
            _schedule(room, post)
        case "cancelled":
            _schedule(room, post)
            room.act(post, "cancel")
        case "removed":
            _send(room, post)
            room.unpublish(room.show(post), -1)
        case _:
            _send(room, post)


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("draft", "draft", "draft"),
        ("published", "published", "published"),
        ("published", "draft", "published"),
        ("published", "removed", "published"),
        ("removed", "removed", "published"),
        ("removed", "draft", "published"),
        ("published", "failed", "partial"),
        ("published", "cancelled", "partial"),
        ("removed", "failed", "partial"),
        ("removed", "cancelled", "partial"),
        ("failed", "draft", "failed"),
        ("failed", "cancelled", "failed"),
        ("cancelled", "draft", "cancelled"),
        ("published", "scheduled", "scheduled"),
        ("removed", "scheduled", "scheduled"),
        ("failed", "scheduled", "scheduled"),
        ("scheduled", "scheduled", "scheduled"),
        ("publishing", "draft", "publishing"),
        ("publishing", "scheduled", "publishing"),
        ("publishing", "published", "publishing"),
        ("publishing", "failed", "publishing"),
        ("publishing", "cancelled", "publishing"),
        ("publishing", "removed", "publishing"),
    ],
)
def test_a_post_sums_up_its_targets(room: Room, first: str, second: str, status: str) -> None:
    post = _post_with(room, first, second)

    assert [first, second] == [target["status"] for target in post["targets"]]
    assert status == post["status"]
    assert [post["id"]] == room.find({"status": status})
