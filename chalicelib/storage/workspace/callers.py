"""The caller behind a key: the one item that a key check reads, found by the key's SHA-256.

It copies attributes of the key's member and workspace. It is written with the key, rewritten with
every change of either, and tells whether the key is revoked, so that a check needs no second read
and no cache.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure, is_clash
from chalicelib.kit.dynamodb.items import (
    Item,
    maybe_instant,
    maybe_stamp,
    stamp,
)
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import Expression, Table, setting
from chalicelib.storage.tables import Key, Tables
from chalicelib.storage.workspace.items import StoredKey

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

AWAY: Final = "away"
"""On a key's item: its workspace is shut or moved, and the mark of its move says where it is."""
NOTE_USE_EVERY = timedelta(minutes=1)
_CALLER: Final = Record(Caller, apart=("accounts", "revisions", "client"))

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHolder:
    """The caller behind a key, until when, and when its use was last noted."""

    caller: Caller
    last_used_at: datetime | None
    ends_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_over(self, now: datetime) -> bool:
        """Tell whether the key was revoked or has ended by itself."""
        return self.revoked_at is not None or (self.ends_at is not None and now >= self.ends_at)


class Callers:
    """The callers behind all keys."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def holder(self, key_hash: str) -> KeyHolder | None:
        """Return the caller behind a key that is valid now; None for a revoked one."""
        found = self.find(key_hash)
        return None if found is None or found.revoked_at is not None else found

    def find(self, key_hash: str) -> KeyHolder | None:
        """Return the caller behind a key, valid or not; None, too, while its workspace is away."""
        row = self._table.get(key_item_key(key_hash))
        return None if row is None or AWAY in row else key_holder_from(row)

    def workspace_away(self, key_hash: str) -> str | None:
        """Return the workspace of a key, if it is shut or gone."""
        row = self._table.get(key_item_key(key_hash)) or {}
        return row["workspace_id"] if AWAY in row else None

    def note_use(self, key_hash: str, now: datetime) -> bool:
        """Note that the key was used, at most once a minute; a failure is ignored.

        Tell whether this call noted it.
        """
        due = Expression(
            "attribute_exists(#pk) AND"
            " (attribute_not_exists(#last_used_at) OR #last_used_at <= :earlier)",
            {"earlier": stamp(now - NOTE_USE_EVERY)},
        )
        try:
            used = setting({"last_used_at": stamp(now)})
            return self._table.update(key_item_key(key_hash), used, due)
        except AwsFailure as error:
            if not is_clash(error):
                _log.warning("The use of a key was not noted", extra={"action": "key.note_use"})
            return False


def key_item_key(key_hash: str) -> Key:
    """Key of the item that a key check reads."""
    return {"pk": f"KEY#{key_hash}", "sk": "KEY"}


def key_item(
    stored: StoredKey, member: Member, workspace: Workspace, accounts: Iterable[Account]
) -> Item:
    """Return the item that a key check reads."""
    return {
        **key_item_key(stored.hash),
        "key_id": stored.key.id,
        "key_name": stored.key.name,
        "scopes": sorted(stored.key.scopes),
        "workspace_id": workspace.id,
        "workspace_created_at": stamp(workspace.created_at),
        **workspace_copy(workspace),
        "member_id": member.id,
        "member_name": member.name,
        "member_timezone": member.timezone,
        "role": member.role,
        "accounts": accounts_copy(accounts),
        "ends_at": maybe_stamp(ends_at(stored)),
    }


def ends_at(stored: StoredKey) -> datetime | None:
    """Return when a key stops working by itself."""
    return stored.key.expires_at if stored.grant is None else stored.grant.access_ends_at


def workspace_copy(workspace: Workspace) -> Item:
    """Return the workspace's changeable attributes that each key's item copies."""
    return {
        "plan": workspace.plan,
        "trial_ends_at": maybe_stamp(workspace.trial_ends_at),
        "timezone": workspace.timezone,
        "approvals": workspace.approvals,
        "raised_storage": workspace.raised_storage,
    }


def accounts_copy(accounts: Iterable[Account]) -> list[Item]:
    """Return the attributes of connected accounts that each key's item copies, in order."""
    return [{"id": a.id, "regions": list(a.audience_regions)} for a in accounts]


def key_holder_from(row: Item) -> KeyHolder:
    """Read the item that a key check reads."""
    accounts = {one["id"]: tuple(one["regions"]) for one in row["accounts"]}
    caller = _CALLER.value(row, accounts=accounts)
    return KeyHolder(
        caller=caller,
        last_used_at=maybe_instant(row.get("last_used_at")),
        ends_at=maybe_instant(row.get("ends_at")),
        revoked_at=maybe_instant(row.get("revoked_at")),
    )
