"""Moves sessions and passkeys of members from before there were persons to their person.

Each transaction moves a few rows from the workspace's partition to the person's, and the member
becomes the person last: an interrupted move continues at the next visit, and no row is doubled or
lost. Old cookies and passkeys keep working.
"""

from collections.abc import Iterator
from datetime import datetime

from chalicelib.domain.workspace.passkeys import Passkey
from chalicelib.domain.workspace.persons import Person
from chalicelib.domain.workspace.sessions import Session
from chalicelib.kit.dynamodb.items import Item, instant
from chalicelib.kit.dynamodb.table import PRESENT, Table, key_of
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.sign_in.passkeys import passkey_from
from chalicelib.storage.sign_in.sessions import session_item
from chalicelib.storage.tables import Key
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import workspace_of
from chalicelib.storage.workspace.person_items import (
    SESSIONS,
    former_passkey_key,
    former_passkeys_of,
    passkey_key,
)
from chalicelib.storage.workspace.persons import PersonRepository

_ROWS_A_TIME = 20


class FormerPeople:
    """Sessions and passkeys from before there were persons."""

    def __init__(self, directory: WorkspaceTable, persons: PersonRepository) -> None:
        self._directory = directory
        self._table: Table = directory.table
        self._rows = directory.tables.directory
        self._persons = persons

    def has_any(self, workspace_id: str, member_id: str) -> bool:
        """Tell whether a member had a session or a passkey before there were persons."""
        return next(self._moves(workspace_id, member_id), None) is not None

    def find_passkey(self, workspace_id: str, member_id: str, passkey_hash: str) -> Passkey | None:
        """Return a member's passkey from its former row."""
        row = self._table.get(former_passkey_key(workspace_id, member_id, passkey_hash))
        return None if row is None else passkey_from(row, member_id, passkey_hash)

    def take_over(self, workspace_id: str, member_id: str, now: datetime) -> Person:
        """Move a member's rows to the person it becomes or is; return the person.

        Raises UnknownMemberError.
        """
        while moved := self._some(workspace_id, member_id):
            transaction = self._directory.transaction()
            for key, row in moved:
                transaction.delete(self._rows, key, PRESENT)
                transaction.put(self._rows, row)
            try:
                transaction.commit()
            except StaleWriteError:  # another request moves the same rows, or one was ended
                continue
        return self._persons.join(workspace_id, member_id, None, now)

    def _some(self, workspace_id: str, member_id: str) -> list[tuple[Key, Item]]:
        moves = self._moves(workspace_id, member_id)
        return [move for move, _ in zip(moves, range(_ROWS_A_TIME), strict=False)]

    def _moves(self, workspace_id: str, member_id: str) -> Iterator[tuple[Key, Item]]:
        """Yield each row's key and its new row."""
        for row in self._directory.rows(workspace_id, former_passkeys_of(member_id)):
            passkey_hash = str(row["sk"]).rpartition("#")[2]
            yield key_of(row), {**row, **passkey_key(member_id, passkey_hash)}
        for row in self._directory.rows(workspace_id, SESSIONS):
            if row["member_id"] == member_id:
                yield key_of(row), session_item(former_session_from(row))


def former_session_from(row: Item) -> Session:
    """Read the row of a session from before there were persons: it is of one workspace."""
    return Session(
        hash=str(row["sk"]).partition("#")[2],
        person_id=str(row["member_id"]),
        created_at=instant(row["created_at"]),
        seen_at=instant(row["seen_at"]),
        device=str(row.get("device", "")),
        reach=frozenset({workspace_of(row)}),
    )
