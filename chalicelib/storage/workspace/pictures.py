"""The picture of each workspace: one row, small enough for it."""

from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import picture_key


class WorkspacePictureRows:
    """Pictures of all workspaces; every method names the workspace."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._table = directory.table

    def find(self, workspace_id: str) -> bytes | None:
        """Return a workspace's picture, None if it has none."""
        row = self._table.get(picture_key(workspace_id))
        return None if row is None else bytes(row["picture"])

    def put(self, workspace_id: str, picture: bytes) -> None:
        """Keep a picture, replacing an earlier one."""
        self._table.put({**picture_key(workspace_id), "picture": picture})

    def remove(self, workspace_id: str) -> None:
        """Forget the picture, if there is one."""
        self._table.delete(picture_key(workspace_id))
