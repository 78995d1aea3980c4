"""Wall clocks that are set: what is armed still rings, and nobody takes over from the living."""

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.domain.outcome import Checkpoint
from chalicelib.domain.posts.progress import LEASE, TAKEOVER_GRACE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.workers.publishing.alarm import Alarm
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.frozen_clock import FrozenClock

SECOND, HOURS = timedelta(seconds=1), timedelta(hours=12)


class WallClock:
    """A real clock that a test sets."""

    def __init__(self) -> None:
        self.off = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.off


class Rung:
    """Notes what an alarm begins."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.heard = threading.Semaphore(0)

    def ring(self, names: Sequence[str]) -> None:
        self.names += names
        for _ in names:
            self.heard.release()


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


@pytest.mark.parametrize("step", [-900, -43_200, -3_600])
def test_an_alarm_rings_soon_after_a_clock_is_right_again(step: int) -> None:
    """At most a second later, as `nap_s` says; who slept it all through would take a quarter."""
    clock, rung = WallClock(), Rung()
    alarm = Alarm(clock, rung.ring)
    alarm.at(clock() + SECOND / 5, "armed before")
    clock.off = timedelta(seconds=step)
    alarm.at(clock() + SECOND / 5 - clock.off, "armed meanwhile")
    time.sleep(0.4)

    is_early = list(rung.names)
    clock.off = timedelta(0)

    assert rung.heard.acquire(timeout=240)
    assert rung.heard.acquire(timeout=240)
    assert (is_early, rung.names) == ([], ["armed before", "armed meanwhile"])


def test_a_clock_that_runs_ahead_takes_nothing_over_from_a_worker_that_lives(
    room: EngineRoom,
) -> None:
    post, targets = room.scheduled("Bread", in_=SECOND), room.deployment.stores.targets
    [ref] = room.wake_messages(post)
    room.clock.pass_time(SECOND)
    first = Lease(token="first", until=room.clock() + LEASE)
    targets.claim(ref, first, now=room.clock())
    ahead, other = room.clock() + HOURS, Lease(token="other", until=room.clock() + LEASE)

    taken = targets.claim(ref, other, now=ahead, steady=room.clock())
    over = room.clock() + LEASE + TAKEOVER_GRACE
    once_over = targets.claim(ref, other, now=over, steady=over)

    assert taken is None
    assert isinstance(once_over, Target)


def test_a_wait_for_a_platform_is_not_cut_short_by_a_clock_that_runs_ahead(
    room: EngineRoom,
) -> None:
    post, targets = room.scheduled("Bread", in_=SECOND), room.deployment.stores.targets
    [ref] = room.wake_messages(post)
    room.clock.pass_time(SECOND)
    lease = Lease(token="first", until=room.clock() + LEASE)
    target = targets.claim(ref, lease, now=room.clock())
    assert target is not None
    later = target.resume_at(Checkpoint("wait"), room.clock() + 60 * SECOND, now=room.clock())
    targets.save(ref, replace(later, progress=replace(later.progress, lease=None)), lease.token)
    other = Lease(token="other", until=room.clock() + LEASE)

    taken = targets.claim(ref, other, now=room.clock() + HOURS, steady=room.clock())

    assert taken is None


def test_a_target_whose_second_has_come_is_taken_by_a_clock_that_was_set_ahead(
    room: EngineRoom,
) -> None:
    post, targets = room.scheduled("Bread", in_=30 * SECOND), room.deployment.stores.targets
    [ref] = room.wake_messages(post)
    lease = Lease(token="first", until=room.clock() + LEASE)

    taken = targets.claim(ref, lease, now=room.clock() + 31 * SECOND, steady=room.clock())

    assert isinstance(taken, Target)
    assert taken.status is TargetStatus.PUBLISHING


def test_what_only_a_wrong_clock_calls_missed_keeps_its_time(room: EngineRoom) -> None:
    posts = [room.scheduled(f"Bread {n}", in_=timedelta(minutes=20)) for n in range(3)]
    refs = [ref for post in posts for ref in room.wake_messages(post)]
    before = [room.target(post) for post in posts]
    ahead = FrozenClock(room.clock() + HOURS)

    for ref in refs:
        replace(room.worker, wall=ahead).run(ref)

    assert [room.target(post) for post in posts] == before
    assert [room.taken(post) for post in posts] == [[], [], []]


def test_a_post_made_while_the_clock_is_ahead_keeps_leases_by_the_right_time(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread", in_=5 * SECOND)
    [ref] = room.wake_messages(post)
    ahead = FrozenClock(room.clock() + timedelta(minutes=5))
    worker = room.fire_worker

    replace(worker, wall=ahead).run(ref)

    target = room.target(post)
    assert target.status is TargetStatus.PUBLISHED
    assert target.published_at is not None
    assert target.published_at <= room.clock() + SECOND
