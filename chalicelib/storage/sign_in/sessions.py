"""Sessions: one row each in its workspace's partition, found by the hash of a secret.

Rows carry `expires_at` for the table's own clean-up, which may come days late: whoever reads a row
compares times.
"""

from datetime import datetime
from typing import Final

from chalicelib.domain.workspace.sessions import LONGEST, Session
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dynamodb.items import Item, epoch, stamp
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT, BatchRead, name_of, setting
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import (
    SESSIONS,
    member_from,
    member_key,
    session_key,
    workspace_from,
    workspace_key,
)


class SessionRepository:
    """Sessions of all members."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.tables.directory
        self._batch = BatchRead(directory.client)

    def add(self, session: Session) -> None:
        """Keep a new session."""
        self._directory.table.put(session_item(session))

    def read(
        self, workspace_id: str, member_id: str, session_hash: str
    ) -> tuple[Session, Member, Workspace] | None:
        """Return a session with its member and workspace as they are now: one round trip."""
        keys = (
            session_key(workspace_id, session_hash),
            member_key(workspace_id, member_id),
            workspace_key(workspace_id),
        )
        found = self._batch.read([(self._table, key) for key in keys])
        rows = [found.get(name_of(key)) for key in keys]
        if rows[0] is None or rows[1] is None or rows[2] is None:
            return None
        return session_from(rows[0]), member_from(rows[1]), workspace_from(rows[2])

    def note_use(self, session: Session, now: datetime) -> None:
        """Keep that a session was used; one that has ended meanwhile stays ended."""
        key = session_key(session.workspace_id, session.hash)
        self._directory.table.update(key, setting({"seen_at": stamp(now)}), PRESENT)

    def list(self, workspace_id: str, member_id: str) -> list[Session]:
        """Return a member's sessions that have not been cleaned up, the last used first."""
        found = [session_from(row) for row in self._directory.rows(workspace_id, SESSIONS)]
        own = [session for session in found if session.member_id == member_id]
        return sorted(own, key=lambda session: session.seen_at, reverse=True)

    def end(self, workspace_id: str, session_hash: str) -> None:
        """End a session."""
        self._directory.table.delete(session_key(workspace_id, session_hash))


_SESSION: Final = Record(Session, apart=("hash", "workspace_id"))


def session_item(session: Session) -> Item:
    """Spell a session's row."""
    key = session_key(session.workspace_id, session.hash)
    expires_at = epoch(session.created_at + LONGEST)
    return {**key, **_SESSION.item(session), "expires_at": expires_at}


def session_from(row: Item) -> Session:
    """Read a session's row."""
    return _SESSION.value(row, **named_by_hash(row))


def named_by_hash(row: Item) -> dict[str, str]:
    """Return what the key of such a row says: its workspace, and the hash of its secret."""
    names = (str(row[part]).partition("#")[2] for part in ("pk", "sk"))
    return dict(zip(("workspace_id", "hash"), names, strict=True))
