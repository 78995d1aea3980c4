# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Keeps the emulator's items as JSON text in memory, a seventh of what they take as dicts.

ministack reads an item, changes a copy of it and puts the copy back; so each reading may be given
a fresh dict made of the text. 10,000 posts are 90,000 items: 280 MB as dicts. Of a transaction's
request, which ministack keeps for ten minutes to know a repeat, a digest is enough.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TypeAlias

from ministack.services import dynamodb

from chalicelib.local.emulator.ministack_shapes import Item, Members, Table, Token

Items: TypeAlias = Mapping[str, Mapping[str, Item]]


class PackedPartition(MutableMapping[str, Item]):
    """One partition's items by their sort value."""

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __getitem__(self, sort: str) -> Item:
        item: Item = json.loads(self._texts[sort])
        return item

    def __setitem__(self, sort: str, item: Item) -> None:
        self._texts[sort] = json.dumps(item)

    def __delitem__(self, sort: str) -> None:
        del self._texts[sort]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, sort: object) -> bool:
        return sort in self._texts

    def text(self, sort: str) -> str:
        """Return an item as it is kept."""
        return self._texts[sort]

    def put(self, sort: str, text: str) -> None:
        """Keep an item that is text already."""
        self._texts[sort] = text


class PackedItems(defaultdict[str, MutableMapping[str, Item]]):
    """A table's partitions by their value, all of them packed."""

    def __init__(self, items: Items | None = None) -> None:
        super().__init__(PackedPartition)
        for partition, by_sort in (items or {}).items():
            self[partition].update(by_sort)

    def put(self, partition: str, sort: str, text: str) -> None:
        """Keep an item that is text already."""
        by_sort = self[partition]
        if isinstance(by_sort, PackedPartition):
            by_sort.put(sort, text)

    def setdefault(self, partition: str, default: object = None, /) -> MutableMapping[str, Item]:
        """Return a partition; ministack would put a plain dict where there is none."""
        del default
        return self[partition]


class RequestDigest(str):
    """A request's digest, which equals the request."""

    __slots__ = ()

    @classmethod
    def of(cls, request: object) -> "RequestDigest":
        """Return the digest of a request, or the one that it is already."""
        if isinstance(request, str):
            return cls(request)
        text = json.dumps(request, sort_keys=True)
        return cls(hashlib.sha256(text.encode()).hexdigest())

    def __eq__(self, request: object) -> bool:
        return str(self) == str(RequestDigest.of(request))

    def __ne__(self, request: object) -> bool:
        return not self == request

    __hash__ = str.__hash__


def install() -> None:
    """Put wrappers in the place of the functions of ministack that keep items and requests."""
    set_item, items_replaced = dynamodb._set_item, dynamodb._items_replaced
    store_token = dynamodb._txn_token_store

    def packing_set(table: Table, partition: str, sort: str, item: Item) -> object:
        _pack(table)
        return set_item(table, partition, sort, item)

    def packing_replace(table: Table) -> None:
        _pack(table)
        items_replaced(table)

    def packing_store(token: str, entry: Token) -> None:
        entry["signature"] = RequestDigest.of(entry["signature"])
        store_token(token, entry)

    dynamodb._set_item, dynamodb._items_replaced = packing_set, packing_replace
    dynamodb._txn_token_store = packing_store


def index(table: Table) -> None:
    """Say which items belong to each index, reading every item once.

    ministack would do it at the first query, once for each index, while that query waits.
    """
    schemas = list(dynamodb._index_key_schemas(table))
    members: Members = {name: {} for name, _, _ in schemas}
    for partition, by_sort in table["items"].items():
        for sort, item in by_sort.items():
            for name, hashes, ranges in schemas:
                value = dynamodb._index_partition(item, hashes, ranges)
                if value is not None:
                    members[name].setdefault(value, {})[partition, sort] = None
    table["_index_members"] = members


def _pack(table: Table) -> None:
    if not isinstance(table["items"], PackedItems):
        table["items"] = PackedItems(table["items"])
