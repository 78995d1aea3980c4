"""Reads what a new draft needs in one round trip: accounts, file, allowance, earlier request.

`services/posts/drafts.py` asks before it makes a post; the transaction that keeps the post checks
again what could change in between.
"""

from collections.abc import Mapping, Sequence

from chalicelib.domain.posts.known import Known
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import BatchRead, TableKey, name_of
from chalicelib.storage.media.items import media_from
from chalicelib.storage.tables import Tables, idempotency_key, media_key, use_key
from chalicelib.storage.workspace.items import account_from, account_key


class KnownReads:
    """One batch read over the directory, media and posts tables."""

    def __init__(self, batch: BatchRead, tables: Tables) -> None:
        self._batch = batch
        self._tables = tables

    def read(
        self,
        workspace_id: str,
        *,
        account_ids: Sequence[str],
        media_ids: Sequence[str] = (),
        counters: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Known:
        """Return those of the named rows that exist; the others are absent."""
        accounts = {name: account_key(workspace_id, name) for name in account_ids}
        media = {name: media_key(name) for name in media_ids}
        uses = {name: use_key(workspace_id, name) for name in counters}
        repeat = _repeat_key(workspace_id, idempotency_key)
        keys: list[TableKey] = [
            *((self._tables.directory, key) for key in (*accounts.values(), *uses.values())),
            *((self._tables.media, key) for key in media.values()),
            *((self._tables.posts, key) for key in repeat),
        ]
        rows = self._batch.read(keys) if keys else {}
        postable = _by_name(rows, media)
        made = next((rows[name_of(key)] for key in repeat if name_of(key) in rows), {})
        return Known(
            accounts={name: account_from(row) for name, row in _by_name(rows, accounts).items()},
            media={
                name: media_from(row)
                for name, row in postable.items()
                if row.get("list_workspace") == workspace_id
            },
            counters=_by_name(rows, uses),
            made_post_id=made.get("post_id"),
            made_of=made.get("made_of"),
        )


def _repeat_key(workspace_id: str, key: str | None) -> list[dict[str, str]]:
    return [] if key is None else [idempotency_key(workspace_id, key)]


def _by_name(
    rows: Mapping[tuple[str, str], Item], keys: Mapping[str, dict[str, str]]
) -> dict[str, Item]:
    return {name: rows[name_of(key)] for name, key in keys.items() if name_of(key) in rows}
