"""How workspaces, members, keys and accounts become rows of the directory table, and back.

Rows that operators look up by id carry `id`, which puts them on the index `by_id`. The key's item
holds copies of what belongs to its member and workspace, so that a key check is one read.
"""

from collections.abc import Iterable
from dataclasses import field
from datetime import datetime

from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.domain.workspace.access import Caller, Plan, Role, Scope
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.workspaces import ApiKey, Member, Workspace
from chalicelib.storage.dynamodb.items import (
    Item,
    instant,
    maybe_instant,
    maybe_stamp,
    packed,
    stamp,
    unpacked,
)
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


def workspace_item(workspace: Workspace) -> Item:
    """Spell a workspace's own row."""
    return {
        **workspace_key(workspace.id),
        "name": workspace.name,
        "plan": workspace.plan,
        "timezone": workspace.timezone,
        "approvals": workspace.approvals,
        "created_at": stamp(workspace.created_at),
        "raised_storage": workspace.raised_storage,
        "version": workspace.version,
    }


def workspace_from(row: Item) -> Workspace:
    """Read a workspace's own row."""
    return Workspace(
        id=workspace_of(row),
        name=row["name"],
        plan=Plan(row["plan"]),
        timezone=row["timezone"],
        approvals=row["approvals"],
        created_at=instant(row["created_at"]),
        raised_storage=row.get("raised_storage"),
        version=row["version"],
    )


def member_item(member: Member) -> Item:
    """Spell a member's row."""
    return {
        **member_key(member.workspace_id, member.id),
        "id": member.id,
        "name": member.name,
        "role": member.role,
        "timezone": member.timezone,
        "created_at": stamp(member.created_at),
        "removed_at": maybe_stamp(member.removed_at),
        "signed_out_at": maybe_stamp(member.signed_out_at),
    }


def member_from(row: Item) -> Member:
    """Read a member's row."""
    return Member(
        id=row["id"],
        workspace_id=workspace_of(row),
        name=row["name"],
        role=Role(row["role"]),
        timezone=row["timezone"],
        created_at=instant(row["created_at"]),
        removed_at=maybe_instant(row.get("removed_at")),
        signed_out_at=maybe_instant(row.get("signed_out_at")),
    )


def stored_key_item(stored: StoredKey) -> Item:
    """Spell the operators' row of a key."""
    key = stored.key
    return {
        **live_key_key(key.workspace_id, key.id),
        "id": key.id,
        "member_id": key.member_id,
        "name": key.name,
        "scopes": sorted(key.scopes),
        "created_at": stamp(key.created_at),
        "revoked_at": maybe_stamp(key.revoked_at),
        "hash": stored.hash,
    }


def stored_key_from(row: Item) -> StoredKey:
    """Read the operators' row of a key; when it was last used stands on its item."""
    key = ApiKey(
        id=row["id"],
        workspace_id=workspace_of(row),
        member_id=row["member_id"],
        name=row["name"],
        scopes=frozenset(Scope(scope) for scope in row["scopes"]),
        created_at=instant(row["created_at"]),
        revoked_at=maybe_instant(row.get("revoked_at")),
    )
    return StoredKey(key=key, hash=row["hash"])


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
    caller = Caller(
        workspace_id=row["workspace_id"],
        member_id=row["member_id"],
        member_name=row["member_name"],
        role=Role(row["role"]),
        scopes=frozenset(Scope(scope) for scope in row["scopes"]),
        key_id=row["key_id"],
        plan=Plan(row["plan"]),
        trial_ends_at=maybe_instant(row.get("trial_ends_at")),
        workspace_created_at=instant(row["workspace_created_at"]),
        timezone=row["timezone"],
        member_timezone=row["member_timezone"],
        approvals=row["approvals"],
        accounts={a["id"]: tuple(a["regions"]) for a in row["accounts"]},
        raised_storage=row.get("raised_storage"),
    )
    return KeyHolder(caller=caller, last_used_at=maybe_instant(row.get("last_used_at")))


def account_item(account: Account) -> Item:
    """Spell an account's row; its tokens are on a row of their own."""
    return {
        **account_key(account.workspace_id, account.id),
        "id": account.id,
        "platform": account.platform,
        "handle": account.handle,
        "test": account.test,
        "created_at": stamp(account.created_at),
        "health": account.health,
        "health_reason": account.health_reason,
        "audience_regions": list(account.audience_regions),
        "remote_identity": account.remote_identity,
        "token_expires_at": maybe_stamp(account.token_expires_at),
        "token_version": account.token_version,
        "settings": packed(dict(account.settings)),
    }


def account_from(row: Item) -> Account:
    """Read an account's row."""
    return Account(
        id=row["id"],
        workspace_id=workspace_of(row),
        platform=Platform(row["platform"]),
        handle=row["handle"],
        test=row["test"],
        created_at=instant(row["created_at"]),
        health=Health(row["health"]),
        health_reason=row.get("health_reason"),
        audience_regions=tuple(row["audience_regions"]),
        remote_identity=row.get("remote_identity"),
        token_expires_at=maybe_instant(row.get("token_expires_at")),
        token_version=row["token_version"],
        settings=unpacked(row.get("settings")) or {},
    )


def slot_item(workspace_id: str, slot: QueueSlot) -> Item:
    """Spell a queue time's row."""
    return {
        **slot_key(workspace_id, slot.id),
        "weekdays": list(slot.weekdays),
        "time": slot.time,
        "label": slot.label,
    }


def slot_from(row: Item) -> QueueSlot:
    """Read a queue time's row."""
    return QueueSlot(
        id=str(row["sk"]).partition("#")[2],
        weekdays=tuple(row["weekdays"]),
        time=row["time"],
        label=row["label"],
    )
