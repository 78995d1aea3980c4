"""Setting posts in motion and stopping them: schedule, queue, publish now, cancel, retry.

`api/scheduling` calls it. Each picks the targets it is about, checks that they can go out, and
moves them all or none (docs/api.md "States and transitions").
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice

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
from chalicelib.domain.posts.history import Action, event
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.times import TargetTimes
from chalicelib.services.posts.updates import PostUpdates, Update
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

        def decide(post: Post, learned: Learned) -> Update:
            now = self.clock()
            chosen = _connected(caller, _unscheduled(post))
            self._check(caller, post, chosen)
            times = [
                at or self.times.own_or_golden(caller, target, learned, now=now)
                for target in chosen
            ]
            moved = [
                target.schedule(time, now=now, lead=post.lead(target))
                for target, time in zip(chosen, times, strict=True)
            ]
            detail = {"targets": len(moved), "at": None if at is None else at.isoformat()}
            happened = event(Action.SCHEDULED, caller.member_name, now, detail)
            return Update(after=post.with_targets(moved), events=(happened,))

        if at is not None:
            return self.updates.apply(caller, post_id, lambda post: decide(post, NOTHING_LEARNED))
        look = partial(self.times.learned, caller)
        return self.updates.apply_looking(caller, post_id, look, decide)

    def queue(self, caller: Caller, post_id: str) -> Post:
        """Schedule every unscheduled target for the workspace's next free queue time.

        Raises NothingToSchedule, AccountRemoved, QueueFull, FileRemoved, MediaRequired, TiktokRules
        and PlanLimit.
        """

        def decide(at: datetime | None, post: Post) -> Update:
            now = self.clock()
            chosen = _connected(caller, _unscheduled(post))
            if at is None:
                raise QueueFull
            self._check(caller, post, chosen)
            moved = [target.schedule(at, now=now, lead=post.lead(target)) for target in chosen]
            happened = event(Action.QUEUED, caller.member_name, now, {"at": at.isoformat()})
            after = replace(post.with_targets(moved), queued_at=at)
            return Update(after=after, events=(happened,))

        post, free = in_parallel(
            lambda: self.updates.posts.get(caller.workspace_id, post_id),
            lambda: self.times.free(caller, now=self.clock(), besides=post_id),
        )
        for at in chain(islice(free, _QUEUE_TRIES), (None,)):
            # Whoever was faster holds the time until it has passed: on to the next one.
            with suppress(QueueTimeTakenError):
                return self.updates.apply_to(caller, post, partial(decide, at))
        raise QueueFull

    def publish_now(self, caller: Caller, post_id: str) -> Post:
        """Send every target that is neither live nor posting, as far as its account is there.

        Raises NothingToPublish, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """

        def decide(post: Post) -> Update:
            if post.approval is Approval.REJECTED:
                raise NothingToPublish
            sendable = [target for target in post.targets if target.is_sendable]
            if not sendable:
                raise NothingToPublish
            chosen = _connected(caller, sendable)
            self._check(caller, post, chosen)
            return self._send(caller, post, chosen, Action.PUBLISH_REQUESTED)

        return self.updates.apply(caller, post_id, decide)

    def retry(self, caller: Caller, post_id: str) -> Post:
        """Send every failed target again, as far as its account is there.

        Raises NothingToRetry, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """

        def decide(post: Post) -> Update:
            failed = [t for t in post.targets if t.status is TargetStatus.FAILED]
            if not failed or post.approval is Approval.REJECTED:
                raise NothingToRetry
            chosen = _connected(caller, failed)
            self._check(caller, post, chosen)
            return self._send(caller, post, chosen, Action.RETRIED)

        return self.updates.apply(caller, post_id, decide)

    def cancel(self, caller: Caller, post_id: str) -> Post:
        """Stop every target that has not gone out yet. Raises NothingToCancel."""

        def decide(post: Post) -> Update:
            stopped = [target.cancel() for target in post.targets if target.is_cancellable]
            if not stopped:
                raise NothingToCancel
            detail = {"targets": len(stopped)}
            happened = event(Action.CANCELLED, caller.member_name, self.clock(), detail)
            return Update(after=post.with_targets(stopped), events=(happened,))

        return self.updates.apply(caller, post_id, decide)

    def _check(self, caller: Caller, post: Post, chosen: Sequence[Target]) -> None:
        """Check that targets can go out; that the file is gone matters more than what is wrong."""
        offered = self.known_choices(caller.workspace_id, chosen)
        try:
            for target in chosen:
                check_sendable(post, target, choices=offered.get(target.id, NOTHING))
        except RuleViolation:
            self.updates.require_file(post)
            raise

    def _send(self, caller: Caller, post: Post, chosen: Iterable[Target], action: Action) -> Update:
        now = self.clock()
        lead = timedelta(0) if post.may_go_out else None
        moved = [target.send_now(now=now, lead=lead) for target in chosen]
        happened = event(action, caller.member_name, now, {"targets": len(moved)})
        return Update(after=post.with_targets(moved), events=(happened,))


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
