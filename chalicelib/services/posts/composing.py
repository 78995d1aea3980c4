"""What a person wrote, and what shall become of it, as one change: both happen or neither does.

The app's composer calls it, so that what goes out is what stood on the screen. The rules are those
of `drafts` and `scheduling`, one decision after the other in a single transaction.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from functools import partial

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import NothingToRetry, QueueFull
from chalicelib.domain.posts.drafting import NewPost, PostChanges, past_time, refuse
from chalicelib.domain.posts.history import Action, event_by
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.services.posts.updates import Decide, Update, in_turn, leave_unchanged
from chalicelib.storage.posts.changes import QueueTimeTakenError

_AT = ("body", "at")


class Verb(StrEnum):
    """What becomes of a post that was written: kept, or set in motion in one of five ways."""

    SAVE = "save"
    SCHEDULE = "schedule"
    QUEUE = "queue"
    BEST = "best"
    NOW = "now"
    RETRY = "retry"


@dataclass(frozen=True, slots=True, kw_only=True)
class Composing:
    """Writes posts and sets them in motion, all or nothing."""

    drafts: Drafts
    scheduling: Scheduling

    def create(self, caller: Caller, draft: NewPost, verb: Verb, *, once: str | None) -> Post:
        """Make a post and do with it what was asked; `once` makes one post of repeats.

        Raises what `Drafts.create` and the verb raise, and nothing is kept then.
        """
        for decide in self._ways(caller, verb):
            with suppress(QueueTimeTakenError):
                post, _ = self.drafts.create(caller, draft, idempotency_key=once, then=decide)
                return post
        raise QueueFull

    def change(self, caller: Caller, post_id: str, changes: PostChanges, verb: Verb) -> Post:
        """Change a post and do with it what was asked.

        Raises what `Drafts.edit` and the verb raise, and nothing is changed then.
        """
        is_edit = changes != PostChanges()
        edit = self.drafts.editing(caller, changes) if is_edit else leave_unchanged
        for decide in self._ways(caller, verb, besides=post_id):
            with suppress(QueueTimeTakenError):
                return self._carried_out(caller, post_id, in_turn(edit, decide))
        raise QueueFull

    def _carried_out(self, caller: Caller, post_id: str, decide: Decide) -> Post:
        change = self.drafts.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            update = decide(post)
            change.save(post, update.after, *update.events)
        return change.saved

    def put_away(self, caller: Caller, post_id: str) -> Post:
        """Take failed targets for what a person stopped: history keeps that they failed.

        Raises NothingToRetry.
        """

        def decide(post: Post) -> Update:
            failed = [t for t in post.targets if t.status is TargetStatus.FAILED]
            if not failed:
                raise NothingToRetry
            now, detail = self.scheduling.clock(), {"targets": len(failed)}
            happened = event_by(caller, Action.CANCELLED, now, detail)
            after = post.with_targets(target.cancel() for target in failed)
            return Update(after=after, events=(happened,))

        return self._carried_out(caller, post_id, decide)

    def _ways(self, caller: Caller, verb: Verb, *, besides: str = "") -> Iterator[Decide]:
        """Yield the decisions to try: one, but for queue times, which others may take first."""
        scheduling = self.scheduling
        match verb:
            case Verb.SAVE:
                yield leave_unchanged
            case Verb.SCHEDULE:
                yield partial(self._at_own_times, caller)
            case Verb.BEST:
                yield self._at_best_times(caller)
            case Verb.NOW:
                yield partial(scheduling.at_once, caller)
            case Verb.RETRY:
                yield partial(scheduling.again, caller)
            case Verb.QUEUE:
                for at in scheduling.free_times(caller, besides=besides):
                    yield partial(scheduling.decide_queue_time, caller, at)
                yield partial(scheduling.decide_queue_time, caller, None)

    def _at_own_times(self, caller: Caller, post: Post) -> Update:
        """Schedule what is not scheduled yet; the edit before has moved the rest."""
        if not any(target.is_unscheduled for target in post.targets):
            return leave_unchanged(post)
        return self.scheduling.at_times(caller, self._own_time, post)

    def _own_time(self, target: Target) -> datetime:
        at = target.scheduled_at
        if at is None:
            raise InvalidInput("Choose a date and time first.", loc=_AT)
        refuse(past_time(at, now=self.scheduling.clock(), loc=_AT))
        return at

    def _at_best_times(self, caller: Caller) -> Decide:
        hours, now = self.scheduling.golden_hours, self.scheduling.clock()
        learned = hours.learned(caller)

        def golden(target: Target) -> datetime:
            return hours.next_of(caller, target.platform, target.account_id, learned, now=now)

        return partial(self.scheduling.at_times, caller, golden)
