"""Puts posts on the list of those that wait for review which the release before kept on none.

`workers/former_reviews` goes through each workspace's posts once; the line of the workspace says
how far that has come.
"""

from collections.abc import Mapping

from chalicelib.domain.posts.post import Post
from chalicelib.kit.dynamodb.table import PRESENT, Table, partition, setting, unless_changed
from chalicelib.storage.tables import list_waiting, post_key
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import WORKSPACES_PK, listed_workspace_key

_ALL = "all"


class FormerReviewRows:
    """Posts of all workspaces, and how far each workspace's were gone through."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory.table
        self._posts = Table(directory.client, directory.tables.posts)

    def places(self) -> Mapping[str, str | None]:
        """Return where to go on in each workspace that is not gone through, by its id."""
        lines = self._directory.rows(partition(WORKSPACES_PK))
        found = {line["sk"]: line.get("reviews_listed") for line in lines}
        return {workspace_id: place for workspace_id, place in found.items() if place != _ALL}

    def note(self, workspace_id: str, cursor: str | None) -> None:
        """Note where a workspace goes on; None: it is gone through."""
        line = listed_workspace_key(workspace_id)
        self._directory.update(line, setting({"reviews_listed": cursor or _ALL}), PRESENT)

    def put_on_list(self, post: Post) -> None:
        """Put a post that waits on the list; one that changed meanwhile did that by itself."""
        place = {"time_workspace": list_waiting(post.workspace_id), "time_key": post.id}
        self._posts.update(post_key(post.id), setting(place), unless_changed(post.version))
