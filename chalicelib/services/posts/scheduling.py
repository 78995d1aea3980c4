"""Setting posts in motion and stopping them: schedule, queue, publish now, retry, cancel, dismiss.

`api/resources/scheduling` and the app call it. `domain/posts/verbs` decides what each verb makes of
a post; this file reads what that decision needs.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, islice

from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import RuleViolation
from chalicelib.domain.platforms.choices import Choices
from chalicelib.domain.posts import verbs
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.reminders import post_by_hand
from chalicelib.domain.posts.sendable import check_time, named_choices
from chalicelib.domain.posts.target import SENDABLE, UNSCHEDULED, Target, TargetStatus
from chalicelib.domain.posts.verbs import Decide, Facts, Update, Verb
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.golden_hours import GoldenHours
from chalicelib.services.posts.queue_slots import QueueSlots
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.storage.posts.known import KnownReads

_QUEUE_TRIES = 100
_FAILED = frozenset({TargetStatus.FAILED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """The verbs that move a post's targets."""

    updates: PostUpdates
    golden_hours: GoldenHours
    queue_slots: QueueSlots
    clock: Clock
    choices: AccountChoices
    reads: KnownReads

    def schedule(self, caller: Caller, post_id: str, *, at: datetime | None = None) -> Post:
        """Schedule every unscheduled target for `at`, its own time or its golden hour.

        Targets of disconnected accounts stay as they are. Raises NothingToSchedule,
        AccountRemoved, FileRemoved, MediaRequired, TiktokRules and PlanLimit, or InvalidInput when
        `at` has passed.
        """
        check_time(at, now=self.clock(), loc=("body", "at"))
        if at is not None:
            decide = self._decision(caller, partial(verbs.schedule, at=at), UNSCHEDULED)
            return self.updates.carry_out(caller, post_id, decide)
        post, learned = in_parallel(
            lambda: self.updates.read(caller, post_id),
            lambda: self.golden_hours.read_learned(caller),
        )
        decide = self._decision(caller, verbs.schedule, UNSCHEDULED, learned)
        return self.updates.carry_out(caller, post, decide)

    def queue(self, caller: Caller, post_id: str) -> Post:
        """Schedule every unscheduled target for the workspace's next free queue time.

        Raises NothingToSchedule, AccountRemoved, QueueFull, FileRemoved, MediaRequired, TiktokRules
        and PlanLimit.
        """
        post, (first, others) = in_parallel(
            lambda: self.updates.read(caller, post_id),
            lambda: self._queue_times(caller, besides=post_id),
        )
        return self.updates.carry_out(caller, post, first, otherwise=others)

    def publish_now(self, caller: Caller, post_id: str) -> Post:
        """Send every target that is neither live nor posting, as far as its account is there.

        Raises NothingToPublish, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """
        decide = self._decision(caller, verbs.publish_now, SENDABLE)
        return self.updates.carry_out(caller, post_id, decide)

    def retry(self, caller: Caller, post_id: str) -> Post:
        """Send every failed target again, as far as its account is there.

        Raises NothingToRetry, AccountRemoved, FileRemoved, MediaRequired, TiktokRules, PlanLimit.
        """
        decide = self._decision(caller, verbs.retry, _FAILED)
        return self.updates.carry_out(caller, post_id, decide)

    def cancel(self, caller: Caller, post_id: str, *, at: datetime | None = None) -> Post:
        """Stop the targets that have not gone out yet: every one, or those of one instant.

        Raises NothingToCancel.
        """
        return self.updates.carry_out(
            caller, post_id, lambda post: verbs.cancel(post, self._facts(caller), at=at)
        )

    def dismiss(self, caller: Caller, post_id: str) -> Post:
        """Make failed targets `cancelled`: nobody wants to retry them. Raises NothingToRetry."""
        return self.updates.carry_out(
            caller, post_id, lambda post: verbs.dismiss(post, self._facts(caller))
        )

    def post_by_hand(self, caller: Caller, post_id: str, target_id: str, *, url: str) -> Post:
        """Note that somebody posted what they were reminded of.

        Raises TargetNotInPost, NothingToPublish and InvalidInput.
        """
        return self.updates.carry_out(
            caller,
            post_id,
            lambda post: post_by_hand(post, self._facts(caller), target_id, url=url),
        )

    def ways(self, caller: Caller, verb: Verb, *, besides: str = "") -> Iterator[Decide]:
        """Yield the decisions to try for a post that was just written, until one is saved.

        There is only one, except for queue times: others may take a time first.
        """
        match verb:
            case Verb.SAVE:
                yield verbs.in_turn()
            case Verb.SCHEDULE:
                yield self._decision(caller, verbs.schedule_as_written, UNSCHEDULED)
            case Verb.BEST:
                learned = self.golden_hours.read_learned(caller)
                yield self._decision(caller, verbs.schedule_at_best, UNSCHEDULED, learned)
            case Verb.NOW:
                yield self._decision(caller, verbs.publish_now, SENDABLE)
            case Verb.RETRY:
                yield self._decision(caller, verbs.retry, _FAILED)
            case Verb.QUEUE:
                first, others = self._queue_times(caller, besides=besides)
                yield from chain((first,), others)

    def _queue_times(self, caller: Caller, *, besides: str) -> tuple[Decide, Iterator[Decide]]:
        """Return the decision for the soonest queue time, and those for the times after it.

        The last decision is for the case that no time is left. The free times are read here, once.
        """
        free = islice(self.queue_slots.free(caller, besides=besides), _QUEUE_TRIES)
        first = next(free, None)
        times = chain(free, (None,))
        ways = (self._decision(caller, partial(verbs.queue, at=at), UNSCHEDULED) for at in times)
        return self._decision(caller, partial(verbs.queue, at=first), UNSCHEDULED), ways

    def _decision(
        self,
        caller: Caller,
        verb: Callable[[Post, Facts], Update],
        takes: frozenset[TargetStatus],
        learned: Learned | None = None,
    ) -> Decide:
        """Return a verb as a decision about a post, with the facts about the targets it takes."""

        def decide(post: Post) -> Update:
            taken = [target for target in post.targets if target.status in takes]
            try:
                return verb(post, self._facts(caller, *taken, learned=learned))
            except RuleViolation:
                # That the file is gone matters more than what is wrong.
                self.updates.require_file(post)
                raise

        return decide

    def _facts(self, caller: Caller, *taken: Target, learned: Learned | None = None) -> Facts:
        """Return what is known of the accounts of targets that a verb takes."""
        now = self.clock()
        there = [target for target in taken if target.account_id in caller.accounts]
        choosing = [target for target in there if named_choices(target)]
        choices = self._known_choices(caller, choosing) if choosing else {}
        if learned is None:
            return Facts(caller=caller, now=now, choices=choices)
        going_to = {target.account_id: target.platform for target in there}
        golden = self.golden_hours.next_of_accounts(caller, going_to, learned, now)
        return Facts(caller=caller, now=now, choices=choices, golden=golden)

    def _known_choices(self, caller: Caller, choosing: Sequence[Target]) -> dict[str, Choices]:
        """Return what the accounts of targets that chose something offer, by target.

        For others no account is read, so that they cost no further round trip.
        """
        ids = sorted({target.account_id for target in choosing})
        accounts = self.reads.read(caller.workspace_id, account_ids=ids).accounts
        return {
            one.id: self.choices.known_choices(accounts.get(one.account_id), one)
            for one in choosing
        }
