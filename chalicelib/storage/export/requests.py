"""The exports that owners asked for, one row a workspace.

pk         sk              what
EXPORTS    <workspace id>  how far its export is, and the parts that are whole; 7 days
"""

from dataclasses import replace
from typing import Final

from chalicelib.domain.workspace.exports import ExportRequest
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import ABSENT, Table, partition, unless_changed
from chalicelib.storage.tables import Key

_EXPORTS: Final = "EXPORTS"
_REQUEST: Final = Record(ExportRequest, apart=("workspace_id",))


def export_request_key(workspace_id: str) -> Key:
    """Key of a workspace's export request."""
    return {"pk": _EXPORTS, "sk": workspace_id}


def export_request_item(request: ExportRequest) -> Item:
    """Return the row of an export."""
    return {**export_request_key(request.workspace_id), **_REQUEST.item(request)}


class ExportRequestRows:
    """The exports of a deployment."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def find(self, workspace_id: str) -> ExportRequest | None:
        """Return a workspace's export, None if there is none."""
        row = self._table.get(export_request_key(workspace_id))
        return None if row is None else _REQUEST.value(row, workspace_id=workspace_id)

    def every(self) -> list[ExportRequest]:
        """Return every export, under way or over."""
        rows = self._table.rows(partition(_EXPORTS))
        return [_REQUEST.value(row, workspace_id=row["sk"]) for row in rows]

    def begin(self, request: ExportRequest, *, instead_of: ExportRequest | None) -> bool:
        """Replace the export that was read by a new one; tell whether it was unchanged."""
        seen = ABSENT if instead_of is None else unless_changed(instead_of.version)
        version = 1 if instead_of is None else instead_of.version + 1
        return self._table.put(export_request_item(replace(request, version=version)), seen)

    def keep(self, request: ExportRequest) -> ExportRequest | None:
        """Keep its progress; return it as kept, None if another process changed or erased it."""
        after = replace(request, version=request.version + 1)
        is_kept = self._table.put(export_request_item(after), unless_changed(request.version))
        return after if is_kept else None

    def forget(self, request: ExportRequest) -> None:
        """Delete it, unless another process has changed it."""
        self._table.delete(
            export_request_key(request.workspace_id), unless_changed(request.version)
        )
