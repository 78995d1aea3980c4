"""Notices sent to members by e-mail: one row for each member and kind of notice."""

from chalicelib.domain.workspace.notices import Told
from chalicelib.kit.dynamodb.records import Record
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import notice_key

_TOLD = Record(Told)


class NoticeRows:
    """Notices to members of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._table = directory.table

    def read_told(self, workspace_id: str, member_id: str, kind: str) -> Told:
        """Return a member's last notice."""
        row = self._table.get(notice_key(workspace_id, member_id, kind))
        return Told() if row is None else _TOLD.value(row)

    def keep(self, workspace_id: str, member_id: str, kind: str, told: Told) -> None:
        """Keep a member's last notice."""
        self._table.put({**notice_key(workspace_id, member_id, kind), **_TOLD.item(told)})
