"""Setting posts in motion and stopping them: schedule, queue, publish now, cancel, retry.

`api/scheduling` calls it. Each picks the targets it is about, checks that they can go out, and
moves them all or none (docs/api.md "States and transitions").
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice

from chalicelib.domain.analytics.learning import NOTHING_LEARNED, Learned
from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import RuleViolation
from chalicelib.domain.errors import (
    AccountRemoved,
    NothingToCancel,
    NothingToPublish,
    NothingToRetry,
    NothingToSchedule,
    QueueFull,
)
from chalicelib.domain.platforms.choices import NOTHING
from chalicelib.domain.posts.drafting import check_sendable, past_time, refuse
from chalicelib.domain.posts.history import Action, event_by
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.times import TargetTimes
from chalicelib.services.posts.updates import Change, PostUpdates
from chalicelib.services.workspace.choices import ReadKnownChoices
from chalicelib.storage.posts.changes import QueueTimeTakenError

_QUEUE_TRIES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """The five verbs that move a post's targets."""

    updates: PostUpdates
    times: TargetTimes
    clock: Clock
    known_choices: ReadKnownChoices

    def schedule(self, caller: Caller, post_id: str, *, at: datetime | None = None) -> Post:
        """Schedule every unscheduled target for `at`, its own time or its golden hour.

        Targets of disconnected accounts stay as they are. Raises NothingToSchedule,
        AccountRemoved, FileRemoved, MediaRequired, TiktokRules and PlanLimit, or InvalidInput when
        `at` has passed.
        """
        refuse(past_time(at, now=self.clock(), loc=("body", "at")))
        change = self.updates.change(caller)
        while change.is_open:
            post, learned = self._read(caller, change, post_id, learns=at is None)
            chosen = _connected(caller, _unscheduled(post))
            self._check(caller, post, chosen)
            now = self.clock()
            moved = [
                target.schedule(
                    at or self.times.own_or_golden(caller, target, learned, now=now),
                    now=now,
                    lead=post.lead(target),
                )
                for target in chosen
            ]
            detail = {"targets": len(moved), "at": None if at is None else at.isoformat()}
            happened = event_by(caller, Action.SCHEDULED, now, detail)
            change.save(post, post.with_targets(moved), happened)
        return change.saved

    def _read(
        self, caller: Caller, change: Change, post_id: str, *, learns: bool
    ) -> tuple[Post, Learned]:
        """Read the post, and beside it what its golden hours rest on."""
        if not learns:
            return change.read(post_id), NOTHING_LEARNED
        return in_parallel(lambda: change.read(post_id), lambda: self.times.learned(caller))

    def queue(self, caller: Caller, post_id: str) -> Post:
        """Schedule every unscheduled target for the workspace's next free queue time.

        Raises NothingToSchedule, AccountRemoved, QueueFull, FileRemoved, MediaRequired, TiktokRules
        and PlanLimit.
        """
        change = self.updates.change(caller)
        post, free = in_parallel(
            lambda: change.read(post_id),
            lambda: self.times.free(caller, now=self.clock(), besides=post_id),
        )
        times = islice(free, _QUEUE_TRIES)
        at = next(times, None)
        while change.is_open:
            post = change.current(post)
            chosen = _connected(caller, _unscheduled(post))
            if at is None:
                raise QueueFull
            self._check(caller, post, chosen)
            now = self.clock()
            moved = [target.schedule(at, now=now, lead=post.lead(target)) for target in chosen]
            happened = event_by(caller, Action.QUEUED, now, {"at": at.isoformat()})
            try:
                change.save(post, replace(post.with_targets(moved), queued_at=at), happened)
            except QueueTimeTakenError:
                # Whoever was faster holds the time until it has passed: on to the next one.
                at = next(times, None)
        return change.saved

    def publish_now(self, caller: Caller, post_id: str) -> Post:
        """Send every target that is neither live nor posting, as far as its account is there.

        Raises NothingToPublish, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """
        change = self.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            sendable = [target for target in post.targets if target.is_sendable]
            if not sendable or post.approval is Approval.REJECTED:
                raise NothingToPublish
            self._send(caller, change, post, sendable, Action.PUBLISH_REQUESTED)
        return change.saved

    def retry(self, caller: Caller, post_id: str) -> Post:
        """Send every failed target again, as far as its account is there.

        Raises NothingToRetry, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """
        change = self.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            failed = [t for t in post.targets if t.status is TargetStatus.FAILED]
            if not failed or post.approval is Approval.REJECTED:
                raise NothingToRetry
            self._send(caller, change, post, failed, Action.RETRIED)
        return change.saved

    def cancel(self, caller: Caller, post_id: str) -> Post:
        """Stop every target that has not gone out yet. Raises NothingToCancel."""
        change = self.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            stopped = [target.cancel() for target in post.targets if target.is_cancellable]
            if not stopped:
                raise NothingToCancel
            detail = {"targets": len(stopped)}
            happened = event_by(caller, Action.CANCELLED, self.clock(), detail)
            change.save(post, post.with_targets(stopped), happened)
        return change.saved

    def _check(self, caller: Caller, post: Post, chosen: Sequence[Target]) -> None:
        """Check that targets can go out; that the file is gone matters more than what is wrong."""
        offered = self.known_choices(caller.workspace_id, chosen)
        try:
            for target in chosen:
                check_sendable(post, target, choices=offered.get(target.id, NOTHING))
        except RuleViolation:
            self.updates.require_file(post)
            raise

    def _send(
        self, caller: Caller, change: Change, post: Post, wanted: Sequence[Target], action: Action
    ) -> None:
        chosen = _connected(caller, wanted)
        self._check(caller, post, chosen)
        now = self.clock()
        lead = timedelta(0) if post.may_go_out else None
        moved = [target.send_now(now=now, lead=lead) for target in chosen]
        happened = event_by(caller, action, now, {"targets": len(moved)})
        change.save(post, post.with_targets(moved), happened)


def _unscheduled(post: Post) -> Sequence[Target]:
    chosen = [target for target in post.targets if target.is_unscheduled]
    if not chosen or post.approval is Approval.REJECTED:
        raise NothingToSchedule
    return chosen


def _connected(caller: Caller, targets: Sequence[Target]) -> Sequence[Target]:
    chosen = [target for target in targets if target.account_id in caller.accounts]
    if not chosen:
        raise AccountRemoved
    return chosen
