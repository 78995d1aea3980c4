"""Where a call made twice comes to one post, a lost one is made again at once, but not often."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    CLOCK_SKEW,
    Absent,
    Checkpoint,
    Done,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.publishing.run import MAY_BEGIN_WITHIN
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class KeyedPlatform(SandboxConnector):
    """Takes a post under the target's own key; the first calls of it never arrive."""

    lost = 1
    calls = 0
    is_idempotent = True

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == "publish":
            type(self).calls += 1
            if self.calls <= self.lost:
                return Unanswered(checkpoint)
        return super().advance(publication, checkpoint)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        found = super().reconcile(publication, checkpoint, sent)
        if isinstance(found, Done):
            return found
        return Absent(by_own_key=True, is_idempotent=self.is_idempotent)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    room = an_engine_room(emulator, tmp_path)
    KeyedPlatform.lost, KeyedPlatform.calls, KeyedPlatform.is_idempotent = 1, 0, True
    keyed = KeyedPlatform(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: keyed}, real={})
    return room


def test_a_call_that_never_arrived_is_made_again_within_three_seconds(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    due = room.target(post).due_at
    assert due is not None

    room.pass_time(MINUTE + timedelta(seconds=3))

    [entry] = room.taken(post)
    assert room.target(post).status == "published"
    assert entry.created_at - due <= timedelta(seconds=3)


def test_where_two_calls_are_two_posts_the_first_one_must_have_ended(room: EngineRoom) -> None:
    KeyedPlatform.is_idempotent = False
    post = room.scheduled("Bread", in_=MINUTE)
    due = room.target(post).due_at
    assert due is not None

    room.pass_time(10 * MINUTE)

    [entry] = room.taken(post)
    assert entry.created_at - due >= MAY_BEGIN_WITHIN + CLOCK_SKEW + CALL_DEADLINE


@pytest.mark.costly
def test_a_server_that_answers_nothing_is_not_asked_without_end(room: EngineRoom) -> None:
    KeyedPlatform.lost = 10_000
    post = room.scheduled("Bread", in_=MINUTE)

    room.pass_time(2 * HOUR)

    assert KeyedPlatform.calls < 150
    assert (room.target(post).error_code, len(room.taken(post))) == ("platform_unavailable", 0)


def test_a_post_that_was_deleted_meanwhile_is_not_sent_again(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.clock.pass_time(MINUTE)
    room.run_due()
    assert room.target(post).is_in_doubt

    room.deployment.posting.drafts.delete(room.caller, post.id)
    room.pass_time(HOUR)

    assert (KeyedPlatform.calls, room.taken(post)) == (1, [])
