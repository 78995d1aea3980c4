"""Sessions: one row each in its person's partition, found by the hash of a secret.

Rows have `expires_at` for DynamoDB's TTL, which may be days late: readers compare times.
"""

from datetime import datetime
from typing import Final

from chalicelib.domain.workspace.persons import Person
from chalicelib.domain.workspace.session_cookies import SessionCookie
from chalicelib.domain.workspace.sessions import LONGEST, Session
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, epoch, stamp
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT, BatchRead, name_of, partition, setting
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import (
    member_from,
    member_key,
    workspace_from,
    workspace_key,
)
from chalicelib.storage.workspace.person_items import (
    SESSIONS,
    person_from,
    person_key,
    person_of,
    person_pk,
    session_key,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What belongs to a cookie now: the session, the person, the member and the workspace."""

    session: Session | None
    person: Person | None
    member: Member | None
    workspace: Workspace | None


class SessionRepository:
    """Sessions of all persons."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.tables.directory
        self._batch = BatchRead(directory.client)

    def add(self, session: Session) -> None:
        """Keep a new session."""
        self._directory.table.put(session_item(session))

    def read(self, cookie: SessionCookie) -> Found:
        """Return what belongs to a cookie now, in one round trip."""
        keys = (
            session_key(cookie.person_id, cookie.hash),
            person_key(cookie.person_id),
            member_key(cookie.workspace_id, cookie.member_id),
            workspace_key(cookie.workspace_id),
        )
        found = self._batch.read([(self._table, key) for key in keys])
        session, person, member, workspace = (found.get(name_of(key)) for key in keys)
        return Found(
            session=None if session is None else session_from(session),
            person=None if person is None else person_from(person),
            member=None if member is None else member_from(member),
            workspace=None if workspace is None else workspace_from(workspace),
        )

    def note_use(self, session: Session, now: datetime) -> None:
        """Note that a session was used; one that has ended meanwhile stays ended."""
        key = session_key(session.person_id, session.hash)
        self._directory.table.update(key, setting({"seen_at": stamp(now)}), PRESENT)

    def replace(self, before: Session, after: Session) -> bool:
        """Replace a session by another; tell whether the first had not ended."""
        transaction = self._directory.transaction()
        transaction.delete(self._table, session_key(before.person_id, before.hash), PRESENT)
        transaction.put(self._table, session_item(after))
        try:
            transaction.commit()
        except StaleWriteError:
            return False
        return True

    def list(self, person_id: str) -> list[Session]:
        """Return a person's sessions whose rows still exist, the last used first."""
        rows = self._directory.table.rows(partition(person_pk(person_id), SESSIONS))
        found = [session_from(row) for row in rows]
        return sorted(found, key=lambda session: session.seen_at, reverse=True)

    def end(self, person_id: str, session_hash: str) -> None:
        """End a session."""
        self._directory.table.delete(session_key(person_id, session_hash))


_SESSION: Final = Record(Session, apart=("hash", "person_id"))


def session_item(session: Session) -> Item:
    """Return a session's row."""
    key = session_key(session.person_id, session.hash)
    expires_at = epoch(session.created_at + LONGEST)
    return {**key, **_SESSION.item(session), "expires_at": expires_at}


def session_from(row: Item) -> Session:
    """Read a session's row."""
    return _SESSION.value(row, person_id=person_of(row), hash=str(row["sk"]).partition("#")[2])
