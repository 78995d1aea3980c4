"""The publish worker: takes one target from its wake message to its next resting place.

Order of things: wait for the second, claim, read, then step by step: save, then call. An
irreversible step is marked as in doubt together with what it sends before it is made; whatever is
not a plain answer is settled by `reconcile`, never by sending again (docs/architecture.md "Never
twice"). One slow account must not hold every thread: once several of its runs have taken long, its
other targets wait a little.
"""

import logging
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from datetime import timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.storage.engine.claims import (
    LeaseLostError,
    Refusal,
    TargetRef,
    WornOutError,
)
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.workers.publishing.leases import Hold, LeaseKeeper
from chalicelib.workers.publishing.preflight import WORN_OUT, Preflight

SLOW_AFTER_S = 2.0
MOST_SLOW_RUNS = 3


class SlowAccounts:
    """The runs of this process, by account. Time is monotonic: only lengths matter."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._begun: dict[str, list[float]] = defaultdict(list)

    def is_clogged(self, account_id: str) -> bool:
        """Tell whether several runs of the account have been going on for long."""
        slow_since = self._clock() - SLOW_AFTER_S
        with self._guard:
            begun = self._begun.get(account_id, [])
            return sum(one <= slow_since for one in begun) >= MOST_SLOW_RUNS

    @contextmanager
    def enter(self, account_id: str) -> Iterator[None]:
        """Count a run of the account while the block runs."""
        begun = self._clock()
        with self._guard:
            self._begun[account_id].append(begun)
        try:
            yield
        finally:
            with self._guard:
                self._begun[account_id].remove(begun)
                if not self._begun[account_id]:
                    del self._begun[account_id]


RUNNING = SwitchState()
SLOW_ACCOUNT_WAIT = timedelta(seconds=5)
_SOON = timedelta(seconds=1)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishWorker:
    """Works on one wake message at a time; safe to run twice, anywhere, at any moment."""

    targets: TargetRepository
    queue: PublishQueue
    leases: LeaseKeeper
    preflight: Preflight
    clock: Clock
    slow_accounts: SlowAccounts = field(default_factory=SlowAccounts)
    wait: Callable[[float], None] = time.sleep

    def run(self, ref: TargetRef, switch: SwitchState = RUNNING) -> None:
        """Bring the named target as far as it gets now, if it is due and nobody has it."""
        if switch.paused:
            return
        if not self._wait_for_its_second(ref):
            return
        lease = Lease(token=secrets.token_hex(16), until=self.clock() + LEASE)
        try:
            claimed = self._claim(ref, lease)
        except WornOutError:
            with self.leases.hold(ref, lease) as hold:
                self._give_up(hold)
            return
        if claimed is None:
            return
        with self.leases.hold(ref, lease) as hold:
            try:
                self._work(hold, claimed, switch)
            except LeaseLostError:
                _LOG.info(
                    "Stopped: somebody else has the target now.",
                    extra={"action": "lease.lost", "target_id": ref.target_id},
                )

    def _give_up(self, hold: Hold) -> None:
        """End a target that broke every worker; if even that breaks, by its key alone."""
        try:
            self.preflight.give_up(hold)
        except Exception:  # noqa: BLE001 - what is wrong with the row nobody knows
            facts = {"action": "target.unreadable", "target_id": hold.ref.target_id}
            _LOG.exception("A target could not even be failed.", extra=facts)
            self.targets.fail_by_key(hold.ref, hold.token, WORN_OUT)

    def _work(self, hold: Hold, target: Target, switch: SwitchState) -> None:
        if self.slow_accounts.is_clogged(target.account_id):
            later = self.clock() + SLOW_ACCOUNT_WAIT
            hold.release(target.postpone(later))
            self.queue.send([replace(hold.ref, wake_at=later)], now=self.clock())
            return
        with self.slow_accounts.enter(target.account_id):
            run = self.preflight.open(hold, target, switch)
            if run is not None:
                run.go()

    def _wait_for_its_second(self, ref: TargetRef) -> bool:
        """Wait out less than a second; send the wake message again if there is more to wait."""
        left = ref.wake_at - self.clock()
        if left > _SOON:
            self.queue.send([ref], now=self.clock())
            return False
        while left > timedelta(0):
            self.wait(left.total_seconds())
            left = ref.wake_at - self.clock()
        return True

    def _claim(self, ref: TargetRef, lease: Lease) -> Target | None:
        now = self.clock()
        claimed = self.targets.claim(ref, lease, now=now)
        if isinstance(claimed, Refusal) and _is_ahead(claimed):
            claimed = self.targets.claim_ahead(ref, lease, now=now)
        return None if isinstance(claimed, Refusal) else claimed


def _is_ahead(refusal: Refusal) -> bool:
    return refusal.status is TargetStatus.SCHEDULED
