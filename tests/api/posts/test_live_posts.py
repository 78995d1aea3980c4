"""Unpublish, duplicate, history, and the status that a post's targets sum up to."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.api.http_room import NEEDED, UNKNOWN_ID, Document, Room
from tests.support.sample_media import samples

CAN_DELETE = (
    "youtube",
    "facebook",
    "linkedin",
    "x",
    "threads",
    "pinterest",
    "bluesky",
    "reddit",
    "google business profile",
)


def _sent(room: Room, platform: str, caption: str = "Fresh bread") -> Document:
    """Publish a post with a file that the platform takes."""
    levels = {"tiktok": {"privacy_level": "PUBLIC_TO_EVERYONE"}}
    options = {**levels, **NEEDED}.get(platform, {})
    sample = "silent.mp4" if platform == "youtube" else "plain.jpg"
    target = {"account_id": room.account(platform), "options": options}
    post = room.post(
        "/v1/posts",
        {
            "caption": caption,
            "targets": [target],
            "media_ids": [room.upload(samples()[sample].data)],
        },
    ).json
    room.act(post, "publish-now")
    room.run_due()
    room.pass_time(timedelta(seconds=1))  # for a copy of the file that the platform takes
    return room.show(post)


@pytest.mark.parametrize("platform", CAN_DELETE)
def test_a_live_post_can_be_taken_off(room: Room, platform: str) -> None:
    post = _sent(room, platform)

    answer = room.unpublish(post)

    assert (200, "published") == (answer.status, answer.json["status"])
    target = answer.json["targets"][0]
    (entry,) = room.house.sandbox.find(target["account_id"], target["id"])
    assert ("removed", True) == (target["status"], entry.removed)
    assert answer.json == room.show(post)


@pytest.mark.parametrize("platform", ["instagram", "tiktok"])
def test_some_platforms_let_nobody_delete(room: Room, platform: str) -> None:
    post = _sent(room, platform)

    answer = room.unpublish(post)

    assert (409, "cant_remove") == answer.refusal
    assert ["published"] == room.statuses(post)


@pytest.mark.parametrize("platform", ["instagram", "linkedin"])
def test_what_is_not_live_says_so_first(room: Room, platform: str) -> None:
    posts = [room.draft(platform), room.draft("linkedin")]
    gone = room.sent("linkedin")
    room.unpublish(gone)

    answers = [room.unpublish(post) for post in (*posts, gone)]

    assert [(409, "not_live")] * 3 == [answer.refusal for answer in answers]


def test_a_platform_that_does_not_delete_is_a_502(room: Room) -> None:
    post = room.sent(caption="Bread sandbox:remove_failed")

    answer = room.unpublish(post)

    assert (502, "remove_failed") == answer.refusal
    assert ["published"] == room.statuses(post)
    assert "target.unpublished" not in room.actions(post)


def test_a_post_whose_account_is_gone_cannot_be_taken_off(room: Room) -> None:
    post = room.sent("linkedin")
    room.disconnect(room.account("linkedin"))

    answer = room.unpublish(post)

    assert (409, "account_removed") == answer.refusal


@pytest.mark.parametrize("target_id", [UNKNOWN_ID, "x"])
def test_an_unknown_target_is_not_found(room: Room, target_id: str) -> None:
    post = room.sent()

    answer = room.act(post, f"targets/{target_id}/unpublish")

    assert (404, "target_not_found") == answer.refusal


def test_a_target_of_another_post_is_not_found(room: Room) -> None:
    post, other = room.sent(), room.sent()

    answer = room.act(post, f"targets/{other['targets'][0]['id']}/unpublish")

    assert (404, "target_not_found") == answer.refusal


def test_an_unknown_post_comes_first(room: Room) -> None:
    answer = room.post(f"/v1/posts/{UNKNOWN_ID}/targets/{UNKNOWN_ID}/unpublish")

    assert (404, "post_not_found") == answer.refusal


# /duplicate


def test_a_copy_has_the_content_and_no_times(room: Room) -> None:
    media_id = room.upload(samples()["plain.jpg"].data)
    target = {
        "account_id": room.account("linkedin"),
        "caption_override": "Own words",
        "options": {"visibility": "PUBLIC"},
    }
    body = {"caption": "Fresh bread", "media_ids": [media_id], "targets": [target]}
    post = room.post("/v1/posts", body).json
    room.act(post, "publish-now")
    room.run_due()

    answer = room.act(post, "duplicate")

    copy = answer.json
    assert (201, "draft") == (answer.status, copy["status"])
    assert post["id"] != copy["id"]
    assert ("Fresh bread", [media_id]) == (copy["caption"], copy["media_ids"])
    (made,) = copy["targets"]
    assert post["targets"][0]["id"] != made["id"]
    assert ("Own words", {"visibility": "PUBLIC"}) == (made["caption_override"], made["options"])
    assert [None] * 4 == [
        made[key] for key in ("scheduled_at", "url", "published_at", "error_code")
    ]
    assert copy == room.show(copy)


def test_both_histories_tell_of_a_copy(room: Room) -> None:
    post = room.draft()
    room.house.clock.pass_time(timedelta(seconds=1))

    copy = room.act(post, "duplicate").json

    history = room.get(f"/v1/posts/{post['id']}/history").json["events"]
    assert ["post.created", "post.duplicated"] == [event["action"] for event in history]
    assert copy["id"] == history[1]["detail"]["post_id"]
    assert ["post.created"] == room.actions(copy)


def test_a_copy_leaves_out_accounts_and_files_that_are_gone(room: Room) -> None:
    media_id = room.upload(samples()["plain.jpg"].data)
    post = room.draft("linkedin", "x", media_ids=[media_id])
    room.disconnect(room.account("linkedin"))
    room.ask("DELETE", f"/v1/media/{media_id}")

    copy = room.act(post, "duplicate").json

    assert (["x"], []) == ([t["platform"] for t in copy["targets"]], copy["media_ids"])


def test_nothing_is_left_to_copy_when_every_account_is_gone(room: Room) -> None:
    post = room.draft("linkedin")
    room.disconnect(room.account("linkedin"))

    answer = room.act(post, "duplicate")

    assert (409, "account_removed") == answer.refusal


def test_nothing_cannot_be_copied(room: Room) -> None:
    assert (404, "post_not_found") == room.act({"id": UNKNOWN_ID}, "duplicate").refusal


# /history


def test_a_history_names_everything_that_happened(room: Room) -> None:
    post = room.draft("linkedin")
    steps: list[Callable[[], object]] = [
        lambda: room.patch(post, {"caption": "sandbox:fail:unknown"}),
        lambda: room.act(post, "schedule", {"at": room.in_(hours=1)}),
        lambda: room.act(post, "cancel"),
        lambda: room.act(post, "queue"),
        lambda: room.act(post, "publish-now"),
        room.run_due,
        lambda: room.patch(post, {"caption": "Fresh bread"}),
        lambda: room.act(post, "retry"),
        room.run_due,
        lambda: room.act(post, "duplicate"),
        lambda: room.unpublish(post),
    ]
    for step in steps:
        room.house.clock.pass_time(timedelta(seconds=1))
        step()

    events = room.get(f"/v1/posts/{post['id']}/history").json["events"]

    assert [
        ("post.created", "Ada"),
        ("post.edited", "Ada"),
        ("post.scheduled", "Ada"),
        ("post.cancelled", "Ada"),
        ("post.queued", "Ada"),
        ("post.publish_requested", "Ada"),
        ("target.failed", "system"),
        ("post.edited", "Ada"),
        ("post.retried", "Ada"),
        ("target.published", "system"),
        ("post.duplicated", "Ada"),
        ("target.unpublished", "Ada"),
    ] == [(event["action"], event["by"]) for event in events]
    assert {"action", "by", "at", "detail"} == set(events[0])
    assert ("2026-11-20T12:00:00+00:00", 1) == (events[0]["at"], events[0]["detail"]["targets"])


def test_a_history_lists_every_attempt(room: Room) -> None:
    post = room.sent(caption="sandbox:flaky:2")
    room.pass_time(timedelta(minutes=5))

    attempts = room.get(f"/v1/posts/{post['id']}/history").json["attempts"]

    target_id = post["targets"][0]["id"]
    assert [(target_id, False), (target_id, False), (target_id, True)] == [
        (attempt["target_id"], attempt["ok"]) for attempt in attempts
    ]
    assert {"target_id", "ok", "status", "at"} < set(attempts[0])
    assert "platform_unavailable" == attempts[0]["error_code"]
    assert "published" == attempts[-1]["status"]
    assert attempts[-1]["remote_id"] in room.show(post)["targets"][0]["url"]


def test_a_history_says_when_a_look_on_the_platform_settled_an_attempt(room: Room) -> None:
    post = room.sent(caption="sandbox:ambiguous")
    room.pass_time(timedelta(minutes=1))

    attempts = room.get(f"/v1/posts/{post['id']}/history").json["attempts"]

    assert [(True, "published")] == [(one["ok"], one["found"]) for one in attempts]


def test_refused_calls_leave_no_trace(room: Room) -> None:
    post = room.draft("linkedin", caption="")

    for verb in ("schedule", "queue", "publish-now", "cancel", "retry"):
        room.act(post, verb)
    room.unpublish(post)

    assert ["post.created"] == room.actions(post)
