"""Setting posts in motion and stopping them: schedule, queue, publish now, cancel, retry.

`api/resources/scheduling.py` calls it. Each picks the targets it is about, checks that they can go
out, and moves them all or none (docs/api.md "States and transitions").
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
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
from chalicelib.domain.platforms.choices import NOTHING, Choices
from chalicelib.domain.posts.drafting import check_sendable, named_choices, past_time, refuse
from chalicelib.domain.posts.history import Action, event_by
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.golden_hours import GoldenHours
from chalicelib.services.posts.queue_slots import QueueSlots
from chalicelib.services.posts.updates import Change, PostUpdates, Update
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.storage.posts.changes import QueueTimeTakenError
from chalicelib.storage.posts.draft_reads import DraftReads

_QUEUE_TRIES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """The five verbs that move a post's targets."""

    updates: PostUpdates
    golden_hours: GoldenHours
    queue_slots: QueueSlots
    clock: Clock
    choices: AccountChoices
    reads: DraftReads

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
            own = partial(self.golden_hours.own_or_next, caller, learned=learned, now=self.clock())
            update = self.at_times(caller, own, post, at=at)
            change.save(post, update.after, *update.events)
        return change.saved

    def at_times(
        self,
        caller: Caller,
        time_of: Callable[[Target], datetime],
        post: Post,
        *,
        at: datetime | None = None,
    ) -> Update:
        """Decide to schedule every unscheduled target, each for its time, or all for `at`."""
        now = self.clock()
        chosen = _connected_targets(caller, _unscheduled_targets(post))
        self._check(caller, post, chosen)
        moved = [one.schedule(at or time_of(one), now=now, lead=post.lead(one)) for one in chosen]
        detail = {"targets": len(moved), "at": None if at is None else at.isoformat()}
        happened = event_by(caller, Action.SCHEDULED, now, detail)
        return Update(after=post.with_targets(moved), events=(happened,))

    def _read(
        self, caller: Caller, change: Change, post_id: str, *, learns: bool
    ) -> tuple[Post, Learned]:
        """Read the post, and beside it what its golden hours rest on."""
        if not learns:
            return change.read(post_id), NOTHING_LEARNED
        return in_parallel(lambda: change.read(post_id), lambda: self.golden_hours.learned(caller))

    def queue(self, caller: Caller, post_id: str) -> Post:
        """Schedule every unscheduled target for the workspace's next free queue time.

        Raises NothingToSchedule, AccountRemoved, QueueFull, FileRemoved, MediaRequired, TiktokRules
        and PlanLimit.
        """
        change = self.updates.change(caller)
        post, times = in_parallel(
            lambda: change.read(post_id), lambda: self.free_times(caller, besides=post_id)
        )
        at = next(times, None)
        while change.is_open:
            post = change.read_current(post)
            update = self.decide_queue_time(caller, at, post)
            try:
                change.save(post, update.after, *update.events)
            except QueueTimeTakenError:
                # Whoever was faster holds the time until it has passed: on to the next one.
                at = next(times, None)
        return change.saved

    def free_times(self, caller: Caller, *, besides: str = "") -> Iterator[datetime]:
        """Yield the queue times to try, soonest first."""
        return islice(self.queue_slots.free(caller, besides=besides), _QUEUE_TRIES)

    def decide_queue_time(self, caller: Caller, at: datetime | None, post: Post) -> Update:
        """Decide to schedule every unscheduled target for a queue time; None: there is none."""
        now = self.clock()
        chosen = _connected_targets(caller, _unscheduled_targets(post))
        if at is None:
            raise QueueFull
        self._check(caller, post, chosen)
        moved = [target.schedule(at, now=now, lead=post.lead(target)) for target in chosen]
        happened = event_by(caller, Action.QUEUED, now, {"at": at.isoformat()})
        after = replace(post.with_targets(moved), queued_at=at)
        return Update(after=after, events=(happened,))

    def publish_now(self, caller: Caller, post_id: str) -> Post:
        """Send every target that is neither live nor posting, as far as its account is there.

        Raises NothingToPublish, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """
        change = self.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            update = self.at_once(caller, post)
            change.save(post, update.after, *update.events)
        return change.saved

    def at_once(self, caller: Caller, post: Post) -> Update:
        """Decide to send every target that is neither live nor posting."""
        sendable = [target for target in post.targets if target.is_sendable]
        if not sendable or post.approval is Approval.REJECTED:
            raise NothingToPublish
        return self._send_targets(caller, post, sendable, Action.PUBLISH_REQUESTED)

    def retry(self, caller: Caller, post_id: str) -> Post:
        """Send every failed target again, as far as its account is there.

        Raises NothingToRetry, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """
        change = self.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            update = self.again(caller, post)
            change.save(post, update.after, *update.events)
        return change.saved

    def again(self, caller: Caller, post: Post) -> Update:
        """Decide to send every failed target again."""
        failed = [t for t in post.targets if t.status is TargetStatus.FAILED]
        if not failed or post.approval is Approval.REJECTED:
            raise NothingToRetry
        return self._send_targets(caller, post, failed, Action.RETRIED)

    def cancel(self, caller: Caller, post_id: str, *, at: datetime | None = None) -> Post:
        """Stop the targets that have not gone out yet: every one, or those of one instant.

        Raises NothingToCancel.
        """
        change = self.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            named = [t for t in post.targets if at is None or t.scheduled_at == at]
            stopped = [target.cancel() for target in named if target.is_cancellable]
            if not stopped:
                raise NothingToCancel
            detail = {"targets": len(stopped)}
            happened = event_by(caller, Action.CANCELLED, self.clock(), detail)
            change.save(post, post.with_targets(stopped), happened)
        return change.saved

    def _check(self, caller: Caller, post: Post, chosen: Sequence[Target]) -> None:
        """Check that targets can go out; that the file is gone matters more than what is wrong."""
        offered = self._known_choices(caller, [one for one in chosen if named_choices(one)])
        try:
            for target in chosen:
                check_sendable(post, target, choices=offered.get(target.id, NOTHING))
        except RuleViolation:
            self.updates.require_file(post)
            raise

    def _known_choices(self, caller: Caller, choosing: Sequence[Target]) -> Mapping[str, Choices]:
        """Return what is known of the accounts of targets that chose something, by target.

        For others no account is read, so that they cost no further round trip.
        """
        if not choosing:
            return {}
        ids = sorted({target.account_id for target in choosing})
        accounts = self.reads.read(caller.workspace_id, account_ids=ids).accounts
        return {
            one.id: self.choices.known_of(accounts.get(one.account_id), one) for one in choosing
        }

    def _send_targets(
        self, caller: Caller, post: Post, wanted: Sequence[Target], action: Action
    ) -> Update:
        chosen = _connected_targets(caller, wanted)
        self._check(caller, post, chosen)
        now = self.clock()
        lead = timedelta(0) if post.may_go_out else None
        moved = [target.send_now(now=now, lead=lead) for target in chosen]
        happened = event_by(caller, action, now, {"targets": len(moved)})
        return Update(after=post.with_targets(moved), events=(happened,))


def _unscheduled_targets(post: Post) -> Sequence[Target]:
    chosen = [target for target in post.targets if target.is_unscheduled]
    if not chosen or post.approval is Approval.REJECTED:
        raise NothingToSchedule
    return chosen


def _connected_targets(caller: Caller, targets: Sequence[Target]) -> Sequence[Target]:
    chosen = [target for target in targets if target.account_id in caller.accounts]
    if not chosen:
        raise AccountRemoved
    return chosen
