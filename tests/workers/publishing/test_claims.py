"""A target's two claims, due or ahead of it: whoever saw which it is has that one tried first."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.wake_queue import read_wake_message
from tests.api.http.endpoint_cases import a_photo
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _with_a_photo(room: EngineRoom) -> Post:
    """Return a post that is to be prepared at once."""
    services = room.deployment
    media = services.media.library.upload(room.caller, "bread.jpg", a_photo())
    target = NewTarget(account_id=room.account_id())
    draft = NewPost(caption="Bread", media_ids=(media.id,), targets=(target,))
    post, _ = services.posting.drafts.create(room.caller, draft)
    return services.posting.scheduling.schedule(
        room.caller, post.id, at=room.clock() + timedelta(minutes=3)
    )


@contextmanager
def _refusals(room: EngineRoom) -> Iterator[list[str]]:
    """Note each claim that was refused."""
    open_calls: list[str] = []
    events = room.deployment.clients.dynamodb.meta.events

    def begin(model: object, **_: object) -> None:
        if getattr(model, "name", "") == "UpdateItem":
            open_calls.append("UpdateItem")

    def end(model: object, **_: object) -> None:
        if getattr(model, "name", "") == "UpdateItem":
            open_calls.pop()

    events.register("before-call.dynamodb", begin)
    events.register("after-call.dynamodb", end)
    try:
        yield open_calls
    finally:
        events.unregister("before-call.dynamodb", begin)
        events.unregister("after-call.dynamodb", end)


def _sending(room: EngineRoom) -> list[TargetRef]:
    """Return the wake messages that the deployment sends from now on."""
    sent: list[TargetRef] = []

    def note(params: Mapping[str, Any], **_: object) -> None:
        messages = [read_wake_message(one["MessageBody"]) for one in params["Entries"]]
        sent.extend(ref for ref in messages if not ref.kind.is_check)

    events = room.deployment.clients.sqs.meta.events
    events.register("before-parameter-build.sqs.SendMessageBatch", note)
    return sent


def test_what_the_fire_lane_passes_on_to_be_prepared_is_claimed_by_one_write(
    room: EngineRoom,
) -> None:
    [ref] = room.wake_messages(_with_a_photo(room))

    with _refusals(room) as refused:
        room.fire_worker.run(ref)

    assert [] == refused


def test_what_a_write_sends_to_be_prepared_is_claimed_by_one_write(room: EngineRoom) -> None:
    sent = _sending(room)
    post = _with_a_photo(room)
    [ref] = sent

    with _refusals(room) as refused:
        room.worker.run(ref)

    assert [] == refused
    assert room.target(post).progress.checkpoint is not None


@pytest.mark.parametrize("kind", [MessageKind.WAKE, MessageKind.WAKE_AHEAD])
def test_a_target_that_is_due_is_claimed_whatever_its_message_says(
    room: EngineRoom, *, kind: MessageKind
) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)

    room.worker.run(replace(ref, kind=kind))

    assert room.target(post).status is TargetStatus.PUBLISHED


@pytest.mark.parametrize("kind", [MessageKind.WAKE, MessageKind.WAKE_AHEAD])
def test_a_target_that_is_prepared_is_claimed_whatever_its_message_says(
    room: EngineRoom, *, kind: MessageKind
) -> None:
    post = _with_a_photo(room)
    [ref] = room.wake_messages(post)

    room.worker.run(replace(ref, kind=kind))

    target = room.target(post)
    assert (TargetStatus.SCHEDULED, target.due_at) == (target.status, target.progress.wake_at)


@pytest.mark.parametrize("kind", [MessageKind.WAKE, MessageKind.WAKE_AHEAD])
def test_what_is_live_is_claimed_by_nobody(room: EngineRoom, *, kind: MessageKind) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)
    room.fire_worker.run(ref)

    room.worker.run(replace(ref, kind=kind))

    assert 1 == len(room.taken(post))
