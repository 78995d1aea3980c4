"""A post on the platform belongs to one target: to whose answer named it, before whose look did."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.kit.limits.thread_places import Rest
from chalicelib.storage.engine.wake_queue import ARM_AHEAD
from chalicelib.workers.publishing.arming import Arrival
from chalicelib.workers.publishing.run import Run
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class ListingPlatform(SandboxConnector):
    """Knows posts by their text alone, as most platforms do; some answers are lost."""

    room: EngineRoom
    lost: set[str]
    one_id_for_all: str | None = None

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == "publish" and publication.target_id in self.lost:
            return Unanswered(checkpoint)
        if checkpoint.step == "publish" and self.one_id_for_all is not None:
            return Done(remote_id=self.one_id_for_all, url=None)
        return super().advance(publication, checkpoint)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        del publication
        for entry in self.room.sandbox.newest():
            if entry.caption == sent.text:
                return Done(remote_id=entry.remote_id, url=None)
        return Wait(checkpoint, MINUTE)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    room = an_engine_room(emulator, tmp_path)
    listing = ListingPlatform(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1", wait=room.sleep)
    ListingPlatform.room, ListingPlatform.lost = room, set()
    ListingPlatform.one_id_for_all = None
    sandbox = {Platform.LINKEDIN: listing}
    room.deployment.connectors = Connectors(sandbox=sandbox, real={})
    return room


def _sent_but_not_kept(room: EngineRoom, post: Post) -> Rest:
    """Make a post's call; return what keeps its outcome."""
    [ref] = room.wake_messages(post)
    switch = room.deployment.stores.engine_switch.read()
    one = Arrival(ref)
    armed = room.fire_worker.arming.arm(one, switch)
    assert isinstance(armed, Run)
    room.clock.now = armed.publication.due_at
    keep = room.fire_worker.fire(one, armed, switch)
    assert keep is not None
    return keep


def test_an_answer_takes_its_post_over_from_a_twin_that_a_look_gave_it(room: EngineRoom) -> None:
    twin, post = (room.scheduled("Fresh bread", in_=MINUTE) for _ in range(2))
    ListingPlatform.lost.add(twin.targets[0].id)
    room.clock.pass_time(MINUTE - ARM_AHEAD)
    keep = _sent_but_not_kept(room, post)
    [mine] = room.taken(post)
    for ref in room.wake_messages(twin):
        room.fire_worker.run(ref)
    room.clock.pass_time(timedelta(seconds=2))
    for ref in room.wake_messages(twin):
        room.worker.run(ref)
    assert (room.target(twin).status, room.target(twin).remote_id) == ("published", mine.remote_id)

    keep()

    assert (room.target(post).status, room.target(post).remote_id) == ("published", mine.remote_id)
    assert (room.target(twin).status, room.target(twin).remote_id) == ("publishing", None)
    assert room.target(twin).is_in_doubt
    assert room.post(twin).status == "publishing"
    room.pass_time(2 * HOUR)
    assert (room.target(twin).status, room.target(twin).error_code) == (
        "failed",
        "outcome_unknown",
    )
    assert room.target(post).status == "published"
    assert len(room.sandbox.newest()) == 1


@pytest.mark.costly
def test_two_targets_never_adopt_one_post(room: EngineRoom) -> None:
    sent = room.scheduled("Fresh bread", in_=MINUTE)
    room.pass_time(MINUTE)
    twins = [room.scheduled("Fresh bread", in_=MINUTE) for _ in range(2)]
    ListingPlatform.lost |= {twin.targets[0].id for twin in twins}

    room.pass_time(3 * HOUR)

    assert room.target(sent).status == "published"
    assert [room.target(twin).error_code for twin in twins] == ["outcome_unknown"] * 2


def test_two_late_posts_of_one_text_both_go_out(room: EngineRoom) -> None:
    """The second finds the first, which went out late, and leaves it to its target."""
    posts = [room.scheduled("Fresh bread", in_=hours * HOUR) for hours in (1, 2)]
    room.clock.pass_time(5 * HOUR)

    room.pass_time(HOUR)

    assert [room.target(post).status for post in posts] == ["published", "published"]
    assert len(room.sandbox.newest()) == 2


def test_of_two_lost_answers_one_finds_the_post_and_the_other_does_not(room: EngineRoom) -> None:
    twins = [room.scheduled("Fresh bread", in_=MINUTE) for _ in range(2)]
    room.clock.pass_time(MINUTE - ARM_AHEAD)
    _sent_but_not_kept(room, twins[0])
    ListingPlatform.lost.add(twins[1].targets[0].id)

    room.pass_time(3 * HOUR)

    ids = [room.target(twin).remote_id for twin in twins]
    assert sorted(ids, key=str) == sorted([None, room.sandbox.newest()[0].remote_id], key=str)


def test_of_two_answers_that_name_one_post_the_second_is_in_doubt(room: EngineRoom) -> None:
    ListingPlatform.one_id_for_all = "7001"
    twins = [room.scheduled("Fresh bread", in_=MINUTE) for _ in range(2)]

    room.pass_time(2 * HOUR)

    ended = [(room.target(twin).status, room.target(twin).error_code) for twin in twins]
    assert sorted(ended, key=str) == [("failed", "outcome_unknown"), ("published", None)]
