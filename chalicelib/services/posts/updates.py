"""One way to change a post: load, decide, charge, save; again when somebody else was faster.

Every use case that changes a post goes through here, so that each is all or nothing, pays for what
it sets in motion, and sends its own wake message when a target's time is near.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import FileRemoved, Stale
from chalicelib.domain.posts.charging import charge, payer_for
from chalicelib.domain.posts.history import Event
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import CHECK_AHEAD, Target, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import backoff_s
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.wake_queue import CHECK_NEAR, PublishQueue
from chalicelib.storage.posts.posts import PostRepository

_TRIES = 20
_SOON = timedelta(seconds=20)
"""What is due this soon is sent before anybody could read what a check says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What a decision made of a post, and what its history says about it."""

    after: Post
    events: Sequence[Event] = ()


Decide = Callable[[Post], Update]


def leave_unchanged(post: Post) -> Update:
    """Decide to leave a post as it is."""
    return Update(after=post)


def in_turn(first: Decide, second: Decide) -> Decide:
    """Return both decisions as one: the second is made about what the first leads to."""

    def decide(post: Post) -> Update:
        earlier = first(post)
        later = second(earlier.after)
        return Update(after=later.after, events=(*earlier.events, *later.events))

    return decide


@dataclass(frozen=True, slots=True, kw_only=True)
class PostUpdates:
    """What changes of posts need; `slower_queue` takes all but first visible calls."""

    posts: PostRepository
    queue: PublishQueue
    slower_queue: PublishQueue
    clock: Clock
    wait: Callable[[float], None] = time.sleep

    def change(self, by: Caller | Workspace) -> "Change":
        """Begin a change for a caller, or for a workspace whose key nobody used: an operator's."""
        return Change(self, by)

    def add(
        self, caller: Caller, post: Post, made: Event, decide: Decide, *, made_of: str | None
    ) -> Post:
        """Keep a new post as a decision makes it; raises as that and `PostRepository.add` do."""
        nothing, update = replace(post, targets=()), decide(post)
        after, uses = charge(nothing, update.after, payer_for(caller))
        self.posts.add(after, events=(made, *update.events), uses=uses, made_of=made_of)
        self.remind(nothing, after)
        return after

    def require_file(self, post: Post) -> None:
        """Check that the post's file is still there. Raises FileRemoved."""
        if not self.posts.has_file(post):
            raise FileRemoved

    def remind(self, before: Post, after: Post) -> None:
        """Send a wake message for every target whose time to wake is new and near."""
        now, changed = self.clock(), [t for t in after.targets if before.target(t.id) != t]
        checks, fires, others = list[TargetRef](), list[TargetRef](), list[TargetRef]()
        for target in changed:
            own = TargetRef(after.id, target.id, after.workspace_id, now)
            if target.progress.wake_at is not None:
                # A lane that waits for its seconds would hand others on late.
                lane = fires if target.fires_next else others
                lane.append(own.waking_at(target.progress.wake_at, target))
            if (check_at := _checked_at(target, now)) is not None:
                checks.append(replace(own, wake_at=check_at, is_check=True))
        self.queue.send_near(fires, now=now)
        self.slower_queue.send_near([*checks, *others], now=now)


def _checked_at(target: Target, now: datetime) -> datetime | None:
    """Return when a target is checked that no tick may see in time; None if one will, or too late.

    A tick sends a check for a quarter of an hour before a target wakes.
    """
    wake_at, due_at = target.progress.wake_at, target.due_at
    if target.status is not TargetStatus.SCHEDULED or wake_at is None or due_at is None:
        return None
    if due_at <= now + _SOON or wake_at > now + CHECK_AHEAD + CHECK_NEAR:
        return None
    return max(now, due_at - CHECK_AHEAD)


class Change:
    """A change of one post: read, decide and save, again while somebody else was faster.

    change = self.updates.change(caller)
    while change.is_open:
        post = change.read(post_id)
        change.save(post, decided(post), happened)
    return change.saved
    """

    def __init__(self, updates: PostUpdates, by: Caller | Workspace) -> None:
        self._updates = updates
        self._by = by
        self._tries = 0
        self._saved: Post | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether it is not saved yet."""
        return self._saved is None

    @property
    def saved(self) -> Post:
        """Return the post as it is kept, once it is."""
        if self._saved is None:
            raise StaleWriteError
        return self._saved

    def read(self, post_id: str) -> Post:
        """Return the post as it is now. Raises PostNotFound, or Stale if the caller means another.

        A caller may say which state of it the change is for.
        """
        by = self._by
        if isinstance(by, Workspace):
            return self._updates.posts.get(by.id, post_id)
        post = self._updates.posts.get(by.workspace_id, post_id)
        if not by.accepts(post.revision):
            raise Stale
        return post

    def read_current(self, post: Post) -> Post:
        """Return a post that was just read, or read it again if somebody was faster since."""
        return self.read(post.id) if self._tries else post

    def save(self, before: Post, after: Post, *events: Event) -> None:
        """Keep the post, pay for what it sets in motion and send its wake messages.

        Nothing is kept when somebody else was faster: read it again. Raises PlanLimit, FileRemoved
        and QueueTimeTakenError, and StaleWriteError when others were faster at every try.
        """
        after, uses = charge(before, after, payer_for(self._by))
        try:
            self._saved = self._updates.posts.save(before, after, events=events, uses=uses)
        except StaleWriteError:
            self._tries += 1
            if self._tries == _TRIES:
                raise
            self._updates.wait(backoff_s(self._tries - 1))
        else:
            self._updates.remind(before, self._saved)
