"""Sessions and links: one row each in its workspace's partition, found by the hash of a secret.

Both carry `expires_at` for the table's own clean-up, which may come days late: whoever reads a row
compares times. Taking a link deletes it, so that it works once however many come at the same time.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from chalicelib.domain.workspace.sessions import LONGEST, Link, Session
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.storage.dynamodb.failures import is_refused
from chalicelib.storage.dynamodb.items import Item, attributes, epoch, plain, stamp
from chalicelib.storage.dynamodb.records import Record
from chalicelib.storage.dynamodb.transaction import PRESENT, BatchRead, Expression, parameters
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import member_from, workspace_from
from chalicelib.storage.workspace.keys import (
    LINKS,
    SESSIONS,
    link_key,
    member_key,
    session_key,
    workspace_key,
)

if TYPE_CHECKING:
    from chalicelib.storage.dynamodb.tables import Key


class SessionRepository:
    """Sessions of all members."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._client = directory.client
        self._table = directory.tables.directory
        self._batch = BatchRead(directory.client)

    def add(self, session: Session) -> None:
        """Keep a new session."""
        self._client.put_item(TableName=self._table, Item=attributes(session_item(session)))

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
        rows = [found.get((key["pk"], key["sk"])) for key in keys]
        if rows[0] is None or rows[1] is None or rows[2] is None:
            return None
        return session_from(rows[0]), member_from(rows[1]), workspace_from(rows[2])

    def note_use(self, session: Session, now: datetime) -> None:
        """Keep that a session was used; one that has ended meanwhile stays ended."""
        change = Expression("SET #seen_at = :now", {"now": stamp(now)})
        key = session_key(session.workspace_id, session.hash)
        expressions = {"UpdateExpression": change, "ConditionExpression": PRESENT}
        try:
            self._client.update_item(
                TableName=self._table, Key=attributes(key), **parameters(expressions)
            )
        except ClientError as error:
            if not is_refused(error):
                raise

    def list(self, workspace_id: str, member_id: str) -> list[Session]:
        """Return a member's sessions that have not been cleaned up, the last used first."""
        found = [session_from(row) for row in self._directory.rows(workspace_id, SESSIONS)]
        own = [session for session in found if session.member_id == member_id]
        return sorted(own, key=lambda session: session.seen_at, reverse=True)

    def end(self, workspace_id: str, session_hash: str) -> None:
        """End a session."""
        key = session_key(workspace_id, session_hash)
        self._client.delete_item(TableName=self._table, Key=attributes(key))


class LinkRepository:
    """Links of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._client = directory.client
        self._table = directory.tables.directory

    def add(self, link: Link) -> None:
        """Keep a new link."""
        self._client.put_item(TableName=self._table, Item=attributes(link_item(link)))

    def find(self, workspace_id: str, link_hash: str) -> Link | None:
        """Return a link that is there, ended by time or not."""
        row = self._directory.row(link_key(workspace_id, link_hash))
        return None if row is None else link_from(row)

    def take(self, workspace_id: str, link_hash: str) -> Link | None:
        """Use a link up and return it; None if it is not there or somebody was faster."""
        key: Key = link_key(workspace_id, link_hash)
        gone = self._client.delete_item(
            TableName=self._table, Key=attributes(key), ReturnValues="ALL_OLD"
        )
        row = gone.get("Attributes")
        return None if not row else link_from(plain(row))

    def list(self, workspace_id: str) -> list[Link]:
        """Return a workspace's links, oldest first."""
        found = [link_from(row) for row in self._directory.rows(workspace_id, LINKS)]
        return sorted(found, key=lambda link: link.created_at)


_SESSION: Final = Record(Session, apart=("hash", "workspace_id"))
_LINK: Final = Record(Link, apart=("hash", "workspace_id"), stored={"expires_at": "ends_at"})


def session_item(session: Session) -> Item:
    """Spell a session's row."""
    key = session_key(session.workspace_id, session.hash)
    expires_at = epoch(session.created_at + LONGEST)
    return {**key, **_SESSION.item(session), "expires_at": expires_at}


def session_from(row: Item) -> Session:
    """Read a session's row."""
    return _SESSION.value(row, **_named(row))


def link_item(link: Link) -> Item:
    """Spell a link's row."""
    key = link_key(link.workspace_id, link.hash)
    return {**key, **_LINK.item(link), "expires_at": epoch(link.expires_at)}


def link_from(row: Item) -> Link:
    """Read a link's row."""
    return _LINK.value(row, **_named(row))


def _named(row: Item) -> dict[str, str]:
    names = (str(row[part]).partition("#")[2] for part in ("pk", "sk"))
    return dict(zip(("workspace_id", "hash"), names, strict=True))
