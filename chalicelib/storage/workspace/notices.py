"""What members were told by e-mail, one row for a member and kind of letter."""

from chalicelib.domain.workspace.notices import Told
from chalicelib.kit.dynamodb.records import Record
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import notice_key

_TOLD = Record(Told)


class NoticeRows:
    """Letters to members of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._table = directory.table

    def read_told(self, workspace_id: str, member_id: str, kind: str) -> Told:
        """Return what a member was told."""
        row = self._table.get(notice_key(workspace_id, member_id, kind))
        return Told() if row is None else _TOLD.value(row)

    def keep(self, workspace_id: str, member_id: str, kind: str, told: Told) -> None:
        """Keep what a member was told."""
        self._table.put({**notice_key(workspace_id, member_id, kind), **_TOLD.item(told)})
