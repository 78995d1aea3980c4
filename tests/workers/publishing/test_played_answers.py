"""A test account that is answered as asked: what becomes of target, account and tries."""

import itertools
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors, real_connectors
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.history import Attempt
from chalicelib.domain.posts.post import Post
from chalicelib.domain.workspace.accounts import Health
from tests.support.asked_answers import answered
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

HOURS = timedelta(hours=8)
MOST = timedelta(minutes=50)
"""Of the hour for tries. What comes of every single look in it, two tests show."""


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    """Return an engine room whose test accounts play by their platforms' own connectors."""
    room = an_engine_room(emulator, tmp_path)
    real = real_connectors({}, system_clock)
    sandbox = {
        platform: SandboxConnector(
            platform, room.sandbox, "http://h", rules=real[platform], wait=room.sleep
        )
        for platform in Platform
    }
    room.deployment.connectors = Connectors(sandbox=sandbox, real={})
    return room


# learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling: the bodies' form.
@pytest.mark.parametrize(
    ("status", "said", "code", "health"),
    [
        (401, {"code": "EXPIRED_ACCESS_TOKEN", "status": 401}, "auth_expired", Health.BROKEN),
        (403, {"code": "ACCESS_DENIED", "status": 403}, "permission_missing", Health.OK),
        # A doubt: the look finds nothing, so that it is sent again until the service gives up.
        (500, b"<html>oops</html>", "platform_unavailable", Health.OK),
    ],
)
def test_an_answer_is_read_as_the_live_platforms_would_be(
    room: EngineRoom, status: int, said: object, code: str, health: Health
) -> None:
    post = room.scheduled(answered(status, said))

    room.pass_time(HOURS)

    target = room.target(post)
    account_id = room.account_id(Platform.LINKEDIN)
    account = room.deployment.stores.account_repository.get(room.caller.workspace_id, account_id)
    assert (target.status, target.error_code) == ("failed", code)
    assert room.taken(post) == []
    assert account is not None
    assert account.health is health


def last_after_one(
    room: EngineRoom, post: Post, attempt: Attempt, *, unlooked: timedelta = timedelta(0)
) -> Attempt:
    """Let the time for tries pass; nothing more was told until the last one, which is returned.

    There are five hundred looks in an hour, and none in the part of it that is `unlooked`.
    """
    room.clock.pass_time(unlooked)
    room.pass_time(timedelta(minutes=70) - unlooked)

    told, last = room.deployment.stores.posts.history(post.id).attempts
    assert told == attempt
    assert (last.error_code, last.next_try_at) == ("platform_unavailable", None)
    assert room.target(post).status == "failed"
    assert room.taken(post) == []
    return last


@pytest.mark.parametrize("status", [200, 403, 503])
def test_a_page_in_the_place_of_an_answer_is_told_while_the_service_goes_on(
    room: EngineRoom, status: int
) -> None:
    """A proxy on the way, a network's sign-in: nobody has refused anything."""
    page = b"<!DOCTYPE html><title>Sign in</title>" + b"x" * 99_000
    post = room.scheduled(answered(status, page), in_=timedelta(minutes=1))

    room.pass_time(timedelta(minutes=2))

    [attempt] = room.deployment.stores.posts.history(post.id).attempts
    due = room.target(post).due_at
    assert room.target(post).status == "publishing"
    assert due is not None
    assert (attempt.ok, attempt.error_code) == (False, "platform_unavailable")
    assert attempt.answer is not None
    assert (attempt.answer.status, attempt.answer.is_page) == (status, True)
    assert attempt.tries_until == due + timedelta(hours=1)
    assert "That is no refusal of the post." in str(attempt.error_message)
    assert "It goes on by itself until" in str(attempt.error_message)

    last = last_after_one(room, post, attempt, unlooked=MOST)
    assert "page" in str(last.error_message)


@pytest.mark.costly
def test_an_answer_that_proves_nothing_is_told_once_a_look_shows_no_post(room: EngineRoom) -> None:
    """A post was `publishing` for an hour, and its history empty, while LinkedIn was down."""
    down = {"message": "Upstream is down.", "code": "SERVICE_UNAVAILABLE", "status": 503}
    post = room.scheduled(answered(503, down), in_=timedelta(minutes=1))
    due = room.target(post).due_at
    assert due is not None

    room.pass_time(timedelta(minutes=4))

    [attempt] = room.deployment.stores.posts.history(post.id).attempts
    assert room.target(post).status == "publishing"
    assert (attempt.ok, attempt.error_code) == (False, "platform_unavailable")
    assert attempt.answer is not None
    assert (attempt.answer.status, attempt.answer.code) == (503, "SERVICE_UNAVAILABLE")
    assert attempt.tries_until == due + timedelta(hours=1)
    assert "the post is not there" in str(attempt.error_message)
    assert "It goes on until" in str(attempt.error_message)

    last_after_one(room, post, attempt)


def test_an_answer_of_another_kind_is_told_with_what_came(room: EngineRoom) -> None:
    """A sign-in of a network answers 200 too, with JSON of its own."""
    portal = {"login": "required", "message": "Sign in to the network first."}
    post = room.scheduled(answered(200, portal), in_=timedelta(minutes=1))

    room.pass_time(timedelta(minutes=4))

    [attempt] = room.deployment.stores.posts.history(post.id).attempts
    assert attempt.answer is not None
    assert (attempt.answer.status, attempt.answer.sentence) == (200, portal["message"])
    assert "the post is not there" in str(attempt.error_message)
    assert "It goes on until" in str(attempt.error_message)
    last_after_one(room, post, attempt, unlooked=MOST)


def test_a_post_that_is_deleted_while_pages_answer_is_still_looked_for(room: EngineRoom) -> None:
    post = room.scheduled(answered(403, b"<html>Blocked</html>"), in_=timedelta(minutes=1))
    room.pass_time(timedelta(minutes=2))

    room.deployment.posting.drafts.delete(room.caller, post.id)
    room.pass_time(timedelta(minutes=70))

    assert room.taken(post) == []
    assert room.target(post).status == "failed"


def test_the_platforms_words_are_in_the_message(room: EngineRoom) -> None:
    said: Mapping[str, object] = {
        "message": "This member must verify the account first.",
        "code": "ACCESS_DENIED",
        "status": 403,
    }
    post = room.scheduled(answered(403, said))

    room.pass_time(HOURS)

    target = room.target(post)
    assert target.status == "failed"
    assert "This member must verify the account first." in str(target.error_message)
    assert room.taken(post) == []


def test_a_plain_no_that_no_list_has_is_told_in_the_platforms_words(room: EngineRoom) -> None:
    """It stands in LinkedIn's own form, after which no post is known to have appeared."""
    post = room.scheduled(answered(418, {"message": "No posts on a teapot.", "status": 418}))

    room.pass_time(HOURS)

    target = room.target(post)
    [last] = room.deployment.stores.posts.history(post.id).attempts
    assert (target.status, target.error_code) == ("failed", "unknown")
    assert str(target.error_message).endswith("LinkedIn said: No posts on a teapot.")
    assert "later" not in str(target.error_message)
    assert last.answer is not None
    assert last.answer.status == 418
    assert room.taken(post) == []


def test_a_retry_after_is_waited_for_and_each_try_is_answered_the_same(room: EngineRoom) -> None:
    post = room.scheduled(answered(429, {"status": 429}, "600"), in_=timedelta(minutes=1))
    due = room.target(post).due_at
    assert due is not None

    room.pass_time(HOURS)

    target = room.target(post)
    begun = [attempt.at for attempt in room.deployment.stores.posts.history(post.id).attempts]
    assert (target.status, target.error_code) == ("failed", "rate_limited")
    assert len(begun) >= 3
    assert all(b - a >= timedelta(seconds=600) for a, b in itertools.pairwise(begun))
    assert room.taken(post) == []
