"""Links that work once: one row each in its workspace's partition, found by a hash.

Using a link deletes it, so that it works once, whatever number of requests come together.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from chalicelib.domain.workspace.sessions import Link, LinkKind, read_token
from chalicelib.kit.dynamodb.items import Item, epoch
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT
from chalicelib.kit.dynamodb.transaction import Part, Transaction
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import LINKS, link_key


class LinkGoneError(Exception):
    """The link was used or revoked meanwhile."""


class LinkRepository:
    """Links of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.table

    def add(self, link: Link) -> None:
        """Keep a new link."""
        self._table.put(link_item(link))

    def add_one_more(self, link: Link, require_room: Callable[[Sequence[Link]], None]) -> None:
        """Keep a new link. Raises what `require_room` raises of those that are there."""

        def decide(transaction: Transaction) -> None:
            require_room(self.list(link.workspace_id))
            transaction.put(self._directory.tables.directory, link_item(link))

        self._directory.add(link.workspace_id, decide)

    def find(self, workspace_id: str, link_hash: str) -> Link | None:
        """Return a link if it exists, expired or not."""
        row = self._table.get(link_key(workspace_id, link_hash))
        return None if row is None else link_from(row)

    def open(self, text: str, kind: LinkKind, now: datetime) -> Link | None:
        """Return the valid link of a kind for a secret text, without using it up."""
        token = read_token(text)
        link = None if token is None else self.find(token.workspace_id, token.hash)
        return link if link is not None and link.works_as(kind, now) else None

    def take(self, workspace_id: str, link_hash: str) -> Link | None:
        """Use a link up and return it; None if it does not exist or was used meanwhile."""
        row = self._table.take(link_key(workspace_id, link_hash))
        return None if row is None else link_from(row)

    def demanding(self, link: Link) -> Part:
        """Return what demands, in a transaction, that the link still exists: LinkGoneError."""
        key, table = link_key(link.workspace_id, link.hash), self._directory.tables.directory
        return lambda transaction: transaction.check(table, key, PRESENT, LinkGoneError())

    def taking(self, link: Link) -> Part:
        """Return what uses the link up in a transaction, where it still exists: LinkGoneError."""
        key, table = link_key(link.workspace_id, link.hash), self._directory.tables.directory
        return lambda transaction: transaction.delete(table, key, PRESENT, LinkGoneError())

    def list(self, workspace_id: str) -> list[Link]:
        """Return a workspace's links, oldest first."""
        found = [link_from(row) for row in self._directory.rows(workspace_id, LINKS)]
        return sorted(found, key=lambda link: link.created_at)


_LINK: Final = Record(Link, apart=("hash", "workspace_id"), stored={"expires_at": "ends_at"})


def link_item(link: Link) -> Item:
    """Return a link's row."""
    key = link_key(link.workspace_id, link.hash)
    return {**key, **_LINK.item(link), "expires_at": epoch(link.expires_at)}


def link_from(row: Item) -> Link:
    """Read a link's row."""
    return _LINK.value(row, **read_hash_key(row))


def read_hash_key(row: Item) -> dict[str, str]:
    """Return the workspace and the hash of the secret from such a row's key."""
    names = (str(row[part]).partition("#")[2] for part in ("pk", "sk"))
    return dict(zip(("workspace_id", "hash"), names, strict=True))
