"""A claim at the second: one write, on exactly what was read, and never on what has grown old."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from botocore.exceptions import ReadTimeoutError

from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _read(room: EngineRoom) -> tuple[TargetRef, Target]:
    post = room.scheduled("Bread")
    target = post.targets[0]
    return TargetRef(post.id, target.id, post.workspace_id, room.clock()), target


def _targets(room: EngineRoom) -> TargetRepository:
    return TargetRepository(
        room.deployment.clients.dynamodb, room.deployment.tables, wait=room.sleep
    )


@contextmanager
def _losing(room: EngineRoom, when: str, times: int) -> Iterator[list[str]]:
    """Let the first writes end without an answer, before or after they were carried out."""
    events, calls = room.deployment.clients.dynamodb.meta.events, list[str]()

    def lose(model: object, **_: object) -> None:
        calls.append(str(getattr(model, "name", "")))
        if len(calls) <= times:
            raise ReadTimeoutError(endpoint_url="the tables")

    events.register(f"{when}.dynamodb.UpdateItem", lose)
    yield calls
    events.unregister(f"{when}.dynamodb.UpdateItem", lose)


def test_a_claim_is_one_write(room: EngineRoom) -> None:
    ref, target = _read(room)

    with _losing(room, "before-call", 0) as calls:
        fired = _targets(room).fire(ref, target, lambda: True)

    assert calls == ["UpdateItem"]
    assert fired is not None
    assert room.deployment.stores.targets.get(ref) == fired


def test_what_was_changed_since_is_not_claimed(room: EngineRoom) -> None:
    ref, target = _read(room)
    room.deployment.posting.drafts.edit(room.caller, ref.post_id, PostChanges(caption="New"))

    assert _targets(room).fire(ref, target, lambda: True) is None


@pytest.mark.parametrize("when", ["before-call", "after-call"])
def test_a_claim_without_an_answer_is_made_once(room: EngineRoom, when: str) -> None:
    ref, target = _read(room)

    with _losing(room, when, 2):
        fired = _targets(room).fire(ref, target, lambda: True)

    found = room.deployment.stores.targets.get(ref)
    assert fired is not None
    assert found is not None
    assert found.version == target.version + 1


def test_its_age_is_looked_at_before_every_try(room: EngineRoom) -> None:
    ref, target = _read(room)
    ages = iter([True, True, False])

    with _losing(room, "before-call", 5) as calls:
        fired = _targets(room).fire(ref, target, lambda: next(ages))

    assert (fired, len(calls)) == (None, 2)
    assert room.deployment.stores.targets.get(ref) == target
