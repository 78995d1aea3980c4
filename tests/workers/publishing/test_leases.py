"""Renewals are each on their own, and only ever prolong."""

import threading
from contextlib import ExitStack
from datetime import timedelta
from typing import cast

import pytest

from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.workers.publishing.leases import LeaseKeeper
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
