"""Endpoints of posts: what reaches the services, and how a post and its history look."""

import json
from datetime import UTC, datetime

import pytest

from chalicelib.api.resources.post_schemas import PostOut
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.repeating import Making
from tests.api.http.pipelines import POST_ID, a_request, problems
from tests.api.posts.post_examples import ACCOUNT_ID, TARGET_ID, Recorder, answer


def test_a_post_shows_every_field_of_the_specification() -> None:
    response = answer(a_request("GET", f"/v1/posts/{POST_ID}"), Recorder())

    assert json.loads(response.body) == {
        "id": POST_ID,
        "caption": "Hello",
        "media_ids": [],
        "status": "partial",
        "approval": "approved",
        "created_at": "2030-05-01T12:00:00+00:00",
        "targets": [
            {
                "id": TARGET_ID,
                "account_id": ACCOUNT_ID,
                "platform": "bluesky",
                "handle": "ada.example",
                "status": "published",
                "caption_override": "for Bluesky",
                "options": {"trim": "start"},
                "scheduled_at": "2030-05-01T12:00:00+00:00",
                "url": "https://bsky.example/1",
                "error_code": None,
                "error_message": None,
                "trimmed": False,
                "published_at": "2030-05-01T12:00:02+00:00",
            },
            {
                "id": "d" * 32,
                "account_id": None,
                "platform": "x",
                "handle": "ada",
                "status": "failed",
                "caption_override": None,
                "options": {},
                "scheduled_at": None,
                "url": None,
                "error_code": "account_removed",
                "error_message": "The account was disconnected.",
                "trimmed": False,
                "published_at": None,
            },
        ],
    }


def test_an_answer_has_the_shape_that_is_described() -> None:
    response = answer(a_request("GET", f"/v1/posts/{POST_ID}"), Recorder())

    described = PostOut.model_validate_json(response.body)

    assert described.status is PostStatus.PARTIAL


def test_a_draft_reaches_the_service_in_the_domains_words() -> None:
    services = Recorder()
    target = {
        "account_id": ACCOUNT_ID,
        "options": {"trim": "end"},
        "scheduled_at": "2030-06-01T09:00:00+02:00",
    }
    body = {"caption": "Hi", "media_ids": ["m"], "targets": [target]}

    response = answer(
        a_request("POST", "/v1/posts", body=body, headers={"idempotency-key": "k1"}), services
    )

    assert response.status == 201
    assert services.asked == [
        NewPost(
            caption="Hi",
            media_ids=("m",),
            targets=(
                NewTarget(
                    account_id=ACCOUNT_ID,
                    options={"trim": "end"},
                    scheduled_at=datetime(2030, 6, 1, 7, 0, tzinfo=UTC),
                ),
            ),
        ),
        "k1",
    ]


def test_an_idempotent_repeat_is_answered_with_200() -> None:
    body = {"targets": [{"account_id": ACCOUNT_ID}]}

    response = answer(a_request("POST", "/v1/posts", body=body), Recorder(making=Making.REPEATED))

    assert response.status == 200
    assert json.loads(response.body)["id"] == POST_ID


TARGETS = [{"account_id": ACCOUNT_ID}]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, ("missing", ["body", "targets"])),
        ({"targets": []}, ("too_short", ["body", "targets"])),
        ({"targets": TARGETS * 31}, ("too_long", ["body", "targets"])),
        ({"targets": [{}]}, ("missing", ["body", "targets", 0, "account_id"])),
        ({"targets": [{"account_id": 5}]}, ("string_type", ["body", "targets", 0, "account_id"])),
        ({"targets": ["x"]}, ("model_type", ["body", "targets", 0])),
        ({"targets": TARGETS, "caption": None}, ("string_type", ["body", "caption"])),
        ({"targets": TARGETS, "media_ids": "m"}, ("list_type", ["body", "media_ids"])),
        ({"targets": TARGETS, "media_ids": [5]}, ("string_type", ["body", "media_ids", 0])),
        (
            {"targets": [{"account_id": ACCOUNT_ID, "options": []}]},
            ("dict_type", ["body", "targets", 0, "options"]),
        ),
        (
            {"targets": [{"account_id": ACCOUNT_ID, "scheduled_at": "2030-01-01T09:00"}]},
            ("timezone_aware", ["body", "targets", 0, "scheduled_at"]),
        ),
    ],
)
def test_a_draft_of_a_wrong_shape_is_refused(
    body: object, expected: tuple[str, list[str | int]]
) -> None:
    services = Recorder()

    response = answer(a_request("POST", "/v1/posts", body=body), services)

    assert problems(response) == [expected]
    assert services.asked == []


def test_changes_reach_the_service_and_null_leaves_things_alone() -> None:
    services = Recorder()
    body = {
        "caption": None,
        "targets": [{"id": TARGET_ID, "caption_override": "", "options": None}],
        "add": [{"account_id": ACCOUNT_ID}],
        "remove": None,
    }

    answer(a_request("PATCH", f"/v1/posts/{POST_ID}", body=body), services)

    assert services.asked == [
        POST_ID,
        PostChanges(
            targets=(TargetChange(id=TARGET_ID, caption_override=""),),
            add=(NewTarget(account_id=ACCOUNT_ID),),
        ),
    ]


@pytest.mark.parametrize("name", ["add", "remove"])
def test_at_most_twenty_targets_are_added_or_removed_at_once(name: str) -> None:
    item: object = {"account_id": ACCOUNT_ID} if name == "add" else TARGET_ID

    response = answer(
        a_request("PATCH", f"/v1/posts/{POST_ID}", body={name: [item] * 21}), Recorder()
    )

    assert problems(response) == [("too_long", ["body", name])]


def test_a_history_shows_events_and_attempts() -> None:
    response = answer(a_request("GET", f"/v1/posts/{POST_ID}/history"), Recorder())

    at = "2030-05-01T12:00:00+00:00"
    assert json.loads(response.body) == {
        "events": [{"action": "post.created", "by": "Ada", "at": at, "detail": {"targets": 2}}],
        "attempts": [
            {
                "target_id": TARGET_ID,
                "ok": True,
                "status": "published",
                "at": at,
                "remote_id": None,
                "error_code": None,
                "error_message": None,
                "found": None,
                "lateness_s": None,
                "platform_answer": None,
                "blame": None,
                "next_try_at": None,
                "tries_until": None,
            }
        ],
    }


@pytest.mark.parametrize("action", ["queue", "publish-now", "cancel", "retry", "duplicate"])
def test_a_post_is_moved_without_a_body(action: str) -> None:
    services = Recorder()

    response = answer(a_request("POST", f"/v1/posts/{POST_ID}/{action}", raw=b"whatever"), services)

    assert response.status == (201 if action == "duplicate" else 200)
    assert services.asked == [POST_ID]


def test_a_time_for_all_targets_reaches_the_service() -> None:
    services = Recorder()
    body = {"at": "2030-06-01T09:00:00+02:00"}

    answer(a_request("POST", f"/v1/posts/{POST_ID}/schedule", body=body), services)

    assert services.asked == [POST_ID, datetime(2030, 6, 1, 7, 0, tzinfo=UTC)]


def test_unpublish_names_the_post_and_the_target() -> None:
    services = Recorder()

    answer(a_request("POST", f"/v1/posts/{POST_ID}/targets/{TARGET_ID}/unpublish"), services)

    assert services.asked == [POST_ID, TARGET_ID]


def test_a_deleted_post_leaves_nothing_to_say() -> None:
    response = answer(a_request("DELETE", f"/v1/posts/{POST_ID}"), Recorder())

    assert (response.status, response.body) == (204, b"")
