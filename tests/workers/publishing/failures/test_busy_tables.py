"""DynamoDB is busy at the wrong moment: no claim is lost, and no platform's answer thrown away."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.workers.publishing.worker import BEGIN_AGAIN_AFTER
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE = timedelta(minutes=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _refuse(room: EngineRoom, operation: str, times: int, error: Callable[[], Exception]) -> None:
    """Let the next calls of an operation fail."""
    left = [times]

    def fail(**_: Any) -> None:  # noqa: ANN401 - botocore's own
        if left[0] > 0:
            left[0] -= 1
            raise error()

    room.deployment.clients.dynamodb.meta.events.register(f"before-call.dynamodb.{operation}", fail)


def _code(code: str) -> Callable[[], Exception]:
    answer = {"Error": {"Code": code, "Message": "busy"}}
    return lambda: ClientError(answer, "Anything")  # type: ignore[arg-type]  # the stubs want all


@pytest.mark.parametrize("operation", ["UpdateItem", "PutItem"], ids=["claim", "doubt"])
def test_a_write_that_meets_a_transaction_is_made_again(room: EngineRoom, operation: str) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    due = room.target(post).due_at
    _refuse(room, operation, 2, _code("TransactionConflictException"))

    room.pass_time(MINUTE)

    assert [entry.created_at for entry in room.taken(post)] == [due]
    assert room.target(post).status is TargetStatus.PUBLISHED


def test_a_post_that_cannot_be_read_for_a_moment_after_the_claim_is_read_again(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    (ref,) = room.waking(room.clock() + MINUTE)
    room.clock.pass_time(MINUTE)
    stored = room.deployment.stores.posts.get_any(post.id)
    answers = Mock(side_effect=[_code("ThrottlingException")(), stored])

    with monkeypatch.context() as patched:
        patched.setattr(PostRepository, "get_any", answers)
        room.worker_with(room.clock).run(ref)

    assert room.target(post).status is TargetStatus.PUBLISHED


def _begun_while_accounts_fail(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> Post:
    """Have the worker begin with a target once while its account cannot be read."""
    post = room.scheduled("Bread", in_=MINUTE)
    (ref,) = room.waking(room.clock() + MINUTE)
    room.clock.pass_time(MINUTE)
    with monkeypatch.context() as patched:
        patched.setattr(AccountRepository, "get", Mock(side_effect=error))
        room.worker_with(room.clock).run(ref)
    return post


def test_a_read_that_fails_for_a_moment_before_anything_is_sent_costs_two_seconds(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    throttled = _code("ThrottlingException")()
    post = _begun_while_accounts_fail(room, monkeypatch, throttled)

    room.pass_time(BEGIN_AGAIN_AFTER)

    assert room.target(post).status is TargetStatus.PUBLISHED


def test_what_fails_again_is_left_to_the_lease(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    throttled = _code("ThrottlingException")()
    _begun_while_accounts_fail(room, monkeypatch, throttled)
    (ref,) = room.waking(room.clock() + BEGIN_AGAIN_AFTER)
    room.clock.pass_time(BEGIN_AGAIN_AFTER)
    monkeypatch.setattr(AccountRepository, "get", Mock(side_effect=throttled))

    with pytest.raises(ClientError):
        room.worker_with(room.clock).run(ref)

    assert [] == room.waking(room.clock() + BEGIN_AGAIN_AFTER)


def test_a_failure_that_does_not_pass_is_left_to_the_lease(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="damaged"):
        _begun_while_accounts_fail(room, monkeypatch, ValueError("damaged"))

    assert [] == room.waking(room.clock() + BEGIN_AGAIN_AFTER)


@pytest.mark.parametrize(
    "error",
    [_code("ThrottlingException"), lambda: ReadTimeoutError(endpoint_url="dynamodb")],
    ids=["throttled", "silent"],
)
def test_an_answer_in_hand_is_kept_however_often_the_table_refuses(
    room: EngineRoom, error: Callable[[], Exception]
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    _refuse(room, "TransactWriteItems", 8, error)

    room.pass_time(timedelta(minutes=5))

    target = room.target(post)
    assert target.status is TargetStatus.PUBLISHED
    assert [entry.remote_id for entry in room.taken(post)] == [target.remote_id]
    assert [
        attempt.found for attempt in room.deployment.stores.posts.history(post.id).attempts
    ] == [None]


def test_an_outcome_that_was_kept_without_an_answer_is_kept_once(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    left = [1]

    def lose(**_: Any) -> None:  # noqa: ANN401 - botocore's own
        if left[0] > 0:
            left[0] -= 1
            raise ReadTimeoutError(endpoint_url="dynamodb")

    room.deployment.clients.dynamodb.meta.events.register(
        "after-call.dynamodb.TransactWriteItems", lose
    )
    room.pass_time(timedelta(minutes=5))

    assert room.target(post).status is TargetStatus.PUBLISHED
    assert len(room.deployment.stores.posts.history(post.id).attempts) == 1
