"""Holding on to targets while their steps run: leases are renewed in the background.

One keeper a process. A worker opens a hold after its claim and saves only through it. A renewal
only ever prolongs, so that it may arrive late or beside a save. A claimed target is what it is now,
the post it belongs to and the hold: everything that a run keeps goes through it or through
`attempts.py`, under the lease.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef
from chalicelib.storage.engine.targets import TargetRepository

_LOG = logging.getLogger(__name__)
RENEW_EVERY = timedelta(seconds=20)
_LOOK_EVERY_S = 1.0


class Hold:
    """One claimed target, for as long as its worker works on it."""

    def __init__(
        self, ref: TargetRef, lease: Lease, targets: TargetRepository, clock: Clock
    ) -> None:
        self.ref = ref
        self._lease = lease
        self._targets = targets
        self._clock = clock
        self._guard = threading.Lock()
        self._lost = False
        self._over = False

    @property
    def token(self) -> str:
        """The lease's token, which every write is conditional on."""
        return self._lease.token

    @property
    def lease_left(self) -> timedelta:
        """How long the lease lasts without another renewal; nothing once it was lost."""
        return timedelta(0) if self._lost else self._lease.until - self._clock()

    def save(self, target: Target) -> Target:
        """Keep progress and go on holding, under a fresh lease. Raises LeaseLostError."""
        self.require()
        lease = self._fresh()
        saved = self._targets.save(self.ref, target.held(lease), self.token)
        self._prolong(lease)
        return saved

    def release(self, target: Target) -> None:
        """Keep progress and let go: the target wakes again at its own time."""
        self.require()
        self._over = True
        self._targets.save(self.ref, target, self.token)

    def close(self) -> None:
        """Stop renewing; the outcome has been or will be kept elsewhere under the token."""
        self._over = True

    def require(self) -> None:
        """Raise LeaseLostError unless the target is still held."""
        if self._lost or self._clock() >= self._lease.until:
            raise LeaseLostError

    def _fresh(self) -> Lease:
        return Lease(token=self.token, until=self._clock() + LEASE)

    def _prolong(self, lease: Lease) -> None:
        with self._guard:
            if lease.until > self._lease.until:
                self._lease = lease

    @property
    def is_due(self) -> bool:
        """Tell whether a third of the lease has passed while it is still needed."""
        return not (self._over or self._lost) and self.lease_left <= LEASE - RENEW_EVERY

    def renew(self) -> None:
        """Prolong the lease; a refusal ends the hold.

        It may run beside a save: neither shortens what the other reached.
        """
        lease = self._fresh()
        try:
            self._targets.renew(self.ref, lease)
        except LeaseLostError:
            self._lost = True
        else:
            self._prolong(lease)


class LeaseKeeper:
    """Renews every open hold of this process: one renewal that stalls holds up no other."""

    def __init__(self, targets: TargetRepository, clock: Clock) -> None:
        self._targets = targets
        self._clock = clock
        self._holds: set[Hold] = set()
        self._renewing: set[Hold] = set()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def hold(self, ref: TargetRef, lease: Lease) -> Iterator[Hold]:
        """Keep a claimed target's lease alive while the block runs."""
        hold = Hold(ref, lease, self._targets, self._clock)
        with self._guard:
            self._holds.add(hold)
            self._start_thread()
        try:
            yield hold
        finally:
            hold.close()
            with self._guard:
                self._holds.discard(hold)

    def _start_thread(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="leases", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        """Look once a second which leases are due; end when nothing is held."""
        while holds := self._open_holds():
            for hold in holds:
                if hold.is_due and self._begins(hold):
                    renewal = threading.Thread(target=self._renew, args=(hold,), daemon=True)
                    renewal.start()
            time.sleep(_LOOK_EVERY_S)

    def _open_holds(self) -> list[Hold]:
        with self._guard:
            if not self._holds:
                self._thread = None
            return list(self._holds)

    def _begins(self, hold: Hold) -> bool:
        """Tell whether nobody renews this lease yet, and take that on."""
        with self._guard:
            if hold in self._renewing:
                return False
            self._renewing.add(hold)
            return True

    def _renew(self, hold: Hold) -> None:
        try:
            hold.renew()
        except Exception:  # noqa: BLE001 - whatever it was, the next look tries again
            _LOG.exception("A lease could not be renewed.", extra={"action": "lease.renew"})
        finally:
            with self._guard:
                self._renewing.discard(hold)


class ClaimedTarget:
    """One target that this worker alone may change."""

    def __init__(self, hold: Hold, post: Post, target: Target) -> None:
        self._hold = hold
        self.post = post
        self.target = target

    @property
    def ref(self) -> TargetRef:
        """The target's name, as the wake message had it."""
        return self._hold.ref

    @property
    def token(self) -> str:
        """The lease's token, which every write is conditional on."""
        return self._hold.token

    @property
    def lease_left(self) -> timedelta:
        """How long nobody else may touch the target."""
        return self._hold.lease_left

    def become(self, target: Target) -> None:
        """Go on with another state that need not be kept yet."""
        self.target = target

    def save(self, target: Target) -> None:
        """Keep progress and go on holding. Raises LeaseLostError."""
        self.target = self._hold.save(target)

    def release(self, target: Target) -> None:
        """Keep progress and let go: the target wakes again at its own time."""
        self._hold.release(target)

    def require(self) -> None:
        """Raise LeaseLostError unless the target is still held."""
        self._hold.require()
