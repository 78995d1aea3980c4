"""One way to change a post: load, decide, charge, save; again when somebody else was faster.

Every use case that changes a post goes through here, so that each is all or nothing, pays for what
it sets in motion, and sends its own hint when a target's time is near.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chalicelib.domain.access import Caller
from chalicelib.domain.charging import Payer, charge
from chalicelib.domain.clock import Clock
from chalicelib.domain.history import Event
from chalicelib.domain.post import Post
from chalicelib.storage.posts import PostRepository
from chalicelib.storage.publish_queue import PublishQueue
from chalicelib.storage.targets import TargetRef
from chalicelib.storage.transaction import StaleWriteError

_TRIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What a decision made of a post, and what its history says about it."""

    after: Post
    events: Sequence[Event]


Decide = Callable[[Post], Update]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostUpdates:
    """Carries decisions about posts out."""

    posts: PostRepository
    queue: PublishQueue
    clock: Clock
    wait: Callable[[float], None] = time.sleep

    def apply(self, caller: Caller, post_id: str, decide: Decide) -> Post:
        """Change a post as `decide` says and return it as it is kept.

        `decide` may be called again with a newer post. Raises PostNotFound, what `decide` raises,
        PlanLimit, FileRemoved and QueueTimeTakenError.
        """
        payer = Payer(plan=caller.plan, timezone=caller.timezone)
        return self.apply_for(caller.workspace_id, payer, post_id, decide)

    def apply_for(self, workspace_id: str, payer: Payer, post_id: str, decide: Decide) -> Post:
        """Change a post for somebody without a key, such as an operator."""
        for tried in range(_TRIES):
            before = self.posts.get(workspace_id, post_id)
            update = decide(before)
            after, uses = charge(before, update.after, payer)
            try:
                saved = self.posts.save(before, after, events=update.events, uses=uses)
            except StaleWriteError:
                self.wait(random.uniform(0, 0.01 * (tried + 1)))  # noqa: S311  # jitter
            else:
                self._remind(before, saved)
                return saved
        raise StaleWriteError

    def _remind(self, before: Post, after: Post) -> None:
        """Send a hint for every target whose time to wake is new and near."""
        refs = [
            TargetRef(after.id, target.id, after.workspace_id, target.motion.wake_at)
            for target in after.targets
            if target.motion.wake_at is not None and before.target(target.id) != target
        ]
        self.queue.send_near(refs, now=self.clock())
