"""What an operator does with posts and the engine: approve, reject, look inside, pause, redrive.

The command line calls it; nothing here is reachable through the API (docs/operations.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import PostNotFound, ServiceError
from chalicelib.domain.posts.charging import payer_for
from chalicelib.domain.posts.history import SYSTEM, Action, History, event
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.services.posts.updates import Decide, PostUpdates, Update
from chalicelib.storage.dynamodb.tables import WAKE_SHARDS
from chalicelib.storage.engine.switch import EngineSwitch, SwitchState
from chalicelib.storage.engine.targets import TargetRef, TargetRepository
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

OVERDUE_AFTER = timedelta(seconds=60)
_IN_MOTION = timedelta(minutes=15)


class NoApprovalsError(OperatorError):
    """The workspace does not use approvals. `workspace update ID --approvals on` turns them on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStatus:
    """How the engine is doing: the oldest target that should have been woken, and the queues."""

    paused: bool
    confirm_since: datetime | None
    oldest_overdue: datetime | None
    waiting: int
    working: int
    delayed: int
    dead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckTarget:
    """A target that is overdue or whose outcome is in doubt."""

    post_id: str
    workspace_id: str
    target: Target
    is_overdue: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineControl:
    """The operator's hands on posts and the engine."""

    posts: PostRepository
    targets: TargetRepository
    workspaces: WorkspaceRepository
    updates: PostUpdates
    queue: PublishQueue
    switch: EngineSwitch
    clock: Clock

    def approve(self, workspace_id: str, post_id: str) -> Post:
        """Let a post go out; what is past its time goes at once. Raises OperatorError."""

        def decide(post: Post) -> Update:
            now = self.clock()
            approved = replace(_with_approvals(post), approval=Approval.APPROVED)
            lead = approved.lead or timedelta(0)
            freed = [target.release(now=now, lead=lead) for target in approved.targets]
            happened = event(Action.APPROVED, SYSTEM, now)
            return Update(after=approved.with_targets(freed), events=(happened,))

        return self._change(workspace_id, post_id, decide)

    def reject(self, workspace_id: str, post_id: str) -> Post:
        """Keep a post from going out; its times and allowance are free again.

        Raises OperatorError.
        """

        def decide(post: Post) -> Update:
            rejected = replace(_with_approvals(post), approval=Approval.REJECTED)
            stopped = [target.cancel() for target in rejected.targets if target.is_cancellable]
            happened = event(Action.REJECTED, SYSTEM, self.clock())
            return Update(after=rejected.with_targets(stopped), events=(happened,))

        return self._change(workspace_id, post_id, decide)

    def _change(self, workspace_id: str, post_id: str, decide: Decide) -> Post:
        workspace = self.workspaces.get(workspace_id)
        if workspace is None:
            raise UnknownWorkspaceError
        payer = payer_for(workspace)
        try:
            return self.updates.apply_for(workspace_id, payer, post_id, decide)
        except ServiceError as error:
            raise OperatorError(error.message) from error

    def show(self, post_id: str) -> tuple[Post, History]:
        """Return the inside of a post and its history, deleted or not. Raises OperatorError."""
        try:
            return self.posts.get_any(post_id), self.posts.history(post_id)
        except PostNotFound as error:
            raise OperatorError("There is no such post.") from error

    def stuck(self) -> Sequence[StuckTarget]:
        """Return every target that is overdue or in doubt, the oldest first."""
        now = self.clock()
        found = (self._stuck(ref, now) for ref in self._waking(now + _IN_MOTION))
        return [one for one in found if one is not None]

    def _stuck(self, ref: TargetRef, now: datetime) -> StuckTarget | None:
        target = self.targets.get(ref)
        is_overdue = ref.wake_at < now - OVERDUE_AFTER
        if target is None or not (is_overdue or target.is_in_doubt):
            return None
        return StuckTarget(
            post_id=ref.post_id,
            workspace_id=ref.workspace_id,
            target=target,
            is_overdue=is_overdue,
        )

    def _waking(self, until: datetime) -> list[TargetRef]:
        refs = [
            ref
            for shard in WAKE_SHARDS
            for ref in self.targets.waking(after=None, until=until, shard=shard)
        ]
        return sorted(refs, key=lambda ref: ref.wake_at)

    def engine_status(self) -> EngineStatus:
        """Return how the engine is doing."""
        state = self.switch.read()
        waiting, working, delayed = self.queue.depth()
        return EngineStatus(
            paused=state.paused,
            confirm_since=state.confirm_since,
            oldest_overdue=self.targets.oldest_waking(self.clock() - OVERDUE_AFTER),
            waiting=waiting,
            working=working,
            delayed=delayed,
            dead=self.queue.dead(),
        )

    def pause(self) -> SwitchState:
        """Let nothing more be sent; what is being sent right now finishes."""
        return self.switch.pause()

    def resume(self, *, confirm_since: datetime | None = None) -> SwitchState:
        """Let the engine go on; what was due since then is looked for before it is sent."""
        if confirm_since is None:
            return self.switch.resume()
        return self.switch.resume_confirming(confirm_since, now=self.clock())

    def redrive(self) -> int:
        """Move dead wake messages back to the publish queue; return how many."""
        return self.queue.redrive()


def _with_approvals(post: Post) -> Post:
    if post.approval is None:
        raise NoApprovalsError
    return post
