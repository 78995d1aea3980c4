"""Approving and rejecting posts: for the operator, in the app, and by review links.

Who may decide is the caller's to check. An approved post's targets go as scheduled, at once if
their time has passed; a rejected one gives its times and allowance back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.outcome import Json
from chalicelib.domain.posts.charging import payer_for
from chalicelib.domain.posts.history import SYSTEM, Action, event
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.services.posts.updates import Decide, PostUpdates, Update
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


class NoApprovalsError(OperatorError):
    """The workspace does not use approvals. `workspace update ID --approvals on` turns them on."""


class DecidedError(OperatorError):
    """This post waits for no review: somebody decided, or it was never submitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Who decided, with what note; `only_pending` refuses to overrule a decision."""

    by: str = SYSTEM
    note: str = ""
    only_pending: bool = False

    @property
    def detail(self) -> Mapping[str, Json]:
        """Return what history tells of it."""
        return {"note": self.note} if self.note else {}


BY_OPERATOR = Decision()


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    """Decisions over posts that wait."""

    workspaces: WorkspaceRepository
    updates: PostUpdates
    clock: Clock

    def approve(self, workspace_id: str, post_id: str, decision: Decision = BY_OPERATOR) -> Post:
        """Let a post go out; what is past its time goes at once. Raises OperatorError."""

        def decide(post: Post) -> Update:
            now = self.clock()
            approved = replace(_waiting(post, decision), approval=Approval.APPROVED)
            freed = [
                target.release(now=now, lead=approved.lead(target)) for target in approved.targets
            ]
            happened = event(Action.APPROVED, decision.by, now, decision.detail)
            return Update(after=approved.with_targets(freed), events=(happened,))

        return self._change(workspace_id, post_id, decide)

    def reject(self, workspace_id: str, post_id: str, decision: Decision = BY_OPERATOR) -> Post:
        """Keep a post from going out; its times and allowance are free again.

        Raises OperatorError.
        """

        def decide(post: Post) -> Update:
            rejected = replace(_waiting(post, decision), approval=Approval.REJECTED)
            stopped = [target.cancel() for target in rejected.targets if target.is_cancellable]
            happened = event(Action.REJECTED, decision.by, self.clock(), decision.detail)
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


def _waiting(post: Post, decision: Decision) -> Post:
    if post.approval is None:
        raise NoApprovalsError
    if decision.only_pending and post.approval is not Approval.PENDING:
        raise DecidedError
    return post
