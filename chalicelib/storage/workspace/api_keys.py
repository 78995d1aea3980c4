"""API keys: the one read of a key check, and the operators' list of them.

A key's item is found by the SHA-256 of the key. It is written with the key, rewritten by every
change of its member or workspace, and taken away when the key is revoked, so that a check needs no
second read and no cache.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.workspace.operator_errors import (
    TooManyKeysError,
    UnknownKeyError,
    UnknownMemberError,
)
from chalicelib.domain.workspace.workspaces import ApiKey, Member
from chalicelib.storage.dynamodb.items import attributes, maybe_instant, stamp
from chalicelib.storage.dynamodb.transaction import ABSENT, BatchRead, Expression, parameters
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import (
    KeyHolder,
    StoredKey,
    key_holder_from,
    key_item,
    member_from,
    stored_key_from,
    stored_key_item,
)
from chalicelib.storage.workspace.keys import (
    LIVE_KEYS,
    REVOKED_KEYS,
    key_item_key,
    member_key,
)

MOST_LIVE_KEYS = 50
"""Per workspace: every one is rewritten in the transaction of a change, which takes 100 writes."""

NOTE_USE_EVERY = timedelta(minutes=1)
_EXPECTED = frozenset({"ConditionalCheckFailedException", "TransactionConflictException"})

_log = logging.getLogger(__name__)


class ApiKeyRepository:
    """Keys of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._client = directory.client
        self._table = directory.tables.directory

    def holder(self, key_hash: str) -> KeyHolder | None:
        """Return whom a key makes the caller right now; None for one that does not work."""
        row = self._directory.row(key_item_key(key_hash))
        return None if row is None or "revoked_at" in row else key_holder_from(row)

    def note_use(self, key_hash: str, now: datetime) -> None:
        """Keep that the key was used, at most once a minute; a failure harms nobody."""
        earlier = stamp(now - NOTE_USE_EVERY)
        change = Expression("SET #last_used_at = :now", {"now": stamp(now)})
        due = Expression(
            "attribute_exists(#pk) AND"
            " (attribute_not_exists(#last_used_at) OR #last_used_at <= :earlier)",
            {"earlier": earlier},
        )
        try:
            self._client.update_item(
                TableName=self._table,
                Key=attributes(key_item_key(key_hash)),
                **parameters({"UpdateExpression": change, "ConditionExpression": due}),
            )
        except ClientError as error:
            if error.response["Error"]["Code"] not in _EXPECTED:
                _log.warning("The use of a key was not noted", extra={"action": "key.note_use"})
        except BotoCoreError:
            _log.warning("The use of a key was not noted", extra={"action": "key.note_use"})

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
