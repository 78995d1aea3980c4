"""The publish worker: works on one target from its wake message until it waits or ends.

The order is: wait for the second, claim, read, then step by step: save, then call. An irreversible
step is saved as in doubt, with what it sends, before it is made. Without a clear answer `reconcile`
finds out what became of it; it is never simply sent again (docs/engine.md "Never twice"). A limit
keeps slow calls of one workspace or server from taking every thread.
"""

import logging
import secrets
import time
from collections.abc import Callable
from datetime import timedelta

from chalicelib.domain.clock import Clock, nap_s
from chalicelib.domain.engine.decision import Over
from chalicelib.domain.engine.failures import WORN_OUT
from chalicelib.domain.engine.verdicts import postpone
from chalicelib.domain.engine.wear import after_claims, give_up, is_claimed_too_often
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import CATCHING_UP, LEASE, MOST_WAKES, Lease
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure, Retrying, is_invalid, is_passing
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.kit.limits.bulkhead import Bulkhead
from chalicelib.kit.limits.thread_pool import NoThreadError
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef, WornOutError
from chalicelib.storage.engine.outcomes import StorageUnavailableError
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import NEAR, PublishQueue
from chalicelib.workers.publishing.leases import ClaimedTarget, LeaseKeeper
from chalicelib.workers.publishing.preflight import Preflight

RUNNING = SwitchState()
WAIT_FOR_A_PLACE = timedelta(seconds=5)
BEGIN_AGAIN_AFTER = timedelta(seconds=2)
_SOON = timedelta(seconds=1)
_OF_OTHERS = (
    *(LeaseLostError, StorageUnavailableError, ContentionError, StaleWriteError),
    *(NoThreadError, MemoryError, OSError),
    *AwsFailure,
)
"""Failures that a target does not cause, or not alone."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishWorker:
    """Works on one wake message at a time; safe to run twice, anywhere, at any moment.

    Seconds that people asked for come by the `wall` clock; all else is the steady `clock`'s.
    """

    targets: TargetRepository
    queue: PublishQueue
    leases: LeaseKeeper
    preflight: Preflight
    clock: Clock
    wall: Clock
    bounds: Bulkhead
    wait: Callable[[float], None] = time.sleep

    def run(self, ref: TargetRef, switch: SwitchState = RUNNING) -> None:
        """Work on the named target as far as possible now, if it is due and nobody holds it."""
        if switch.stops(ref.workspace_id) or self._is_late_by_a_step(ref):
            return
        if not self._wait_for_its_second(ref):
            return
        lease = Lease(token=secrets.token_hex(16), until=self.clock() + LEASE)
        try:
            target = self.targets.claim(ref, lease, now=self.wall(), steady=self.clock())
            post = None if target is None else self._post(ref, target, lease)
        except WornOutError:
            self._end_by_key(ref, lease)
            return
        if target is None or post is None:
            return
        with self.leases.hold(ref, lease, target, post) as claimed:
            try:
                self._work(claimed, switch)
            except Exception as error:
                is_kept = claimed.target.version > target.version
                if not is_kept and _is_worn_out_by(error, target):
                    self._give_up(claimed)
                if not _may_begin_again(error, claimed.target):
                    raise
                self._begin_again(claimed)

    def _post(self, ref: TargetRef, target: Target, lease: Lease) -> Post | None:
        """Return the target's post, and not an older state that a read still shows.

        Raises WornOutError if it could not be read too many times.
        """
        retrying = Retrying(self.wait)
        try:
            while self.clock() < lease.until:
                post = retrying(lambda: self.preflight.posts.get_any(ref.post_id))
                if post.version >= target.post_version:
                    return post
        except Exception as error:
            if _is_worn_out_by(error, target):
                raise WornOutError from error
            raise
        return None

    def _give_up(self, claimed: ClaimedTarget) -> None:
        """Fail a target that ends its workers; if that fails too, by its key alone."""
        try:
            self.preflight.keeper.keep(claimed, give_up(claimed.target))
        except Exception:  # noqa: BLE001 - what is wrong with the row nobody knows
            self._end_by_key(claimed.ref, claimed.lease)

    def _end_by_key(self, ref: TargetRef, lease: Lease) -> None:
        facts = {"action": "target.unreadable", "target_id": ref.target_id}
        _LOG.exception("A target could not even be failed.", extra=facts)
        self.targets.fail_by_key(ref, lease.token, WORN_OUT.message, now=self.clock())

    def _work(self, claimed: ClaimedTarget, switch: SwitchState) -> None:
        keeper = self.preflight.keeper
        if is_claimed_too_often(claimed.target):
            follows = after_claims(claimed.target, keeper.facts())
            if isinstance(follows, Over):
                self._give_up(claimed)
                return
            if follows is not None:
                keeper.keep(claimed, follows)
                return
        account = self.preflight.open(claimed, switch)
        if account is None:
            return
        with self.bounds.enter(claimed.ref.workspace_id, account.server) as has_place:
            run = self.preflight.run(claimed, account, switch.holds) if has_place else None
            if run is not None and not run.settle_late(claimed):
                run.go(claimed)
        if not has_place:
            # As many go on as may, of its workspace or where it goes.
            keeper.keep(claimed, postpone(claimed.target, WAIT_FOR_A_PLACE, keeper.facts()))

    def _begin_again(self, claimed: ClaimedTarget) -> None:
        """Release a target whose tables failed for a moment; its lease would block it a minute."""
        facts = {"action": "target.begins_again", "target_id": claimed.ref.target_id}
        _LOG.warning("The storage failed for a moment before anything was sent.", extra=facts)
        keeper, target = self.preflight.keeper, claimed.target
        wakes = target.progress.wakes
        keeper.keep(claimed, postpone(target, BEGIN_AGAIN_AFTER, keeper.facts(), wakes=wakes))

    def _wait_for_its_second(self, ref: TargetRef) -> bool:
        """Wait out less than a second; send the wake message again if there is more to wait.

        A clock that was ahead for a moment woke what wakes in hours: a tick finds that in time.
        """
        left = ref.wake_at - self.wall()
        if left > _SOON:
            if left <= NEAR:
                self.queue.send([ref], now=self.wall())
            return False
        while left > timedelta(0):
            self.wait(nap_s(left))
            left = ref.wake_at - self.wall()
        return True

    def _is_late_by_a_step(self, ref: TargetRef) -> bool:
        """Tell whether the target seems missed only because the clock was just set.

        It would otherwise be postponed by that clock. Once the clock has been unchanged for some
        minutes, or is right again, a tick sends the target again.
        """
        by_wall, by_clock = self.wall() - ref.wake_at, self.clock() - ref.wake_at
        return by_wall > CATCHING_UP >= by_clock


def _may_begin_again(error: Exception, target: Target) -> bool:
    """Tell whether a failure may soon be over, and this first claim saved and sent nothing."""
    return is_passing(error) and target.progress.wakes == 1 and not target.is_in_doubt


def _is_worn_out_by(error: Exception, target: Target) -> bool:
    """Tell whether an error ends a target: it has had too many claims, and causes the error."""
    is_of_target = is_invalid(error) or not isinstance(error, _OF_OTHERS)
    return is_of_target and target.progress.wakes >= MOST_WAKES
