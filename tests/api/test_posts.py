"""Endpoints of posts: what reaches the services, and how a post, a page and a history look."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.api import posts, scheduling
from chalicelib.api.cursors import cursor_at
from chalicelib.api.schemas_posts import PostOut
from chalicelib.api.wire import Request, Response
from chalicelib.domain.access import Caller
from chalicelib.domain.approval import Approval
from chalicelib.domain.drafting import NewPost, NewTarget, PostChanges, TargetChange
from chalicelib.domain.history import Action, Attempt, Event, History
from chalicelib.domain.platforms import Platform
from chalicelib.domain.post import Post, PostStatus
from chalicelib.domain.post_query import Page, PostQuery
from chalicelib.domain.target import Target, TargetStatus
from tests.api.edges import NOW, POST_ID, a_caller, a_request, an_edge, problems

ACCOUNT_ID = "a" * 32
GONE_ACCOUNT_ID = "b" * 32
TARGET_ID = "c" * 32
CALLER = a_caller(accounts=[ACCOUNT_ID])

LIVE = Target(
    id=TARGET_ID,
    account_id=ACCOUNT_ID,
    platform=Platform.BLUESKY,
    handle="ada.example",
    status=TargetStatus.PUBLISHED,
    caption_override="for Bluesky",
    options={"trim": "start"},
    scheduled_at=NOW,
    url="https://bsky.example/1",
    published_at=NOW + timedelta(seconds=2),
)
ORPHAN = Target(
    id="d" * 32,
    account_id=GONE_ACCOUNT_ID,
    platform=Platform.X,
    handle="ada",
    status=TargetStatus.FAILED,
    error_code="account_removed",
    error_message="The account was disconnected.",
)
POST = Post(
    id=POST_ID,
    workspace_id=CALLER.workspace_id,
    caption="Hello",
    attachment=None,
    approval=Approval.APPROVED,
    created_at=NOW,
    created_by="Ada",
    targets=(LIVE, ORPHAN),
)
HISTORY = History(
    events=(Event(id="e" * 32, action=Action.CREATED, by="Ada", at=NOW, detail={"targets": 2}),),
    attempts=(Attempt(id="f" * 32, target_id=TARGET_ID, ok=True, status="published", at=NOW),),
)


@dataclass(slots=True)
class Recorder:
    """Drafts, posts_reader, scheduling and live_posts in one: notes what it is asked."""

    is_new: bool = True
    cursor: str | None = None
    asked: list[object] = field(default_factory=list)

    def create(
        self, _caller: Caller, draft: NewPost, *, idempotency_key: str | None = None
    ) -> tuple[Post, bool]:
        self.asked += [draft, idempotency_key]
        return POST, self.is_new

    def edit(self, _caller: Caller, post_id: str, changes: PostChanges) -> Post:
        self.asked += [post_id, changes]
        return POST

    def delete(self, _caller: Caller, post_id: str) -> None:
        self.asked.append(post_id)

    def find(self, _caller: Caller, query: PostQuery) -> Page:
        self.asked.append(query)
        return Page(posts=(POST,), cursor=self.cursor)

    def history(self, _caller: Caller, post_id: str) -> History:
        self.asked.append(post_id)
        return HISTORY

    def schedule(self, _caller: Caller, post_id: str, *, at: datetime | None = None) -> Post:
        self.asked += [post_id, at]
        return POST

    def unpublish(self, _caller: Caller, post_id: str, target_id: str) -> Post:
        self.asked += [post_id, target_id]
        return POST

    def noted(self, _caller: Caller, post_id: str) -> Post:
        self.asked.append(post_id)
        return POST

    duplicate = get = queue = publish_now = cancel = retry = noted


ENDPOINTS = (
    posts.create_post,
    posts.list_posts,
    posts.get_post,
    posts.edit_post,
    posts.delete_post,
    posts.duplicate_post,
    posts.get_history,
    scheduling.schedule,
    scheduling.queue,
    scheduling.publish_now,
    scheduling.cancel,
    scheduling.retry,
    scheduling.unpublish,
)


def answer(request: Request, services: Recorder) -> Response:
    parts = dict.fromkeys(("drafts", "posts_reader", "scheduling", "live_posts"), services)
    return an_edge(*ENDPOINTS, caller=CALLER, parts=parts).answer(request)


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
    body = {"caption": "Hi", "media_ids": ["m"], "targets": [target], "colour": "red"}

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

    response = answer(a_request("POST", "/v1/posts", body=body), Recorder(is_new=False))

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


def test_filters_reach_the_service() -> None:
    services = Recorder()
    query = {
        "status": ["draft, failed,"],
        "q": ["Hello"],
        "from": ["2030-05-01T00:00:00 02:00"],
        "to": ["2030-06-01T00:00:00Z"],
        "limit": ["7"],
    }

    answer(a_request("GET", "/v1/posts", query=query), services)

    assert services.asked == [
        PostQuery(
            statuses=frozenset({PostStatus.DRAFT, PostStatus.FAILED}),
            text="Hello",
            since=datetime(2030, 4, 30, 22, 0, tzinfo=UTC),
            until=datetime(2030, 6, 1, tzinfo=UTC),
            limit=7,
        )
    ]


def test_a_last_page_has_no_link() -> None:
    response = answer(a_request("GET", "/v1/posts"), Recorder())

    assert "Link" not in response.headers
    assert [post["id"] for post in json.loads(response.body)["data"]] == [POST_ID]


def test_a_link_leads_to_the_next_page_with_the_same_filters() -> None:
    first, second = Recorder(cursor=POST_ID), Recorder()
    query = {"status": ["draft"], "q": ["a&b +"], "from": ["2030-05-01T00:00:00Z"]}

    link = answer(a_request("GET", "/v1/posts", query=query), first).headers["Link"]
    target = urlsplit(link.removeprefix("<").removesuffix('>; rel="next"'))
    answer(a_request("GET", target.path, query=parse_qs(target.query)), second)

    asked_first, asked_second = first.asked[0], second.asked[0]
    assert isinstance(asked_first, PostQuery)
    assert isinstance(asked_second, PostQuery)
    assert (asked_second.text, asked_second.since) == ("a&b +", asked_first.since)
    assert asked_second.statuses == asked_first.statuses
    assert asked_second.cursor == POST_ID


FOREIGN = cursor_at(a_caller(), POST_ID)[:-1] + "x"


@pytest.mark.parametrize("cursor", ["", "x", POST_ID, FOREIGN, "é" * 48, POST_ID + "0" * 5000])
def test_a_cursor_that_no_link_of_this_workspace_carried_is_refused(cursor: str) -> None:
    response = answer(a_request("GET", "/v1/posts", query={"cursor": [cursor]}), Recorder())

    assert response.status == 422
    assert problems(response) == [("value_error", ["query", "cursor"])]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"status": ["lost"]}, ("enum", ["query", "status", 0])),
        ({"status": ["draft,lost"]}, ("enum", ["query", "status", 1])),
        ({"limit": ["0"]}, ("greater_than_equal", ["query", "limit"])),
        ({"limit": ["201"]}, ("less_than_equal", ["query", "limit"])),
        ({"to": ["2030-06-01"]}, ("timezone_aware", ["query", "to"])),
        ({"q": ["x" * 1001]}, ("string_too_long", ["query", "q"])),
    ],
)
def test_a_filter_of_a_wrong_shape_is_refused(
    query: dict[str, list[str]], expected: tuple[str, list[str | int]]
) -> None:
    assert problems(answer(a_request("GET", "/v1/posts", query=query), Recorder())) == [expected]


def test_a_history_shows_events_and_attempts() -> None:
    response = answer(a_request("GET", f"/v1/posts/{POST_ID}/history"), Recorder())

    at = "2030-05-01T12:00:00+00:00"
    assert json.loads(response.body) == {
        "events": [{"action": "post.created", "by": "Ada", "at": at, "detail": {"targets": 2}}],
        "attempts": [{"target_id": TARGET_ID, "ok": True, "status": "published", "at": at}],
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
