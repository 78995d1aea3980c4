"""The list of posts: filters, pages and the cursors that lead from one to the next."""

import json
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.api.http.cursors import cursor_at
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.query import PostQuery
from tests.api.http.pipelines import POST_ID, a_caller, a_request, problems
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
