"""What reading tells: lists with filters, pages and cursors; how a post sums up its targets."""

import json
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.api.http.fields import LONGEST_CURSOR
from chalicelib.domain.cursors import Listed, cursor_at
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.query import PostQuery
from tests.api.http.pipelines import POST_ID, a_caller, a_request, problems
from tests.api.http_room import Document, Room
from tests.api.posts.post_examples import Recorder, answer


def test_filters_reach_the_service() -> None:
    services = Recorder()
    query = {
        "status": ["draft, failed"],
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


FOREIGN = cursor_at(a_caller(), POST_ID, Listed.POSTS)[:-1] + "x"


@pytest.mark.parametrize("cursor", ["", "x", POST_ID, FOREIGN, "é" * 48, POST_ID + "0" * 5000])
def test_a_cursor_that_no_link_of_this_workspace_carried_is_refused(cursor: str) -> None:
    response = answer(a_request("GET", "/v1/posts", query={"cursor": [cursor]}), Recorder())

    assert response.status == 422
    kind = "string_too_long" if len(cursor) > LONGEST_CURSOR else "value_error"
    assert problems(response) == [(kind, ["query", "cursor"])]


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
        ("published", "removed", "published"),
        ("published", "failed", "partial"),
        ("failed", "cancelled", "failed"),
        ("cancelled", "draft", "cancelled"),
        ("failed", "scheduled", "scheduled"),
        ("publishing", "published", "publishing"),
    ],
)
def test_a_post_sums_up_its_targets(room: Room, first: str, second: str, status: str) -> None:
    """One of each status: `tests/domain/posts/test_transitions.py` has the others."""
    post = _post_with(room, first, second)

    assert [first, second] == [target["status"] for target in post["targets"]]
    assert status == post["status"]
    assert [post["id"]] == room.find({"status": status})
