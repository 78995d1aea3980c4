"""Renews the leases of claimed targets in the background while their steps run.

There is one keeper in a process. A claimed target has its present state, its post and the lease:
everything that a run saves goes through it or through `attempts.py`, under the lease. A renewal
only ever extends a lease, so it may arrive late or during a save.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from datetime import timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import NoThreadError, ThreadPool
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef
from chalicelib.storage.engine.targets import TargetRepository

_LOG = logging.getLogger(__name__)
RENEW_EVERY = timedelta(seconds=20)
_LOOK_EVERY_S = 1.0
_RENEWALS = 8
"""How many renewals run at once: each ends within seconds, and has 35 s."""


@dataclass(slots=True, eq=False)
class ClaimedTarget:
    """A target that only this worker may change while it holds the lease."""

    ref: TargetRef
    lease: Lease
    target: Target
    post: Post
    _targets: TargetRepository
    _clock: Clock
    is_renewing: bool = False
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _lost: bool = False
    _over: bool = False

    @property
    def token(self) -> str:
        """The lease's token, which every write is conditional on."""
        return self.lease.token

    @property
    def lease_left(self) -> timedelta:
        """How long nobody else may touch the target; nothing once the lease was lost."""
        return timedelta(0) if self._lost else self.lease.until - self._clock()

    def become(self, target: Target) -> None:
        """Go on with another state that need not be saved yet."""
        self.target = target

    def save(self, target: Target) -> None:
        """Save progress and keep the target, under a new lease. Raises LeaseLostError."""
        self.require()
        lease = self._fresh()
        self.target = self._targets.save(self.ref, target.hold(lease), self.token)
        self._prolong(lease)

    def release(self, target: Target) -> None:
        """Save progress and release the target, which wakes again at its own time."""
        self.require()
        self._over = True
        self._targets.save(self.ref, target, self.token)

    def close(self) -> None:
        """Stop renewing; the outcome was or will be saved elsewhere, under the token."""
        self._over = True

    def require(self) -> None:
        """Raise LeaseLostError unless the target is still held."""
        if self._lost or self._clock() >= self.lease.until:
            raise LeaseLostError

    def _fresh(self) -> Lease:
        return Lease(token=self.token, until=self._clock() + LEASE)

    def _prolong(self, lease: Lease) -> None:
        with self._guard:
            if lease.until > self.lease.until:
                self.lease = lease

    @property
    def is_due(self) -> bool:
        """Tell whether a third of the lease has passed while it is still needed."""
        is_seen_to = self._over or self._lost or self.is_renewing
        return not is_seen_to and self.lease_left <= LEASE - RENEW_EVERY

    def renew(self) -> None:
        """Extend the lease; if that is refused, the target is no longer held.

        It may run during a save: neither shortens the lease that the other one set.
        """
        lease = self._fresh()
        try:
            self._targets.renew(self.ref, lease)
        except LeaseLostError:
            self._lost = True
        except Exception:  # noqa: BLE001 - whatever it was, the next look tries again
            _LOG.exception("A lease could not be renewed.", extra={"action": "lease.renew"})
        else:
            self._prolong(lease)
        finally:
            self.is_renewing = False


@dataclass(slots=True, eq=False)
class LeaseKeeper:
    """Renews the leases of this process in a few threads; one that is slow delays no other."""

    _targets: TargetRepository
    _clock: Clock
    _held: dict[ClaimedTarget, None] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _is_looking: bool = False
    _renewals: ThreadPool = field(default_factory=lambda: ThreadPool(_RENEWALS, name="renewal"))

    @contextmanager
    def hold(
        self, ref: TargetRef, lease: Lease, target: Target, post: Post
    ) -> Iterator[ClaimedTarget]:
        """Keep a claimed target's lease alive while the block runs; end the block if it is lost."""
        claimed = ClaimedTarget(ref, lease, target, post, self._targets, self._clock)
        with self._guard:
            self._held[claimed] = None
            begins, self._is_looking = not self._is_looking, True
        if begins:
            self._begin()
        try:
            yield claimed
        except LeaseLostError:
            facts = {"action": "lease.lost", "target_id": ref.target_id}
            _LOG.info("Stopped: somebody else has the target now.", extra=facts)
        finally:
            claimed.close()
            with self._guard:
                self._held.pop(claimed, None)

    def _begin(self) -> None:
        try:
            threading.Thread(target=self._look, name="leases", daemon=True).start()
        except RuntimeError:
            # What is held ends with its lease; the next hold tries again.
            _LOG.exception("No thread could be started.", extra={"action": "lease.not_looked"})
            with self._guard:
                self._is_looking = False

    def _look(self) -> None:
        """Look once a second which leases are due; end when nothing is held."""
        while held := self._all_held():
            for claimed in held:
                if claimed.is_due:
                    claimed.is_renewing = True
                    self._submit(claimed)
            time.sleep(_LOOK_EVERY_S)

    def _all_held(self) -> list[ClaimedTarget]:
        with self._guard:
            self._is_looking = bool(self._held)
            return list(self._held)

    def _submit(self, claimed: ClaimedTarget) -> None:
        try:
            self._renewals.submit(claimed.renew)
        except NoThreadError:
            claimed.renew()
