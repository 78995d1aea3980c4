"""One way to change a post: load, decide, charge, save; again when somebody else was faster.

Every use case that changes a post goes through here, so that each is all or nothing, pays for what
it sets in motion, and sends its own wake message when a target's time is near.
"""

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.errors import FileRemoved, Stale
from chalicelib.domain.posts.charging import Payer, charge, payer_for
from chalicelib.domain.posts.history import Event
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import CHECK_AHEAD, Target, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.dynamodb.failures import backoff_s
from chalicelib.storage.dynamodb.transaction import StaleWriteError
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.storage.posts.posts import PostRepository

_TRIES = 20
_SOON = timedelta(seconds=20)
"""What is due this soon is sent before anybody could read what a check says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What a decision made of a post, and what its history says about it."""

    after: Post
    events: Sequence[Event]


Decide = Callable[[Post], Update]
Facts = TypeVar("Facts")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostUpdates:
    """Carries decisions about posts out; `check_queue` takes what is too near for a later check."""

    posts: PostRepository
    queue: PublishQueue
    check_queue: PublishQueue
    clock: Clock
    wait: Callable[[float], None] = time.sleep

    def apply(self, caller: Caller, post_id: str, decide: Decide) -> Post:
        """Change a post as `decide` says and return it as it is kept.

        `decide` may be called again with a newer post. Raises PostNotFound, what `decide` raises,
        Stale, PlanLimit, FileRemoved and QueueTimeTakenError.
        """

        def decide_on_it(post: Post) -> Update:
            _require_revision(caller, post)
            return decide(post)

        payer = payer_for(caller)
        return self.apply_for(caller.workspace_id, payer, post_id, decide_on_it)

    def apply_for(self, workspace_id: str, payer: Payer, post_id: str, decide: Decide) -> Post:
        """Change a post for somebody without a key, such as an operator."""

        def propose() -> tuple[Post, Update]:
            before = self.posts.get(workspace_id, post_id)
            return before, decide(before)

        return self._carry_out(payer, propose)

    def apply_to(self, caller: Caller, post: Post, decide: Decide) -> Post:
        """Change a post that was just read; it is read again only if it changed meanwhile."""
        just_read = [post]

        def propose() -> tuple[Post, Update]:
            before = just_read.pop() if just_read else self.posts.get(post.workspace_id, post.id)
            _require_revision(caller, before)
            return before, decide(before)

        return self._carry_out(payer_for(caller), propose)

    def apply_looking(
        self,
        caller: Caller,
        post_id: str,
        look: Callable[[], Facts],
        decide: Callable[[Post, Facts], Update],
    ) -> Post:
        """Change a post by what `look` reads beside it, anew at every try; raises as `apply`."""

        def propose() -> tuple[Post, Update]:
            before, facts = in_parallel(lambda: self.posts.get(caller.workspace_id, post_id), look)
            _require_revision(caller, before)
            return before, decide(before, facts)

        return self._carry_out(payer_for(caller), propose)

    def _carry_out(self, payer: Payer, propose: Callable[[], tuple[Post, Update]]) -> Post:
        for tried in range(_TRIES):
            before, update = propose()
            after, uses = charge(before, update.after, payer)
            try:
                saved = self.posts.save(before, after, events=update.events, uses=uses)
            except StaleWriteError:
                self.wait(backoff_s(tried))
            else:
                self._remind(before, saved)
                return saved
        raise StaleWriteError

    def require_file(self, post: Post) -> None:
        """Check that the post's file is still there. Raises FileRemoved."""
        if not self.posts.has_file(post):
            raise FileRemoved

    def _remind(self, before: Post, after: Post) -> None:
        """Send a wake message for every target whose time to wake is new and near."""
        now, changed = self.clock(), [t for t in after.targets if before.target(t.id) != t]
        refs = [
            TargetRef(after.id, target.id, after.workspace_id, target.progress.wake_at)
            for target in changed
            if target.progress.wake_at is not None
        ]
        self.queue.send_near(refs, now=now)
        checks = [
            TargetRef(after.id, target.id, after.workspace_id, now, is_check=True)
            for target in changed
            if _is_checked_at_once(target, now)
        ]
        self.check_queue.send_near(checks, now=now)


def _is_checked_at_once(target: Target, now: datetime) -> bool:
    """Tell whether a target is due before the check ahead of its time, yet not this moment."""
    waits = target.status is TargetStatus.SCHEDULED and target.progress.wake_at is not None
    return waits and target.due_at is not None and now + _SOON < target.due_at <= now + CHECK_AHEAD


def _require_revision(caller: Caller, post: Post) -> None:
    """Check that the caller means the post as it is now. Raises Stale."""
    if not caller.accepts(post.revision):
        raise Stale
