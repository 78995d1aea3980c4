"""One workspace's people and accounts, read together and changed together.

Every key's item copies parts of its member, workspace and accounts. So each change to one of them
counts up the workspace's `version` and rewrites the copies in the same transaction; a change that
came second is decided again from new reads.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.table import (
    PRESENT,
    Table,
    partition,
    setting,
    unless_changed,
)
from chalicelib.kit.dynamodb.transaction import Transaction, as_if_alone
from chalicelib.storage.tables import Tables, workspace_pk
from chalicelib.storage.workspace.callers import accounts_copy, key_item_key
from chalicelib.storage.workspace.items import (
    ACCOUNTS,
    LIVE_KEYS,
    StoredKey,
    account_from,
    live_key_key,
    revoked_key_key,
    stored_key_from,
    stored_key_item,
    workspace_from,
    workspace_item,
    workspace_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TRIES = 40
_Answer = TypeVar("_Answer")


@dataclass(slots=True, kw_only=True)
class WorkspaceChange:
    """A change that is being decided: the rows read, and the writes decided so far.

    `workspace` may be replaced; it is written anyway, with its version counted up.
    """

    table: str
    workspace: Workspace
    accounts: tuple[Account, ...]
    keys: tuple[StoredKey, ...]
    transaction: Transaction

    def keys_of(self, member_id: str) -> list[StoredKey]:
        """Return the live keys of one member."""
        return [stored for stored in self.keys if stored.key.member_id == member_id]

    def rewrite_keys(self, keys: Sequence[StoredKey], copies: Mapping[str, Any]) -> None:
        """Set copied attributes in these keys' items; None removes an attribute."""
        for stored in keys:
            self.transaction.update(self.table, key_item_key(stored.hash), setting(copies), PRESENT)

    def rewrite_accounts(self, accounts: Iterable[Account]) -> None:
        """Give every live key's item the accounts as they will be."""
        self.rewrite_keys(self.keys, {"accounts": accounts_copy(accounts)})

    def revoke_keys(self, keys: Sequence[StoredKey], now: datetime) -> None:
        """Revoke these keys: mark their items, and move their rows from the live ones."""
        revoked = {"revoked_at": stamp(now)}
        self.rewrite_keys(keys, revoked)
        for stored in keys:
            workspace_id, key_id = self.workspace.id, stored.key.id
            ended = {**stored_key_item(stored), **revoked_key_key(workspace_id, key_id), **revoked}
            self.transaction.delete(self.table, live_key_key(workspace_id, key_id))
            self.transaction.put(self.table, ended)


class WorkspaceTable:
    """The directory table, as the repositories of people and accounts use it."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self.client = client
        self.tables = tables
        self.table = Table(client, tables.directory)

    def rows(self, workspace_id: str, prefix: str) -> Iterator[Item]:
        """Yield a workspace's rows of one kind as they are now, oldest first."""
        return self.table.rows(partition(workspace_pk(workspace_id), prefix))

    def accounts(self, workspace_id: str) -> list[Account]:
        """Return a workspace's connected accounts as they are now, oldest first."""
        return [account_from(row) for row in self.rows(workspace_id, ACCOUNTS)]

    def workspace(self, workspace_id: str) -> Workspace | None:
        """Return a workspace as it is now, or None."""
        row = self.table.get(workspace_key(workspace_id))
        return None if row is None else workspace_from(row)

    def transaction(self) -> Transaction:
        """Return a new transaction without any writes."""
        return Transaction(self.client)

    def change(self, workspace_id: str, decide: Callable[[WorkspaceChange], _Answer]) -> _Answer:
        """Carry out what `decide` decides, as if nobody else changed the workspace meanwhile.

        `decide` may run several times. Raises UnknownWorkspaceError, and ContentionError when
        others changed the workspace through every try.
        """

        def write() -> _Answer:
            change = self._read(workspace_id)
            version = change.workspace.version
            answer = decide(change)
            kept = replace(change.workspace, version=version + 1)
            change.transaction.rewrite(
                self.tables.directory, workspace_item(kept), unless_changed(version)
            )
            change.transaction.commit()
            return answer

        return as_if_alone(write, tries=_TRIES)

    def add(self, workspace_id: str, decide: Callable[[Transaction], _Answer]) -> _Answer:
        """Write what `decide` adds, as if nobody else added to or changed the workspace meanwhile.

        It reads for itself how much is there, and may run several times: what it refuses for want
        of room never gets in. Raises UnknownWorkspaceError, and ContentionError as `change`.
        """

        def write() -> _Answer:
            workspace = self.workspace(workspace_id)
            if workspace is None:
                raise UnknownWorkspaceError
            transaction = self.transaction()
            answer = decide(transaction)
            counted = {**workspace_key(workspace_id), "version": workspace.version + 1}
            transaction.rewrite(self.tables.directory, counted, unless_changed(workspace.version))
            transaction.commit()
            return answer

        return as_if_alone(write, tries=_TRIES)

    def _read(self, workspace_id: str) -> WorkspaceChange:
        """Read the workspace first: what changes after that makes the version stale."""
        workspace = self.workspace(workspace_id)
        if workspace is None:
            raise UnknownWorkspaceError
        return WorkspaceChange(
            table=self.tables.directory,
            workspace=workspace,
            accounts=tuple(self.accounts(workspace_id)),
            keys=tuple(stored_key_from(row) for row in self.rows(workspace_id, LIVE_KEYS)),
            transaction=self.transaction(),
        )
