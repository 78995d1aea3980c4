"""A deleted post keeps no words: every table is searched for them, whatever happened before."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from botocore.exceptions import ReadTimeoutError

from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.post import Post
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.engines import costly_elsewhere
from tests.support.kept_texts import rows_with
from tests.workers.publishing.failures.faults import FaultPlan, KilledError, Strike

pytestmark = costly_elsewhere

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
CAPTION = "Poppyseed plait at dawn"
OVERRIDE = "Poppyseed for the trade"
WRITER, KEY, REQUEST = "Wilhelmina Ashdown", "Till behind the counter", "order-of-wilhelmina"
WORDS = ("poppyseed", "wilhelmina", "till behind")


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    made = an_engine_room(emulator, tmp_path)
    made.caller = replace(made.caller, member_name=WRITER, key_name=KEY)
    return made


def _drafted(room: EngineRoom, word: str = "") -> Post:
    """Write a post with a text of its own for its one target."""
    post = room.draft(f"{CAPTION} {word}", key=REQUEST)
    own = TargetChange(id=post.targets[0].id, caption_override=f"{OVERRIDE} {word}")
    return room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(targets=(own,)))


def _scheduled(room: EngineRoom, word: str = "") -> Post:
    at = room.clock() + MINUTE
    return room.deployment.posting.scheduling.schedule(room.caller, _drafted(room, word).id, at=at)


def _sent(room: EngineRoom, word: str = "") -> Post:
    post = _scheduled(room, word)
    room.pass_time(HOUR)
    return post


def _cancelled(room: EngineRoom) -> Post:
    post = _scheduled(room)
    return room.deployment.posting.scheduling.cancel(room.caller, post.id)


MAKE: dict[str, Callable[[EngineRoom], Post]] = {
    "draft": _drafted,
    "scheduled": _scheduled,
    "cancelled": _cancelled,
    "published": _sent,
    "found by a look": lambda room: _sent(room, "sandbox:ambiguous"),
    "failed": lambda room: _sent(room, "sandbox:fail:caption_rejected"),
    "in doubt for good": lambda room: _sent(room, "sandbox:untellable"),
}


def _delete(room: EngineRoom, post: Post) -> None:
    room.deployment.posting.drafts.delete(room.caller, post.id)


@pytest.mark.parametrize("kind", MAKE)
def test_no_table_has_a_word_of_a_deleted_post(room: EngineRoom, kind: str) -> None:
    post = MAKE[kind](room)
    handle = post.targets[0].handle
    assert rows_with(room.deployment, CAPTION, WRITER)

    _delete(room, post)

    assert rows_with(room.deployment, *WORDS) == []
    assert all(pk.startswith("WORKSPACE#") for pk, _ in rows_with(room.deployment, handle))


@pytest.mark.parametrize("kind", MAKE)
def test_what_never_twice_needs_stays(room: EngineRoom, kind: str) -> None:
    post = MAKE[kind](room)
    before = room.post(post)

    _delete(room, post)

    after = room.post(post)
    for was, left in zip(before.targets, after.targets, strict=True):
        assert (left.id, left.account_id, left.remote_id) == (was.id, was.account_id, was.remote_id)
        assert (left.published_at, left.error_code) == (was.published_at, was.error_code)
        assert left.is_in_doubt == was.is_in_doubt
    history = room.deployment.stores.posts.history(post.id)
    assert {Action.CREATED, Action.DELETED} <= {event.action for event in history.events}
    assert {event.by for event in history.events} <= {"a member", "system"}


@pytest.mark.parametrize(
    ("word", "ends"),
    [
        ("hang:7", "published"),
        ("refuse:1:5", "failed"),
        ("lost", "failed"),
        ("slow:90", "published"),
    ],
)
def test_what_is_under_way_keeps_its_words_until_it_ends(
    room: EngineRoom, word: str, ends: str
) -> None:
    post, deleted = _scheduled(room, f"sandbox:{word}"), list[Post]()

    def delete_meanwhile(seconds: float) -> None:
        room.clock.pass_time(timedelta(seconds=seconds))
        if not deleted and room.target(post).status == "publishing":
            deleted.append(post)
            _delete(room, post)
            assert rows_with(room.deployment, OVERRIDE)

    for connector in room.deployment.connectors.sandbox.values():
        connector._wait = delete_meanwhile  # type: ignore[attr-defined]
    room.pass_time(MINUTE + timedelta(seconds=2))
    delete_meanwhile(0)
    room.pass_time(2 * HOUR)

    assert (len(deleted), room.target(post).status) == (1, ends)
    assert rows_with(room.deployment, *WORDS) == []


def test_a_post_with_a_long_history_loses_all_of_it(room: EngineRoom) -> None:
    post = _drafted(room)
    for number in range(120):
        changes = PostChanges(caption=f"{CAPTION} {number}")
        room.deployment.posting.drafts.edit(room.caller, post.id, changes)

    _delete(room, post)

    assert len(room.deployment.stores.posts.history(post.id).events) == 123
    assert rows_with(room.deployment, *WORDS) == []


@pytest.mark.parametrize("strike", [Strike.KILL_BEFORE, Strike.KILL_AFTER, Strike.DROP_ANSWER])
@pytest.mark.parametrize("kind", ["scheduled", "found by a look"])
def test_a_deletion_that_breaks_off_anywhere_ends_by_itself(
    emulator: EmulatorProcess, tmp_path: Path, kind: str, strike: Strike
) -> None:
    room = an_engine_room(emulator, tmp_path)
    plan, struck = FaultPlan(), 0
    plan.watch(room.deployment.clients.dynamodb, "dynamodb")
    while True:
        post = MAKE[kind](room)
        plan.arm(strike, struck)
        with suppress(KilledError, ReadTimeoutError):
            _delete(room, post)
        plan.disarm()

        with suppress(PostNotFound):  # what was answered by nobody is asked again
            _delete(room, post)
        room.deployment.posting.erasures.run()

        assert rows_with(room.deployment, *WORDS) == [], plan.calls
        assert post.id not in set(room.deployment.posting.erasures.deleted.list_unfinished())
        if len(plan.calls) <= struck:
            break
        struck += 1
    assert struck > 4
