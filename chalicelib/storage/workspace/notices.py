"""What members were told: a row for each member and kind; and how far the rounds have come."""

from collections.abc import Sequence
from typing import Final

from chalicelib.domain.workspace.notices import MARK_BYTES, Told, event_marks
from chalicelib.domain.workspace.rounds import Stand
from chalicelib.kit.dynamodb.records import Kind, Record
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import NOTICE_ROUND_KEY, notice_key
from chalicelib.storage.workspace.rounds import keep_stand, read_stand


def _join(kept: frozenset[bytes]) -> bytes:
    return b"".join(sorted(kept))


def _split(kept: bytes | Sequence[str]) -> frozenset[bytes]:
    """Read marks; an older row has the ids themselves."""
    if not isinstance(kept, bytes):
        return event_marks(kept)
    return frozenset(kept[at : at + MARK_BYTES] for at in range(0, len(kept), MARK_BYTES))


_TOLD: Final = Record(Told, stored={"marks": "ids"}, kinds={"marks": Kind(_join, _split)})


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

    def stand(self) -> Stand | None:
        """Return how far the rounds have come, None before the first of many workspaces."""
        return read_stand(self._table, NOTICE_ROUND_KEY)

    def note(self, stand: Stand) -> None:
        """Keep how far the rounds have come."""
        keep_stand(self._table, NOTICE_ROUND_KEY, stand)
