"""Renewals are each on their own, and only ever prolong."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import cast

import pytest

from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.workers.publishing.leases import ClaimedTarget, LeaseKeeper
from tests.support.builders import a_post, a_target
from tests.support.frozen_clock import NOON, FrozenClock


class StallingTable:
    """Stands where the table stands: one target's renewal hangs, another's breaks once."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.renewed: dict[str, threading.Event] = {
            name: threading.Event() for name in ("hangs", "breaks", "plain")
        }
        self._has_broken = False

    def renew(self, ref: TargetRef, lease: Lease) -> None:
        del lease
        if ref.target_id == "hangs":
            self.released.wait(240)
        if ref.target_id == "breaks" and not self._has_broken:
            self._has_broken = True
            raise RuntimeError("nobody expected this")
        self.renewed[ref.target_id].set()


def test_a_renewal_that_hangs_or_breaks_lets_no_other_lease_lapse() -> None:
    clock, table = FrozenClock(), StallingTable()
    keeper = LeaseKeeper(cast("TargetRepository", table), clock)
    lease = Lease(token="t", until=NOON + LEASE)
    refs = [TargetRef("1" * 32, name, "3" * 32, NOON) for name in ("hangs", "breaks", "plain")]

    with ExitStack() as held:
        for ref in refs:
            held.enter_context(keeper.hold(ref, lease, a_target(), a_post()))
        clock.pass_time(timedelta(seconds=25))

        assert table.renewed["plain"].wait(240)
        assert table.renewed["breaks"].wait(240)
        table.released.set()
        assert table.renewed["hangs"].wait(240)


def test_renewals_go_on_once_a_thread_could_not_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, table = FrozenClock(), StallingTable()
    keeper = LeaseKeeper(cast("TargetRepository", table), clock)
    lease = Lease(token="t", until=NOON + LEASE)
    ref = TargetRef("1" * 32, "plain", "3" * 32, NOON)

    with monkeypatch.context() as without_threads:
        without_threads.setattr(threading.Thread, "start", _cannot_start)
        with keeper.hold(ref, lease, a_target(), a_post()):
            pass
    with keeper.hold(ref, lease, a_target(), a_post()):
        clock.pass_time(timedelta(seconds=25))

        assert table.renewed["plain"].wait(240)


def _cannot_start(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


class AnsweringTable:
    """Stands where the table stands: a renewal does as it is told, and a save succeeds."""

    def __init__(self) -> None:
        self.answer: Callable[[], object] = lambda: None

    def renew(self, ref: TargetRef, lease: Lease) -> None:
        del ref, lease
        self.answer()

    def save(self, ref: TargetRef, target: Target, token: str) -> Target:
        del ref, token
        return target


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def table() -> AnsweringTable:
    return AnsweringTable()


@pytest.fixture
def claimed(clock: FrozenClock, table: AnsweringTable) -> ClaimedTarget:
    ref, lease = TargetRef("1" * 32, "plain", "3" * 32, NOON), Lease(token="t", until=NOON + LEASE)
    targets = cast("TargetRepository", table)
    return ClaimedTarget(ref, lease, a_target(), a_post(), targets, clock)


def test_a_renewal_that_ends_after_a_save_shortens_nothing(
    clock: FrozenClock, table: AnsweringTable, claimed: ClaimedTarget
) -> None:
    def save_later() -> None:
        clock.pass_time(timedelta(seconds=5))
        claimed.save(claimed.target)

    table.answer = save_later
    claimed.renew()

    assert claimed.lease_left == LEASE


def test_a_lease_that_was_lost_lets_nothing_more_be_kept(
    table: AnsweringTable, claimed: ClaimedTarget
) -> None:
    def refuse() -> None:
        raise LeaseLostError

    table.answer = refuse
    claimed.renew()

    assert claimed.lease_left == timedelta(0)
    with pytest.raises(LeaseLostError):
        claimed.require()


def test_a_lease_is_due_until_nobody_needs_it(clock: FrozenClock, claimed: ClaimedTarget) -> None:
    clock.pass_time(timedelta(seconds=25))
    assert claimed.is_due

    claimed.close()

    assert not claimed.is_due
