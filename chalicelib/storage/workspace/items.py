"""How workspaces, members, keys and accounts become rows of the directory table, and back.

Rows that operators look up by id carry `id`, which puts them on the index `by_id`. The key's item
holds copies of what belongs to its member and workspace, so that a key check is one read.
"""

from collections.abc import Iterable
from dataclasses import field
from datetime import datetime
from typing import Final

from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.workspaces import ApiKey, Member, Workspace
from chalicelib.storage.dynamodb.items import Item, maybe_instant, maybe_stamp, stamp
from chalicelib.storage.dynamodb.records import Record
from chalicelib.storage.workspace.keys import (
    account_key,
    key_item_key,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHolder:
    """Whom a key makes the caller, and when that was last noted."""

    caller: Caller
    last_used_at: datetime | None


def workspace_of(row: Item) -> str:
    """Return the workspace a row of its partition belongs to."""
    return str(row["pk"])[_PK_PREFIX:]


_WORKSPACE: Final = Record(Workspace, apart=("id",))
_MEMBER: Final = Record(Member, apart=("workspace_id",))
_KEY: Final = Record(ApiKey, apart=("workspace_id", "last_used_at"))
_ACCOUNT: Final = Record(Account, apart=("workspace_id",))
_SLOT: Final = Record(QueueSlot, apart=("id",))
_CALLER: Final = Record(Caller, apart=("accounts", "revisions"))


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


def key_item(
    stored: StoredKey, member: Member, workspace: Workspace, accounts: Iterable[Account]
) -> Item:
    """Spell the item that a key check reads."""
    return {
        **key_item_key(stored.hash),
        "key_id": stored.key.id,
        "scopes": sorted(stored.key.scopes),
        "workspace_id": workspace.id,
        "workspace_created_at": stamp(workspace.created_at),
        **workspace_copy(workspace),
        "member_id": member.id,
        "member_name": member.name,
        "member_timezone": member.timezone,
        "role": member.role,
        "accounts": accounts_copy(accounts),
    }


def workspace_copy(workspace: Workspace) -> Item:
    """Return what each key's item copies of the workspace and can change."""
    return {
        "plan": workspace.plan,
        "trial_ends_at": maybe_stamp(workspace.trial_ends_at),
        "timezone": workspace.timezone,
        "approvals": workspace.approvals,
        "raised_storage": workspace.raised_storage,
    }


def accounts_copy(accounts: Iterable[Account]) -> list[Item]:
    """Return what each key's item copies of the connected accounts, in their order."""
    return [{"id": a.id, "regions": list(a.audience_regions)} for a in accounts]


def key_holder_from(row: Item) -> KeyHolder:
    """Read the item that a key check reads."""
    accounts = {one["id"]: tuple(one["regions"]) for one in row["accounts"]}
    caller = _CALLER.value(row, accounts=accounts)
    return KeyHolder(caller=caller, last_used_at=maybe_instant(row.get("last_used_at")))


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
