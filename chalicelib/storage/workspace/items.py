"""How workspaces, members, keys and accounts become rows of the directory table, and back.

Rows that operators look up by id carry `id`, which puts them on the index `by_id`.
"""

from dataclasses import field
from typing import Final

from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.workspaces import ApiKey, Member, Workspace
from chalicelib.storage.dynamodb.items import Item
from chalicelib.storage.dynamodb.records import Record
from chalicelib.storage.workspace.keys import (
    account_key,
    live_key_key,
    member_key,
    slot_key,
    workspace_key,
)

_PK_PREFIX = len("WORKSPACE#")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKey:
    """A key and the hash that its item is found by."""

    key: ApiKey
    hash: str = field(repr=False)


def workspace_of(row: Item) -> str:
    """Return the workspace a row of its partition belongs to."""
    return str(row["pk"])[_PK_PREFIX:]


_WORKSPACE: Final = Record(Workspace, apart=("id",))
_MEMBER: Final = Record(Member, apart=("workspace_id",))
_KEY: Final = Record(ApiKey, apart=("workspace_id", "last_used_at"))
_ACCOUNT: Final = Record(Account, apart=("workspace_id",))
_SLOT: Final = Record(QueueSlot, apart=("id",))


def workspace_item(workspace: Workspace) -> Item:
    """Spell a workspace's own row."""
    return {**workspace_key(workspace.id), **_WORKSPACE.item(workspace)}


def workspace_from(row: Item) -> Workspace:
    """Read a workspace's own row."""
    return _WORKSPACE.value(row, id=workspace_of(row))


def member_item(member: Member) -> Item:
    """Spell a member's row."""
    return {**member_key(member.workspace_id, member.id), **_MEMBER.item(member)}


def member_from(row: Item) -> Member:
    """Read a member's row."""
    return _MEMBER.value(row, workspace_id=workspace_of(row))


def stored_key_item(stored: StoredKey) -> Item:
    """Spell the operators' row of a key."""
    key = stored.key
    return {**live_key_key(key.workspace_id, key.id), **_KEY.item(key), "hash": stored.hash}


def stored_key_from(row: Item) -> StoredKey:
    """Read the operators' row of a key; when it was last used stands on its item."""
    return StoredKey(key=_KEY.value(row, workspace_id=workspace_of(row)), hash=row["hash"])


def account_item(account: Account) -> Item:
    """Spell an account's row; its tokens are on a row of their own."""
    return {**account_key(account.workspace_id, account.id), **_ACCOUNT.item(account)}


def account_from(row: Item) -> Account:
    """Read an account's row."""
    return _ACCOUNT.value(row, workspace_id=workspace_of(row))


def slot_item(workspace_id: str, slot: QueueSlot) -> Item:
    """Spell a queue time's row."""
    return {**slot_key(workspace_id, slot.id), **_SLOT.item(slot)}


def slot_from(row: Item) -> QueueSlot:
    """Read a queue time's row."""
    return _SLOT.value(row, id=str(row["sk"]).partition("#")[2])
