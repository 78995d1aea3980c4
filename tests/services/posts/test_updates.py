"""A change of a post is read, decided and kept as one, whoever is faster in between."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from chalicelib.domain.errors import Stale
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.verbs import Facts, Update, queue
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.storage.posts.changes import QueueTimeTakenError
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

TRIES = 20


def _updates(room: EngineRoom, waited: list[float]) -> PostUpdates:
    return replace(room.deployment.posting.updates, wait=waited.append)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _retold(post: Post, caption: str) -> Update:
    return Update(after=replace(post, caption=caption))


def _by_somebody_else(room: EngineRoom, post: Post, caption: str) -> None:
    room.deployment.posting.updates.carry_out(
        room.caller, post.id, lambda now: _retold(now, caption)
    )


def test_a_decision_is_asked_again_about_what_somebody_faster_left(room: EngineRoom) -> None:
    post, seen, waited = room.draft("Bread"), list[str](), list[float]()

    def decide(before: Post) -> Update:
        seen.append(before.caption)
        if len(seen) == 1:
            _by_somebody_else(room, post, "Rye")
        return _retold(before, f"{before.caption} at seven")

    kept = _updates(room, waited).carry_out(room.caller, post, decide)

    assert (seen, len(waited)) == (["Bread", "Rye"], 1)
    assert kept.caption == room.post(post).caption == "Rye at seven"


def test_a_change_gives_up_when_others_are_faster_every_time(room: EngineRoom) -> None:
    post, seen = room.draft("Bread"), list[str]()

    def decide(before: Post) -> Update:
        seen.append(before.caption)
        _by_somebody_else(room, post, f"Rye {len(seen)}")
        return _retold(before, "Never")

    with pytest.raises(StaleWriteError):
        _updates(room, []).carry_out(room.caller, post, decide)

    assert len(seen) == TRIES
    assert room.post(post).caption == f"Rye {TRIES}"


def test_a_queue_time_that_is_taken_leads_to_the_next_decision_about_the_same_post(
    room: EngineRoom,
) -> None:
    post, waited = room.draft("Bread"), list[float]()
    taken, free = (room.clock() + timedelta(days=days) for days in (1, 2))
    facts, updates = Facts(caller=room.caller, now=room.clock()), _updates(room, waited)
    at_taken, at_free = partial(queue, facts=facts, at=taken), partial(queue, facts=facts, at=free)
    updates.carry_out(room.caller, room.draft("Rye"), at_taken)

    kept = updates.carry_out(room.caller, post, at_taken, otherwise=[at_free])

    assert (kept.queued_at, waited) == (free, [])
    with pytest.raises(QueueTimeTakenError):
        updates.carry_out(room.caller, room.draft("Oats"), at_taken)


def test_a_change_for_another_state_of_the_post_is_refused_before_anything_is_decided(
    room: EngineRoom,
) -> None:
    post = room.draft("Bread")
    careful = replace(room.caller, revisions=frozenset({post.revision}))
    _by_somebody_else(room, post, "Rye")

    with pytest.raises(Stale):
        room.deployment.posting.updates.carry_out(
            careful, post.id, lambda before: _retold(before, "No")
        )
