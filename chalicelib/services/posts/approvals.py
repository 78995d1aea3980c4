"""Approving and rejecting posts: for the operator, in the app, and by review links.

Who may decide is the caller's to check; what either makes of a post is `domain/posts/reviewing`.
"""

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.reviewing import (
    BY_OPERATOR,
    Decision,
    NoApprovalsError,
    approve,
    ask,
    reject,
)
from chalicelib.domain.posts.verbs import Decide, Update
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.transaction import Part
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    """Decisions over posts that wait."""

    workspaces: WorkspaceRepository
    updates: PostUpdates
    clock: Clock

    def approve(
        self,
        workspace_id: str,
        post_id: str,
        decision: Decision = BY_OPERATOR,
        beside: Part | None = None,
    ) -> Post:
        """Let a post go out; what is past its time goes at once.

        Raises OperatorError, and what `beside`, a part of the same transaction, refuses by.
        """

        def decide(post: Post) -> Update:
            return approve(post, decision, now=self.clock())

        return self._carry_out(workspace_id, post_id, decide, beside)

    def reject(
        self,
        workspace_id: str,
        post_id: str,
        decision: Decision = BY_OPERATOR,
        beside: Part | None = None,
    ) -> Post:
        """Keep a post from going out; its times and allowance are free again.

        Raises as `approve`.
        """

        def decide(post: Post) -> Update:
            return reject(post, decision, now=self.clock())

        return self._carry_out(workspace_id, post_id, decide, beside)

    def ask(self, caller: Caller, post_id: str) -> Post:
        """Let a draft wait for a review. Raises OperatorError for anything else."""
        if not caller.approvals:
            raise NoApprovalsError
        return self._carry_out(
            caller.workspace_id,
            post_id,
            lambda post: ask(post, caller.member_name, now=self.clock()),
        )

    def _carry_out(
        self, workspace_id: str, post_id: str, decide: Decide, beside: Part | None = None
    ) -> Post:
        workspace = self.workspaces.get(workspace_id)
        if workspace is None:
            raise UnknownWorkspaceError
        try:
            return self.updates.carry_out(workspace, post_id, decide, beside=beside)
        except ServiceError as error:
            raise OperatorError(error.message) from error
