"""Deleting a workspace: what its people, accounts, posts and files leave behind goes with it.

`workspace delete` calls it. Nothing may be scheduled, so that no post is lost without a word. Who
could add something goes first and the workspace itself last: run again, it goes on where it ended.
"""

from collections.abc import Iterator

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.verbs import discard
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.connections import Connections
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.workspace.owner_index import require_id
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_A_PAGE = 200
_IN_MOTION = frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING})


class StillScheduledError(OperatorError):
    """Posts of this workspace are scheduled or being sent. Cancel or delete them first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedWorkspace:
    """What went."""

    workspace: Workspace
    posts: int
    files: int
    accounts: int
    members: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceDeletion:
    """Deletes workspaces."""

    workspaces: WorkspaceRepository
    administration: Administration
    connections: Connections
    lists: PostLists
    updates: PostUpdates
    library: MediaLibrary
    clock: Clock

    def delete(self, workspace_id: str) -> DeletedWorkspace:
        """Delete a workspace. Raises UnknownWorkspaceError, StillScheduledError."""
        workspace = self.workspaces.get(require_id(workspace_id, UnknownWorkspaceError))
        if workspace is None:
            raise UnknownWorkspaceError
        self._require_rest(workspace)
        members = self._dismiss(workspace)
        self._require_rest(workspace)  # nobody can schedule any more
        accounts = self.connections.list(workspace.id)
        for account in accounts:
            self.connections.disconnect(account.id)
        posts = sum(self._delete_post(workspace, post) for post in self._posts(workspace))
        files = self.library.empty(workspace.id)
        self.workspaces.forget(workspace.id)
        return DeletedWorkspace(
            workspace=workspace, posts=posts, files=files, accounts=len(accounts), members=members
        )

    def _require_rest(self, workspace: Workspace) -> None:
        query = PostQuery(statuses=_IN_MOTION, limit=1)
        if self.lists.find(workspace.id, query).posts:
            raise StillScheduledError

    def _dismiss(self, workspace: Workspace) -> int:
        """Remove everybody, and with them their keys and sessions; return how many."""
        members = self.administration.list_members(workspace.id)
        for member in members:
            self.administration.remove_member(member.id)
        return len(members)

    def _posts(self, workspace: Workspace) -> Iterator[Post]:
        """Yield what is left; what was deleted is on no list any more."""
        while posts := self.lists.find(workspace.id, PostQuery(limit=_A_PAGE)).posts:
            yield from posts

    def _delete_post(self, workspace: Workspace, post: Post) -> int:
        self.updates.carry_out(
            workspace, post.id, lambda before: discard(before, by="operator", now=self.clock())
        )
        return 1
