"""A post that was deleted while a try was under way is never tried again."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import LEASE, Lease
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _deleted_while_it_hangs(room: EngineRoom, caption: str) -> Post:
    """Schedule a post whose visible call takes a while; delete it while that is under way."""
    post = room.scheduled(f"{caption} sandbox:hang:7", in_=MINUTE)
    sleep = room.sleep
    deleted: list[Post] = []

    def delete_meanwhile(seconds: float) -> None:
        if seconds == 7 and not deleted:
            deleted.append(post)
            room.deployment.posting.drafts.delete(room.caller, post.id)
        sleep(seconds)

    for connector in room.deployment.connectors.sandbox.values():
        connector._wait = delete_meanwhile  # type: ignore[attr-defined]
    room.pass_time(2 * MINUTE)
    assert deleted
    return post


@pytest.mark.parametrize("word", ["refuse:1:10800", "refuse:1:5", "refuse:3:30"])
def test_a_try_that_is_refused_is_the_last_one(room: EngineRoom, word: str) -> None:
    post = _deleted_while_it_hangs(room, f"Bread sandbox:{word}")
    assert room.target(post).status == "failed"
    assert room.target(post).error_code == "rate_limited"

    room.pass_time(12 * HOUR)

    assert room.taken(post) == []
    assert (room.target(post).status, room.target(post).progress.wake_at) == ("failed", None)


def test_what_a_look_proves_absent_is_not_sent_again(room: EngineRoom) -> None:
    post = room.scheduled("Bread sandbox:lost", in_=MINUTE)
    room.pass_time(MINUTE + timedelta(seconds=2))
    assert room.target(post).is_in_doubt

    room.deployment.posting.drafts.delete(room.caller, post.id)
    room.pass_time(HOUR)

    assert room.taken(post) == []
    assert room.target(post).status == "failed"


def test_a_try_that_the_platform_takes_stays_published(room: EngineRoom) -> None:
    post = _deleted_while_it_hangs(room, "Bread")

    room.pass_time(HOUR)

    assert (len(room.taken(post)), room.target(post).status) == (1, "published")


@pytest.mark.parametrize("delete", [True, False], ids=["deleted", "kept"])
def test_a_refused_visible_call_is_made_again_only_while_the_post_is_there(
    room: EngineRoom, *, delete: bool
) -> None:
    make: Callable[[], Post] = (
        (lambda: _deleted_while_it_hangs(room, "Bread sandbox:refuse:2:30"))
        if delete
        else (lambda: room.scheduled("Bread sandbox:refuse:2:30", in_=MINUTE))
    )
    post = make()

    room.pass_time(HOUR)

    assert len(room.taken(post)) == (0 if delete else 1)


def test_what_a_dead_worker_had_not_sent_is_not_sent_by_another(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.clock.pass_time(MINUTE)
    [ref] = room.wake_messages(post)
    lease = Lease(token="dead", until=room.clock() + LEASE)
    room.deployment.stores.targets.claim(ref, lease, now=room.clock())

    room.deployment.posting.drafts.delete(room.caller, post.id)
    room.pass_time(HOUR)

    assert (room.taken(post), room.target(post).status) == ([], "failed")
