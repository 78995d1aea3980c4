"""What is armed rings and what is held stays held, though no thread is to be had for a while."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.leases import LeaseKeeper
from tests.local.running_stack import eventually
from tests.support.builders import a_post, a_target
from tests.support.few_threads import FewThreads
from tests.support.frozen_clock import NOON, FrozenClock

_SOON = timedelta(milliseconds=150)


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> FewThreads:
    return FewThreads(monkeypatch)


def _now() -> datetime:
    return datetime.now(UTC)


class SetClock:
    """A real clock that a test sets ahead."""

    ahead = timedelta(0)

    def __call__(self) -> datetime:
        return _now() + self.ahead


def test_an_alarm_without_a_thread_is_minded_by_who_sets_it(system: FewThreads) -> None:
    rung: list[tuple[str, bool]] = []
    due = _now() + _SOON

    def ring(names: Sequence[str]) -> None:
        rung.extend((name, _now() >= due) for name in names)

    alarm = Alarm(_now, ring)
    with system.gives(0):
        alarm.at_each([(due, "first"), (due + _SOON, "second")])

    assert rung == [("first", True), ("second", True)]


def test_an_alarm_is_handed_on_as_soon_as_a_thread_is_to_be_had(system: FewThreads) -> None:
    rung = threading.Semaphore(0)

    def ring(names: Sequence[str]) -> None:
        for _ in names:
            rung.release()

    clock = SetClock()
    alarm = Alarm(clock, ring)
    with system.gives(0):
        setting = threading.Thread(target=alarm.at, args=(_now() + timedelta(hours=1), "far"))
        setting.daemon = True
        system.start(setting)
        eventually(lambda: system.refused > 0)
        alarm.at(_now() + _SOON, "near")
        assert rung.acquire(timeout=240)
    setting.join(240)

    assert not setting.is_alive()
    clock.ahead = timedelta(hours=2)
    assert rung.acquire(timeout=240)


class Table:
    """Stands where the table stands, and counts renewals."""

    def __init__(self) -> None:
        self.renewed = threading.Semaphore(0)

    def renew(self, ref: TargetRef, lease: Lease) -> None:
        del ref, lease
        self.renewed.release()


def test_leases_are_renewed_though_no_further_thread_is_to_be_had(system: FewThreads) -> None:
    clock, table = FrozenClock(), Table()
    keeper = LeaseKeeper(cast("TargetRepository", table), clock)
    lease, ref = Lease(token="t", until=NOON + LEASE), TargetRef("1" * 32, "2" * 32, "3", NOON)

    with system.gives(1), keeper.hold(ref, lease, a_target(), a_post()):
        for _ in range(2):
            clock.pass_time(timedelta(seconds=25))
            assert table.renewed.acquire(timeout=240)

    assert system.refused > 0


def test_who_sets_an_alarm_minds_it_only_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    rung, minded = threading.Event(), list[Alarm[str]]()
    monkeypatch.setattr(Alarm, "_stand_in", minded.append)

    alarm: Alarm[str] = Alarm(_now, lambda _: rung.set())
    alarm.at(_now(), "now")

    assert rung.wait(10.0)
    assert minded == []
