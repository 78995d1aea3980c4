"""API keys as operators make, list and revoke them; `callers` has what a key check reads."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.workspace.operator_errors import (
    TooManyKeysError,
    UnknownKeyError,
    UnknownMemberError,
)
from chalicelib.domain.workspace.workspaces import ApiKey, Member
from chalicelib.storage.dynamodb.items import maybe_instant
from chalicelib.storage.dynamodb.transaction import ABSENT, BatchRead
from chalicelib.storage.workspace.callers import key_item, key_item_key
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import (
    LIVE_KEYS,
    REVOKED_KEYS,
    StoredKey,
    member_from,
    member_key,
    stored_key_from,
    stored_key_item,
)

MOST_LIVE_KEYS = 50
"""Per workspace: every one is rewritten in the transaction of a change, which takes 100 writes."""


class ApiKeyRepository:
    """Keys of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._client = directory.client
        self._table = directory.tables.directory

    def add(self, stored: StoredKey) -> None:
        """Keep a new key. Raises UnknownMemberError, TooManyKeysError."""

        def decide(change: WorkspaceChange) -> None:
            if len(change.keys) >= MOST_LIVE_KEYS:
                raise TooManyKeysError
            member = self._member(stored.key)
            item = key_item(stored, member, change.workspace, change.accounts)
            change.transaction.put(self._table, stored_key_item(stored), ABSENT)
            change.transaction.put(self._table, item, ABSENT)

        self._directory.change(stored.key.workspace_id, decide)

    def _member(self, key: ApiKey) -> Member:
        row = self._directory.row(member_key(key.workspace_id, key.member_id))
        if row is None or "removed_at" in row:
            raise UnknownMemberError
        return member_from(row)

    def list(self, workspace_id: str) -> list[ApiKey]:
        """Return a workspace's keys, oldest first, revoked ones too, with their last use."""
        with ThreadPoolExecutor(2, thread_name_prefix="keys") as threads:
            kinds = threads.map(
                lambda kind: list(self._directory.rows(workspace_id, kind)),
                (LIVE_KEYS, REVOKED_KEYS),
            )
            rows = [row for kind in kinds for row in kind]
        stored = sorted((stored_key_from(row) for row in rows), key=lambda s: s.key.id)
        uses = self._last_uses(stored)
        return [_with_last_use(one, uses) for one in stored]

    def _last_uses(self, stored: Sequence[StoredKey]) -> dict[str, datetime | None]:
        keys = [(self._table, key_item_key(one.hash)) for one in stored]
        found = BatchRead(self._client).read(keys)
        return {pk: maybe_instant(row.get("last_used_at")) for (pk, _), row in found.items()}

    def revoke(self, workspace_id: str, key_id: str, now: datetime) -> None:
        """Make a key stop working at once. Raises UnknownKeyError."""

        def decide(change: WorkspaceChange) -> None:
            chosen = [stored for stored in change.keys if stored.key.id == key_id]
            if not chosen:
                raise UnknownKeyError
            change.revoke_keys(chosen, now)

        self._directory.change(workspace_id, decide)


def _with_last_use(stored: StoredKey, uses: dict[str, datetime | None]) -> ApiKey:
    return replace(stored.key, last_used_at=uses.get(key_item_key(stored.hash)["pk"]))
