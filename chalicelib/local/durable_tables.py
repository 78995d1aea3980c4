"""Makes the emulator's DynamoDB durable: every change of an item is on disk before its answer.

ministack keeps items in dicts and changes them in two functions only; both are wrapped so that
the resulting item states, not the requests, are written: replaying them is exact and idempotent.
The transaction tokens are kept too, or a client's retry across a crash would be applied twice.
Private names of ministack are used: its version is pinned exactly.
"""

import asyncio
import json
import time
from collections import defaultdict

from ministack.services import dynamodb

from chalicelib.local.state_file import Changes, StateFile

_TOKEN = "token:"  # noqa: S105 (prefix of a document's name)
_TOKENS_SWEPT_EVERY_S = 60.0
_NO_SORT_KEY = "__no_sort__"


class DurableTables:
    """Writes what requests change in ministack's tables to the state file."""

    def __init__(self, state: StateFile) -> None:
        self._state = state
        self._changes = Changes()
        self._tokens: dict[str, float] = {}
        self._tokens_swept_at = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None

    def restore(self) -> None:
        """Fill the tables, whose definitions are there already, with the items of the file."""
        tables = {table["TableArn"]: table for table in dynamodb._tables.all_values()}
        for arn, body in self._state.items():
            table = tables.get(arn)
            if table is not None:
                _place(table, json.loads(body))
        for table in tables.values():
            dynamodb._items_replaced(table)
        for name, body in self._state.documents(_TOKEN).items():
            account, region, token, entry = json.loads(body)
            self._tokens[name] = entry["completed_at"]
            dynamodb._txn_idempotency.set_scoped(account, region, token, entry)

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """Put the wrappers in the place of ministack's own functions."""
        self._loop = loop
        set_item, remove_item = dynamodb._set_item, dynamodb._remove_item
        items_replaced, store_token = dynamodb._items_replaced, dynamodb._txn_token_store
        handle_request = dynamodb.handle_request

        def durable_set(table, partition, sort, item):
            self._changes.items[table["TableArn"], str(partition), str(sort)] = json.dumps(item)
            return set_item(table, partition, sort, item)

        def durable_remove(table, partition, sort):
            self._changes.items[table["TableArn"], str(partition), str(sort)] = None
            self._flush_soon()
            return remove_item(table, partition, sort)

        def durable_replace(table):
            items_replaced(table)
            for partition, sorted_items in table["items"].items():
                for sort, item in sorted_items.items():
                    key = (table["TableArn"], str(partition), str(sort))
                    self._changes.items[key] = json.dumps(item)

        def durable_token(token, entry):
            store_token(token, entry)
            self._remember_token(token, entry)

        async def durable_handle(method, path, headers, body, query):
            try:
                return await handle_request(method, path, headers, body, query)
            finally:
                self.flush()

        dynamodb._set_item, dynamodb._remove_item = durable_set, durable_remove
        dynamodb._items_replaced, dynamodb._txn_token_store = durable_replace, durable_token
        dynamodb.handle_request = durable_handle

    def flush(self) -> None:
        """Write what has changed since the last flush."""
        if not self._changes:
            return
        changes, self._changes = self._changes, Changes()
        self._sweep_tokens(changes)
        self._state.write(changes)

    def _flush_soon(self) -> None:
        """The TTL reaper removes from a thread of its own; the file belongs to the loop."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.flush)

    def _remember_token(self, token: str, entry) -> None:
        account, region = dynamodb._txn_idempotency._prefix()
        name = f"{_TOKEN}{account}:{region}:{token}"
        self._tokens[name] = entry["completed_at"]
        self._changes.documents[name] = json.dumps([account, region, token, entry])

    def _sweep_tokens(self, changes: Changes) -> None:
        now = time.time()
        if now < self._tokens_swept_at + _TOKENS_SWEPT_EVERY_S:
            return
        self._tokens_swept_at = now
        expired = [name for name, at in self._tokens.items() if at < now - dynamodb._TXN_TOKEN_TTL]
        for name in expired:
            del self._tokens[name]
            changes.documents[name] = None


def _place(table, item) -> None:
    partition = dynamodb._extract_key_val(item[table["pk_name"]])
    sort_name = table["sk_name"]
    sort = dynamodb._extract_key_val(item[sort_name]) if sort_name else _NO_SORT_KEY
    if not isinstance(table["items"], defaultdict):
        table["items"] = defaultdict(dict, table["items"])
    table["items"][partition][sort] = item
