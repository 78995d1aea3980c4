"""The one way to change a post: read it, decide, charge, save; again if it changed meanwhile.

Every use case that changes a post goes through `carry_out`, so that each is all or nothing, pays
for what it schedules, sends a wake message when a target's time is near, and marks the workspace
where a post waits for review from now. What a verb makes of a post is decided in `domain/posts`:
`verbs`, `reviewing` and `editing`.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import FileRemoved, QueueFull, Stale
from chalicelib.domain.posts.charging import charge, payer_for
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import CHECK_AHEAD, Target, TargetStatus
from chalicelib.domain.posts.verbs import Decide, Update
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import backoff_s
from chalicelib.kit.dynamodb.transaction import Part, StaleWriteError
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.wake_queue import CHECK_NEAR, Lanes, PublishQueue
from chalicelib.storage.posts.changes import QueueTimeTakenError
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_TRIES = 20
By = Caller | Workspace
"""Who changes a post: somebody, or operators and workers for a workspace."""
_SOON = timedelta(seconds=20)
"""A target due this soon is not checked: it is sent before anybody could read the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostUpdates:
    """Changes posts, for a caller or, as operators and workers do, for a workspace."""

    posts: PostRepository
    workspaces: WorkspaceRepository
    lanes: Lanes
    clock: Clock
    wait: Callable[[float], None] = time.sleep

    def carry_out(
        self,
        by: By,
        post: Post | str,
        decide: Decide,
        *,
        otherwise: Iterable[Decide] = (),
        beside: Part | None = None,
    ) -> Post:
        """Read a post, decide what becomes of it and save that; again if it changed meanwhile.

        A post that was just read is read again only if it changed since. Each of `otherwise` is
        tried when the queue time of the one before is taken; `beside` is saved in the transaction.
        Raises what the decision and `posts.save` raise, PostNotFound, Stale and StaleWriteError.
        """
        before, tries = post if isinstance(post, Post) else self.read(by, post), 0
        others = iter(otherwise)
        while True:
            try:
                return self._save(by, before, decide(before), beside)
            except QueueTimeTakenError:
                following = next(others, None)
                if following is None:
                    raise
                decide = following
            except StaleWriteError:
                tries += 1
                if tries == _TRIES:
                    raise
                self.wait(backoff_s(tries - 1))
                before = self.read(by, before.id)

    def read(self, by: By, post_id: str) -> Post:
        """Return the post as it is now. Raises PostNotFound, and Stale.

        Stale: the caller named the state that the change is for (`If-Match`), and it has passed.
        """
        if isinstance(by, Workspace):
            return self.posts.get(by.id, post_id)
        post = self.posts.get(by.workspace_id, post_id)
        if not by.accepts(post.revision):
            raise Stale
        return post

    def _save(self, by: By, before: Post, update: Update, beside: Part | None) -> Post:
        """Save a post, pay for what it schedules and send its wake messages."""
        if update == Update(after=before) and beside is None:
            return before
        after, uses = charge(before, update.after, payer_for(by))
        saved = self.posts.save(before, after, events=update.events, uses=uses, beside=beside)
        self._remind(before, saved)
        if saved.approval is not before.approval:
            self.tell_of_waiting(saved)
        return saved

    def add(
        self, caller: Caller, made: Update, ways: Iterable[Decide], *, made_of: str | None
    ) -> Post:
        """Save a new post as the first decision makes it whose queue time is not taken.

        Raises as that and `PostRepository.add` do, and QueueFull.
        """
        nothing = replace(made.after, targets=())
        for decide in ways:
            update = decide(made.after)
            after, uses = charge(nothing, update.after, payer_for(caller))
            events = (*made.events, *update.events)
            with suppress(QueueTimeTakenError):
                self.posts.add(after, events=events, uses=uses, made_of=made_of)
                self._remind(nothing, after)
                self.tell_of_waiting(after)
                return after
        raise QueueFull

    def tell_of_waiting(self, post: Post) -> None:
        """Let the next round of notices tell of a post that waits for review from now."""
        if post.approval is Approval.PENDING:
            self.workspaces.mark(post.workspace_id, self.clock())

    def require_file(self, post: Post) -> None:
        """Check that the post's files are still there. Raises FileRemoved."""
        if not self.posts.has_files(post):
            raise FileRemoved

    def _remind(self, before: Post, after: Post) -> None:
        """Send a wake message for every target whose time to wake is new and near."""
        now, changed = self.clock(), [t for t in after.targets if before.target(t.id) != t]
        messages = defaultdict[PublishQueue, list[TargetRef]](list, {self.lanes.fire: []})
        for target in changed:
            own = TargetRef(after.id, target.id, after.workspace_id, now)
            if (check_at := _checked_at(target, now)) is not None:
                check = replace(own, wake_at=check_at, kind=MessageKind.CHECK)
                messages[self.lanes.prepare].append(check)
            if target.progress.wake_at is not None:
                # A lane that waits for its seconds would hand others on late.
                ref = own.waking_at(target.progress.wake_at, target)
                messages[self.lanes.of(target)].append(ref)
        for queue, refs in messages.items():
            queue.send_near(refs, now=now)


def _checked_at(target: Target, now: datetime) -> datetime | None:
    """Return when to check a target that no tick may see in time; None if one does or it is late.

    A tick sends a check for a quarter of an hour before a target wakes.
    """
    wake_at, due_at = target.progress.wake_at, target.due_at
    if target.status is not TargetStatus.SCHEDULED or wake_at is None or due_at is None:
        return None
    if due_at <= now + _SOON or wake_at > now + CHECK_AHEAD + CHECK_NEAR:
        return None
    return max(now, due_at - CHECK_AHEAD)
