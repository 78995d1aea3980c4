"""Deletes a workspace's people, keys and accounts, as raw rows: first of all, access ends."""

import logging
from collections.abc import Iterator
from itertools import islice
from typing import Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Table, key_of, partition
from chalicelib.storage.deletion.progress import OWN_PARTITIONS
from chalicelib.storage.owned_rows import OWNS_ACCOUNTS, lines_of, linked_keys, partitions_of
from chalicelib.storage.row_kinds import Store
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import (
    ACCOUNTS,
    LIVE_KEYS,
    MEMBERS,
    workspace_key,
)
from chalicelib.storage.workspace.person_items import person_pk
from chalicelib.storage.workspace.persons import PersonRepository

_PERSONS: Final = person_pk("")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Went:
    """How many people and accounts there were until now."""

    members: int
    accounts: int


class DirectoryRemains:
    """Everything of a workspace that is neither a post nor a file."""

    def __init__(self, directory: WorkspaceTable, persons: PersonRepository) -> None:
        self._table = directory.table
        self._tables = {
            Store.POSTS: Table(directory.client, directory.tables.posts),
            Store.MEDIA: Table(directory.client, directory.tables.media),
            Store.DIRECTORY: directory.table,
        }
        self._persons = persons

    def account_ids(self, workspace_id: str) -> frozenset[str]:
        """Return the ids of the accounts that are or were connected."""
        rows = (row for prefix in OWNS_ACCOUNTS for row in self._rows(workspace_id, prefix))
        return frozenset(_id_of(row) for row in rows)

    def shut(self, workspace_id: str) -> None:
        """End all access: without the workspace's row no session, link or change finds it.

        A key is checked by its own item alone, so those are deleted, once no new one can be made.
        """
        for key in (*lines_of(workspace_id), workspace_key(workspace_id)):
            self._table.delete(key)
        for row in self._rows(workspace_id, LIVE_KEYS):
            self._erase_what_it_leads_to(workspace_id, row)

    def erase_some(self, workspace_id: str, most: int) -> Went | None:
        """Delete some rows of the workspace's partition, after the rows they lead to.

        Returns None if there are none.
        """
        some = list(islice(self._rows(workspace_id), most))
        for row in some:
            self._erase_what_it_leads_to(workspace_id, row)
            self._table.delete(key_of(row))
        members = [row for row in some if str(row["sk"]).startswith(MEMBERS)]
        accounts = [row for row in some if str(row["sk"]).startswith(ACCOUNTS)]
        went = Went(members=sum("removed_at" not in row for row in members), accounts=len(accounts))
        return went if some else None

    def _rows(self, workspace_id: str, prefix: str = "") -> Iterator[Item]:
        return self._table.rows(partition(workspace_pk(workspace_id), prefix))

    def _erase_what_it_leads_to(self, workspace_id: str, row: Item) -> None:
        for key in linked_keys(workspace_id, row):
            self._table.delete(key)
        if str(row["sk"]).startswith(MEMBERS):
            self._leave(workspace_id, row.get("person_id"))

    def _leave(self, workspace_id: str, person_id: object) -> None:
        """Remove the workspace from a person; an unreadable one stays, and is reported."""
        try:
            self._persons.forget_membership(str(person_id), workspace_id)
        except (KeyError, TypeError, ValueError):
            facts = {"action": "deletion.unreadable", "person_id": str(person_id)}
            _LOG.exception("A person cannot be read: the membership stays.", extra=facts)

    def erase_partitions(self, workspace_id: str) -> None:
        """Delete the rows and partitions whose keys contain the workspace's id."""
        for key in lines_of(workspace_id):
            self._table.delete(key)
        for store, table in self._tables.items():
            for pk in partitions_of(workspace_id, store):
                for row in list(table.rows(partition(pk))):
                    table.delete(key_of(row))

    def erase_found(self, workspace_id: str, row: Item) -> None:
        """Delete a row that a search found to be the workspace's."""
        pk = str(row["pk"])
        if pk in OWN_PARTITIONS:
            return
        if pk.startswith(_PERSONS):
            self._leave(workspace_id, pk.removeprefix(_PERSONS))
            return
        if pk == workspace_pk(workspace_id):
            self._erase_what_it_leads_to(workspace_id, row)
        self._table.delete(key_of(row))


def _id_of(row: Item) -> str:
    return str(row["sk"]).partition("#")[2]
