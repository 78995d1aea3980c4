"""A worker's write changes what it read, under its own lease, and nothing else."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.outcome import Checkpoint, Failed
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.workers.publishing.leases import ClaimedTarget
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

SOON = timedelta(minutes=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _claimed(room: EngineRoom) -> tuple[TargetRef, Lease, Target]:
    post = room.scheduled("Bread", in_=SOON)
    room.clock.pass_time(SOON)
    [ref] = room.wake_messages(post)
    lease = Lease(token="mine", until=room.clock() + LEASE)
    target = room.deployment.stores.targets.claim(ref, lease, now=room.clock())
    assert isinstance(target, Target)
    return ref, lease, target


def test_an_earlier_write_that_arrives_late_changes_nothing(room: EngineRoom) -> None:
    ref, lease, target = _claimed(room)
    targets, now = room.deployment.stores.targets, room.clock()
    saved = targets.save(ref, target.reach(Checkpoint("upload"), now=now), lease.token)
    newer = targets.save(ref, saved.reach(Checkpoint("publish"), now=now), lease.token)

    with pytest.raises(LeaseLostError):
        targets.save(ref, target.reach(Checkpoint("start"), now=now), lease.token)

    assert targets.get(ref) == newer


def test_a_write_whose_answer_was_lost_is_known_again(room: EngineRoom) -> None:
    ref, lease, target = _claimed(room)
    reached = target.reach(Checkpoint("upload"), now=room.clock())
    saved = room.deployment.stores.targets.save(ref, reached, lease.token)

    assert room.deployment.stores.targets.save(ref, reached, lease.token) == saved


def test_nobody_takes_a_target_whose_lease_has_not_ended(room: EngineRoom) -> None:
    ref, _, _ = _claimed(room)
    room.clock.pass_time(LEASE + timedelta(seconds=4))
    other = Lease(token="other", until=room.clock() + LEASE)
    due = replace(ref, wake_at=room.clock())

    early = room.deployment.stores.targets.claim(due, other, now=room.clock())
    room.clock.pass_time(timedelta(seconds=1))
    late = room.deployment.stores.targets.claim(due, other, now=room.clock())

    assert not isinstance(early, Target)
    assert isinstance(late, Target)


def test_an_outcome_is_refused_once_somebody_else_has_the_target(room: EngineRoom) -> None:
    ref, lease, target = _claimed(room)
    post = room.deployment.stores.posts.get_any(ref.post_id)
    mine = ClaimedTarget(ref, lease, target, post, room.deployment.stores.targets, room.clock)
    room.clock.pass_time(LEASE + timedelta(seconds=5))
    other = Lease(token="other", until=room.clock() + LEASE)
    theirs = room.deployment.stores.targets.claim(
        replace(ref, wake_at=room.clock()), other, now=room.clock()
    )

    with pytest.raises(LeaseLostError):
        room.worker.preflight.keeper.attempts.keep_failed(
            mine, Failed(code="unknown", message="no")
        )

    assert room.deployment.stores.targets.get(ref) == theirs


def test_a_renewal_under_another_token_is_refused(room: EngineRoom) -> None:
    ref, lease, _ = _claimed(room)
    other = Lease(token="other", until=lease.until + SOON)

    with pytest.raises(LeaseLostError):
        room.deployment.stores.targets.renew(ref, other)


def test_nobody_takes_a_target_before_it_is_to_wake(room: EngineRoom) -> None:
    ref, lease, target = _claimed(room)
    later = room.clock() + SOON
    room.deployment.stores.targets.save(ref, target.retry_at(later, now=room.clock()), lease.token)
    other = Lease(token="other", until=room.clock() + LEASE)

    early = room.deployment.stores.targets.claim(ref, other, now=room.clock())

    assert not isinstance(early, Target)
    assert isinstance(room.deployment.stores.targets.claim(ref, other, now=later), Target)


def test_nobody_prepares_a_target_before_it_is_to_wake(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_engine_room(emulator, tmp_path, platforms=(Platform.THREADS,))
    room.scheduled("Bread", in_=timedelta(hours=1), platforms=(Platform.THREADS,))
    [ref] = room.waking(room.clock() + timedelta(hours=1))
    lease = Lease(token="mine", until=ref.wake_at + LEASE)
    targets, just_before = room.deployment.stores.targets, ref.wake_at - timedelta(seconds=1)

    early = targets.claim(ref, lease, now=just_before)

    assert not isinstance(early, Target)
    assert isinstance(targets.claim(ref, lease, now=ref.wake_at), Target)


def test_what_is_prepared_ahead_stays_scheduled(emulator: EmulatorProcess, tmp_path: Path) -> None:
    room = an_engine_room(emulator, tmp_path, platforms=(Platform.THREADS,))
    post = room.scheduled("Bread", in_=SOON, platforms=(Platform.THREADS,))
    [ref] = room.wake_messages(post)
    lease = Lease(token="mine", until=room.clock() + LEASE)

    ahead = room.deployment.stores.targets.claim(ref, lease, now=room.clock())

    assert ahead is not None
    assert ahead.status == "scheduled"


def test_a_claim_whose_answer_was_lost_is_known_again(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=SOON)
    room.clock.pass_time(SOON)
    [ref] = room.wake_messages(post)
    lease = Lease(token="mine", until=room.clock() + LEASE)
    targets = TargetRepository(
        room.deployment.clients.dynamodb, room.deployment.tables, wait=room.sleep
    )
    first = targets.claim(ref, lease, now=room.clock())

    again = targets.claim(ref, lease, now=room.clock())

    assert first == again
