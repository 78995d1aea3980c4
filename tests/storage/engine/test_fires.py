"""Claims at the second: alone at once, together in a burst, and each as if it were alone."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from botocore.exceptions import ReadTimeoutError

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import PostChanges
from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.fires import Fires
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

PLATFORMS = (Platform.LINKEDIN, Platform.FACEBOOK, Platform.THREADS, Platform.BLUESKY)
POSTS = 4
ALL = POSTS * len(PLATFORMS)
FIRST = 2
"""As many go alone: they come while no write is under way."""

WRITES = ("PutItem", "TransactWriteItems")

Fire = tuple[TargetRef, Target]


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path, platforms=PLATFORMS)


def _read(room: EngineRoom) -> list[Fire]:
    posts = [room.scheduled(f"Bread {number}", platforms=PLATFORMS) for number in range(POSTS)]
    return [
        (TargetRef(post.id, target.id, post.workspace_id, room.clock()), target)
        for post in posts
        for target in post.targets
    ]


def _now(room: EngineRoom, fires: list[Fire]) -> list[int]:
    """Return the version of each target as it is now."""
    found = [room.deployment.targets.get(ref) for ref, _ in fires]
    return [target.version for target in found if target is not None]


@contextmanager
def _noted(room: EngineRoom) -> Iterator[list[str]]:
    calls: list[str] = []

    def note(model: object, **_: object) -> None:
        calls.append(str(getattr(model, "name", "")))

    events = room.deployment.dynamodb.meta.events
    events.register_last("before-call", note)
    yield calls
    events.unregister("before-call", note)


def _fire_together(
    room: EngineRoom, read: list[Fire], before_the_rest: Callable[[], None] = lambda: None
) -> list[Target | None]:
    """Fire from as many threads; the first writes end once all the others wait in line."""
    fires = Fires(room.deployment.dynamodb, room.deployment.tables)
    line, all_wait = fires._shared._line, threading.Event()

    def hold(**_: object) -> None:
        all_wait.wait()

    room.deployment.dynamodb.meta.events.register_first("before-call.dynamodb.PutItem", hold)
    with ThreadPoolExecutor(len(read)) as threads:
        begun = [threads.submit(fires.fire, ref, target) for ref, target in read]
        while len(line) < len(read) - FIRST:
            threading.Event().wait(0.001)
        before_the_rest()
        room.deployment.dynamodb.meta.events.unregister("before-call.dynamodb.PutItem", hold)
        all_wait.set()
        return [each.result() for each in begun]


def test_who_comes_alone_writes_one_row_at_once(room: EngineRoom) -> None:
    [(ref, target), *_] = _read(room)
    fires = Fires(room.deployment.dynamodb, room.deployment.tables)

    with _noted(room) as calls:
        fired = fires.fire(ref, target)

    assert calls == ["PutItem"]
    assert fired is not None
    assert room.deployment.targets.get(ref) == fired


def test_those_of_a_burst_share_a_write(room: EngineRoom) -> None:
    read = _read(room)

    with _noted(room) as calls:
        fired = _fire_together(room, read)

    assert "TransactWriteItems" in calls
    assert len([name for name in calls if name in WRITES]) <= 2 * FIRST
    assert [target.version + 1 for _, target in read] == _now(room, read)
    assert [room.deployment.targets.get(ref) for ref, _ in read] == fired


def test_one_that_was_changed_stops_none_that_shared_its_write(room: EngineRoom) -> None:
    read = _read(room)
    edited = read[-1][0].post_id

    fired = _fire_together(
        room,
        read,
        lambda: _retell(room, edited),
    )

    assert [ref.post_id for (ref, _), one in zip(read, fired, strict=True) if one is None] == (
        [edited] * len(PLATFORMS)
    )


def _retell(room: EngineRoom, post_id: str) -> None:
    room.deployment.services.drafts.edit(room.caller, post_id, PostChanges(caption="New bread"))


@pytest.mark.parametrize("when", ["before-call", "after-call"])
def test_a_shared_write_without_an_answer_is_made_once_for_each(
    room: EngineRoom, when: str
) -> None:
    read = _read(room)
    events = room.deployment.dynamodb.meta.events
    name = f"{when}.dynamodb.TransactWriteItems"

    def lose(**_: object) -> None:
        raise ReadTimeoutError(endpoint_url="the tables")

    fired = _fire_together(room, read, lambda: events.register(name, lose))
    events.unregister(name, lose)

    assert None not in fired
    assert [target.version + 1 for _, target in read] == _now(room, read)
