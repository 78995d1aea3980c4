"""API keys, made, listed and revoked by operators; key checks read `callers`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.workspace.access import manages
from chalicelib.domain.workspace.operator_errors import (
    TooManyKeysError,
    UnknownKeyError,
)
from chalicelib.domain.workspace.workspaces import ApiKey, Member
from chalicelib.kit.dynamodb.items import maybe_instant, maybe_stamp
from chalicelib.kit.dynamodb.table import ABSENT, BatchRead
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.workspace.callers import ends_at, key_item, key_item_key
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import (
    LIVE_KEYS,
    REVOKED_KEYS,
    StoredKey,
    live_key_key,
    member_key,
    require_member,
    stored_key_from,
    stored_key_item,
)

_KEYS_A_TIME = 10
MOST_LIVE_KEYS = 50
"""Per workspace: a change rewrites all in one transaction, which has at most 100 writes."""


class ApiKeyRepository:
    """Keys of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._client = directory.client
        self._table = directory.tables.directory

    def add(self, stored: StoredKey) -> None:
        """Keep a new key. Raises UnknownMemberError, TooManyKeysError."""

        def decide(change: WorkspaceChange) -> None:
            self._require_place(change, stored.key.created_at)
            self._put(change, stored)

        self._directory.change(stored.key.workspace_id, decide)

    def grant(self, stored: StoredKey) -> None:
        """Keep an assistant's key, replacing one that the member gave it before.

        Raises UnknownMemberError, TooManyKeysError.
        """

        def decide(change: WorkspaceChange) -> None:
            of_member = change.keys_of(stored.key.member_id)
            earlier = [k for k in of_member if k.key.client_hash == stored.key.client_hash]
            if not earlier:
                self._require_place(change, stored.key.created_at)
            change.revoke_keys(earlier, stored.key.created_at)
            self._put(change, stored)

        self._directory.change(stored.key.workspace_id, decide)

    def find(self, workspace_id: str, key_id: str) -> StoredKey | None:
        """Return a key that was not revoked."""
        row = self._directory.table.get(live_key_key(workspace_id, key_id))
        return None if row is None else stored_key_from(row)

    def renew(
        self,
        workspace_id: str,
        key_id: str,
        decide: Callable[[StoredKey], StoredKey | None],
        now: datetime,
    ) -> bool:
        """Give a key a new secret, as `decide` says; None revokes it, the same key changes nothing.

        Tell whether it stays valid.
        `decide` may run several times.
        """

        def renewed(change: WorkspaceChange) -> bool:
            stored = next((one for one in change.keys if one.key.id == key_id), None)
            if stored is None:
                return False
            after = decide(stored)
            if after is None:
                change.revoke_keys([stored], now)
                return False
            if after is not stored:
                change.transaction.delete(self._table, key_item_key(stored.hash))
                self._put(change, after)
            return True

        return self._directory.change(workspace_id, renewed)

    def rotate(
        self,
        workspace_id: str,
        key_id: str,
        decide: Callable[[ApiKey], tuple[StoredKey, ApiKey]],
        *,
        by_member: str | None = None,
    ) -> ApiKey:
        """Add a key that replaces another one, both as `decide` says; return the new one.

        An operator does it, or a member. Raises UnknownKeyError, TooManyKeysError, and RoleForbids
        to a member who does not manage whoever the key acts as.
        """

        def rotated(change: WorkspaceChange) -> ApiKey:
            stored = next((one for one in change.keys if one.key.id == key_id), None)
            if stored is None:
                raise UnknownKeyError
            if by_member is not None:
                self._require_rank(workspace_id, by_member, stored.key.member_id)
            fresh, ending = decide(stored.key)
            self._require_place(change, fresh.key.created_at)
            ended = replace(stored, key=ending)
            change.transaction.rewrite(self._table, stored_key_item(ended))
            change.rewrite_keys([stored], {"ends_at": maybe_stamp(ends_at(ended))})
            self._put(change, fresh)
            return fresh.key

        return self._directory.change(workspace_id, rotated)

    def _require_place(self, change: WorkspaceChange, now: datetime) -> None:
        """Check that another key is allowed; ended keys do not count."""
        if len(change.keys) < MOST_LIVE_KEYS:
            return
        over = [one for one in change.keys if not one.key.works(now)]
        if not over:
            raise TooManyKeysError
        change.revoke_keys(over[:_KEYS_A_TIME], now)

    def _require_rank(self, workspace_id: str, by_member: str, member_id: str) -> None:
        own, theirs = (self._member(workspace_id, one).role for one in (by_member, member_id))
        if not manages(own, theirs):
            raise RoleForbids

    def _member(self, workspace_id: str, member_id: str) -> Member:
        return require_member(self._directory.table.get(member_key(workspace_id, member_id)))

    def _put(self, change: WorkspaceChange, stored: StoredKey) -> None:
        """Write a key's two rows; no other key has the same secret."""
        member = self._member(stored.key.workspace_id, stored.key.member_id)
        item = key_item(stored, member, change.workspace, change.accounts)
        change.transaction.put(self._table, stored_key_item(stored))
        change.transaction.put(self._table, item, ABSENT)

    def list(self, workspace_id: str) -> list[ApiKey]:
        """Return a workspace's keys, oldest first, revoked ones too, with their last use."""
        with HelpedPool(2, name="keys") as threads:
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

    def revoke(self, workspace_id: str, key_id: str, now: datetime) -> ApiKey:
        """Make a key stop working at once; return it. Raises UnknownKeyError."""

        def decide(change: WorkspaceChange) -> ApiKey:
            chosen = [stored for stored in change.keys if stored.key.id == key_id]
            if not chosen:
                raise UnknownKeyError
            change.revoke_keys(chosen, now)
            return chosen[0].key

        return self._directory.change(workspace_id, decide)


def _with_last_use(stored: StoredKey, uses: dict[str, datetime | None]) -> ApiKey:
    return replace(stored.key, last_used_at=uses.get(key_item_key(stored.hash)["pk"]))
