"""Errors, pages and posts: what becomes of an answer."""

import pytest
from answering import Answering
from scripted import POST, PUBLISHING, refusal

from goldenhour import (
    ApiError,
    Client,
    Conflict,
    NotFound,
    ServiceFailed,
    UnexpectedAnswer,
    WaitedTooLong,
)
from goldenhour.error_codes import NothingToSchedule, Stale, WrongRequest


def test_errors_are_classes_by_code_with_field_and_request(
    scripted: Client, answering: Answering
) -> None:
    answering.will(409, refusal("nothing_to_schedule", field="targets[0]"), X_Request_Id="r-1")

    with pytest.raises(NothingToSchedule) as refused:
        scripted.posts.schedule("1" * 32)

    assert isinstance(refused.value, Conflict)
    assert ("targets[0]", "r-1", 409) == (
        refused.value.field,
        refused.value.request_id,
        refused.value.status,
    )
    assert "No. (nothing_to_schedule, field targets[0], request r-1)" == str(refused.value)


def test_a_wrong_body_is_told_with_each_of_its_problems(
    scripted: Client, answering: Answering
) -> None:
    problem = {
        "loc": ["body", "targets", 0, "at"],
        "msg": "Unknown field",
        "type": "extra_forbidden",
    }
    answering.will(422, {"detail": [problem]})

    with pytest.raises(WrongRequest) as refused:
        scripted.posts.get("1" * 32)

    assert ("body", "targets", 0, "at") == refused.value.problems[0].loc
    assert "body.targets.0.at: Unknown field" in str(refused.value)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (404, refusal("playlist_not_found"), NotFound),
        (412, refusal("stale"), Stale),
        (418, None, ApiError),
        (500, "<html>", ServiceFailed),
        (409, {"error": "odd"}, Conflict),
    ],
)
def test_codes_and_bodies_that_are_not_known_yet_keep_their_status(
    status: int, body: object, kind: type[ApiError], scripted: Client, answering: Answering
) -> None:
    answering.will(status, body)

    with pytest.raises(kind) as refused:
        scripted.posts.cancel("1" * 32)

    assert status == refused.value.status


def test_pages_are_followed_by_their_query_and_never_to_another_address(
    scripted: Client, answering: Answering
) -> None:
    answering.will(200, {"data": [POST]}, Link='<https://evil.example/x?cursor=c2>; rel="next"')
    answering.will(200, {"data": []}, Link='</v1/posts?cursor=c3&limit=1>; rel="next"')
    answering.will(200, {"data": [POST]})

    found = list(scripted.posts.list(q="bread", page_size=1))

    assert 2 == len(found)
    assert ["/v1/posts"] * 3 == [each.path for each in answering.received]
    assert [None, ["c2"], ["c3"]] == [each.query.get("cursor") for each in answering.received]


def test_a_redirect_never_takes_the_key_along(scripted: Client, answering: Answering) -> None:
    answering.will(302, None, Location=f"{answering.base_url}/elsewhere")

    with pytest.raises(UnexpectedAnswer):
        scripted.posts.get("1" * 32)

    assert 1 == len(answering.received)


def test_fields_that_a_newer_service_adds_are_skipped(
    scripted: Client, answering: Answering
) -> None:
    answering.will(200, {**POST, "mood": "sunny"}, ETag='"7"')

    assert '"7"' == scripted.posts.get("1" * 32).etag


def test_an_answer_that_is_not_this_api_is_told_with_the_field(
    scripted: Client, answering: Answering
) -> None:
    answering.will(200, {**POST, "targets": "none"})

    with pytest.raises(UnexpectedAnswer, match="targets"):
        scripted.posts.get("1" * 32)


def test_waiting_pauses_longer_and_longer_and_ends(
    answering: Answering, slept: list[float]
) -> None:
    publishing = {**POST, "status": "publishing", "targets": [PUBLISHING]}
    for _ in range(4):
        answering.will(200, publishing)
    done = {**PUBLISHING, "status": "published"}
    answering.will(200, {**POST, "status": "published", "targets": [done]})
    client = Client(answering.base_url, "k", sleep=slept.append)

    last = client.posts.get("1" * 32).wait()

    assert "published" == last.status
    assert slept == sorted(slept)
    assert 1 <= slept[0] < slept[-1] <= 18


def test_waiting_gives_up_and_says_where_the_post_is(
    answering: Answering, slept: list[float]
) -> None:
    answering.will(200, {**POST, "status": "publishing", "targets": [PUBLISHING]})
    client = Client(answering.base_url, "k", sleep=slept.append)

    with pytest.raises(WaitedTooLong, match=r"is still publishing after 0\.5 s"):
        client.posts.wait("1" * 32, timeout_s=0.5)

    assert [] == slept
