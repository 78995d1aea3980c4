"""The progress of deletions, and the tombstones that remain.

pk         sk              what
DELETED    <workspace id>  when it was deleted and by what kind of actor; stays
DELETIONS  <workspace id>  how far its deletion is; goes with its end
"""

from datetime import datetime
from typing import Final

from chalicelib.domain.workspace.deletion import Deletion, Tombstone
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT, Table, partition
from chalicelib.storage.tables import Key

_UNDER_WAY = "DELETIONS"
_DELETED = "DELETED"
OWN_PARTITIONS = frozenset({_UNDER_WAY, _DELETED})
_DELETION: Final = Record(Deletion, apart=("workspace_id",))
_TOMBSTONE: Final = Record(Tombstone, apart=("workspace_id",))


def deletion_key(workspace_id: str) -> Key:
    """Key of a deletion's progress."""
    return {"pk": _UNDER_WAY, "sk": workspace_id}


def tombstone_key(workspace_id: str) -> Key:
    """Key of a deleted workspace's tombstone."""
    return {"pk": _DELETED, "sk": workspace_id}


def deletion_item(deletion: Deletion) -> Item:
    """Return the row of a deletion's progress."""
    return {**deletion_key(deletion.workspace_id), **_DELETION.item(deletion)}


def tombstone_item(tombstone: Tombstone) -> Item:
    """Return the row of a tombstone."""
    return {**tombstone_key(tombstone.workspace_id), **_TOMBSTONE.item(tombstone)}


class DeletionRows:
    """The deletions of a deployment."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def begin(self, deletion: Deletion) -> None:
        """Keep that a workspace is being deleted."""
        self._table.put(deletion_item(deletion))

    def find(self, workspace_id: str) -> Deletion | None:
        """Return a deletion's progress, None if there is none under way."""
        row = self._table.get(deletion_key(workspace_id))
        return None if row is None else _DELETION.value(row, workspace_id=workspace_id)

    def under_way(self) -> list[Deletion]:
        """Return every deletion that has not ended."""
        rows = list(self._table.rows(partition(_UNDER_WAY)))
        return [_DELETION.value(row, workspace_id=row["sk"]) for row in rows]

    def keep(self, deletion: Deletion) -> None:
        """Keep its progress; one that another process ended meanwhile stays ended."""
        self._table.put(deletion_item(deletion), PRESENT)

    def bury(self, tombstone: Tombstone) -> None:
        """Keep a workspace's tombstone; an earlier one stays as it is."""
        if self.tombstone(tombstone.workspace_id) is None:
            self._table.put(tombstone_item(tombstone))

    def tombstone(self, workspace_id: str) -> Tombstone | None:
        """Return a workspace's tombstone, None if it was not deleted."""
        row = self._table.get(tombstone_key(workspace_id))
        return None if row is None else _TOMBSTONE.value(row, workspace_id=workspace_id)

    def end(self, tombstone: Tombstone, ended_at: datetime) -> None:
        """Note that the deletion is complete; safe to repeat."""
        ended = Tombstone(
            workspace_id=tombstone.workspace_id,
            deleted_at=tombstone.deleted_at,
            by=tombstone.by,
            ended_at=tombstone.ended_at or ended_at,
        )
        self._table.put(tombstone_item(ended))
        self._table.delete(deletion_key(tombstone.workspace_id))
