# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Makes the emulator's DynamoDB durable: every change of an item is on disk before its answer.

ministack keeps items in dicts and changes them in two functions only; both are wrapped so that
the resulting item states, not the requests, are written: replaying them is exact and idempotent.
The transaction tokens are kept too, or a client's retry across a crash would be applied twice.
"""

import asyncio
import json
import threading
import time

from ministack.services import dynamodb

from chalicelib.local.emulator import packed_items
from chalicelib.local.emulator.ministack_shapes import (
    Answer,
    Body,
    Headers,
    Item,
    Query,
    Table,
    Token,
)
from chalicelib.local.emulator.packed_items import KeptToken, PackedItems, PackedPartition
from chalicelib.local.emulator.state_file import Changes, GroupCommit, ItemKey, StateFile

_TOKEN_PREFIX = "token:"  # noqa: S105 - names a document
_TOKENS_SWEPT_EVERY_S = 60.0


class DurableTables:
    """Writes what requests change in ministack's tables to the state file."""

    def __init__(
        self, state: StateFile, loop: asyncio.AbstractEventLoop, group: GroupCommit | None = None
    ) -> None:
        """Write each request by itself, or with `group` many at once, synced to the disk."""
        self._state = state
        self._loop = loop
        self._group = group
        self._loop_thread = threading.get_ident()
        self._changes = Changes()
        self._tokens: dict[str, float] = {}
        self._tokens_swept_at = 0.0

    def restore(self) -> None:
        """Fill the tables, whose definitions are there already, with the items of the file."""
        tables: dict[str, Table] = {each["TableArn"]: each for each in _all_tables()}
        kept = {arn: PackedItems() for arn in tables}
        for arn, partition, sort, body in self._state.items():
            if arn in kept:
                kept[arn].put(partition, sort, body)
        for arn, table in tables.items():
            table["items"] = kept[arn]
            dynamodb._items_replaced(table)
            packed_items.index(table)
        for name, body in self._state.documents(_TOKEN_PREFIX).items():
            account, region, token, entry = json.loads(body)
            self._tokens[name] = entry["completed_at"]
            dynamodb._txn_idempotency.set_scoped(account, region, token, KeptToken(entry))

    def install(self) -> None:
        """Put the wrappers in the place of ministack's own functions."""
        self._wrap_changes_of_items()
        self._wrap_tokens()
        handle_request = dynamodb.handle_request

        async def durable_handle(
            method: str, path: str, headers: Headers, body: Body, query: Query
        ) -> Answer:
            try:
                answer: Answer = await handle_request(method, path, headers, body, query)
                return answer
            finally:
                await self._keep()

        dynamodb.handle_request = durable_handle

    def _wrap_changes_of_items(self) -> None:
        set_item, remove_item = dynamodb._set_item, dynamodb._remove_item
        items_replaced = dynamodb._items_replaced

        def durable_set(table: Table, partition: str, sort: str, item: Item) -> object:
            replaced: object = set_item(table, partition, sort, item)
            self._changes.items[_key(table, partition, sort)] = _text(table, partition, sort)
            return replaced

        def durable_remove(table: Table, partition: str, sort: str) -> object:
            removed = remove_item(table, partition, sort)
            if threading.get_ident() == self._loop_thread:
                self._changes.items[_key(table, partition, sort)] = None
            else:
                # The TTL reaper has a thread of its own: what it removed may be back by then.
                self._loop.call_soon_threadsafe(self._write_as_it_is, table, partition, sort)
            return removed

        def durable_replace(table: Table) -> None:
            items_replaced(table)
            for partition, by_sort in table["items"].items():
                for sort in by_sort:
                    text = _text(table, partition, sort)
                    self._changes.items[_key(table, partition, sort)] = text

        dynamodb._set_item, dynamodb._remove_item = durable_set, durable_remove
        dynamodb._items_replaced = durable_replace

    def _wrap_tokens(self) -> None:
        store_token = dynamodb._txn_token_store

        def durable_token(token: str, entry: Token) -> None:
            store_token(token, entry)
            account, region = dynamodb._txn_idempotency._prefix()
            name = f"{_TOKEN_PREFIX}{account}:{region}:{token}"
            self._tokens[name] = entry["completed_at"]
            self._changes.documents[name] = json.dumps([account, region, token, entry])

        dynamodb._txn_token_store = durable_token

    def _write_as_it_is(self, table: Table, partition: str, sort: str) -> None:
        is_back = sort in table["items"].get(partition, {})
        body = _text(table, partition, sort) if is_back else None
        self._changes.items[_key(table, partition, sort)] = body
        self.flush()

    async def _keep(self) -> None:
        """Return once what has changed is kept."""
        if self._group is None:
            self.flush()
        else:
            await self._group.written(self._taken())

    def flush(self) -> None:
        """Write what has changed since the last flush, or hand it to the next sync."""
        changes = self._taken()
        if not changes:
            return
        if self._group is None:
            self._state.write(changes)
        else:
            self._group.add(changes)

    def _taken(self) -> Changes:
        if not self._changes:
            return self._changes
        changes, self._changes = self._changes, Changes()
        self._sweep_tokens(changes)
        return changes

    def _sweep_tokens(self, changes: Changes) -> None:
        now = time.time()
        if now < self._tokens_swept_at + _TOKENS_SWEPT_EVERY_S:
            return
        self._tokens_swept_at = now
        expired = [name for name, at in self._tokens.items() if at < now - dynamodb._TXN_TOKEN_TTL]
        for name in expired:
            del self._tokens[name]
            changes.documents[name] = None


def _all_tables() -> list[Table]:
    tables: list[Table] = dynamodb._tables.all_values()
    return tables


def _key(table: Table, partition: str, sort: str) -> ItemKey:
    return table["TableArn"], str(partition), str(sort)


def _text(table: Table, partition: str, sort: str) -> str:
    by_sort = table["items"][partition]
    return by_sort.text(sort) if isinstance(by_sort, PackedPartition) else json.dumps(by_sort[sort])
