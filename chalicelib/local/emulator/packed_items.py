# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Keeps the emulator's items in memory as squeezed JSON, a tenth of what they take as dicts.

ministack reads an item, changes a copy of it and puts the copy back; so each reading may be given
a fresh dict made of the text. 10,000 posts are 90,000 items: 280 MB as dicts. Rows of a kind differ
in their values alone, so that what all have is left out (zlib's dictionary). Of a transaction's
request, which ministack keeps for ten minutes to know a repeat, a digest is enough.
"""

import hashlib
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Final, TypeAlias, cast

from ministack.services import dynamodb

from chalicelib.local.emulator.ministack_shapes import Item, Members, Table, Token

Items: TypeAlias = Mapping[str, Mapping[str, Item]]


COMMON_TEXT: Final = (
    '{"pk": {"S": "WORKSPACE#01a20"}, "sk": {"S": "ACCOUNT#01a20"}, "id": {"S": "01a20"},'
    ' "platform": {"S": "instagram"}, "handle": {"S": "demo"}, "test": {"BOOL": true}, "c'
    'reated_at": {"S": "2026-11-2"}, "health": {"S": "ok"}, "audience_regions": {"L": []}'
    ', "token_version": {"N": "0"}, "settings": {"S": "{}"}}{"pk": {"S": "WORKSPACE#01a20'
    '"}, "sk": {"S": "TAKEN#2026-11-2#01a20"}, "expires_at": {"N": "1795"}}{"pk": {"S": "'
    'REMOTE#bluesky#"}, "sk": {"S": "REMOTE"}, "target_id": {"S": "01a20"}}{"pk": {"S": "'
    '01a20"}, "sk": {"S": "ATTEMPT#01a20"}, "target_id": {"S": "01a20"}, "ok": {"BOOL": t'
    'rue}, "status": {"S": "published"}, "at": {"S": "2026-11-2"}, "remote_id": {"S": ""}'
    ', "lateness_ms": {"N": "379"}}{"pk": {"S": "LIVE#01a20#0"}, "sk": {"S": "LIVE#01a20#'
    '01a20"}, "workspace_id": {"S": "01a20"}, "platform": {"S": "bluesky"}, "live_at": {"'
    'S": "2026-11-2"}, "first": {"BOOL": true}, "look_at": {"S": "2026-11-2"}, "look_shar'
    'd": {"S": "LOOK#15"}}{"pk": {"S": "01a20"}, "sk": {"S": "POST"}, "workspace_id": {"S'
    '": "01a20"}, "caption": {"S": ""}, "created_at": {"S": "2026-11-2"}, "created_by": {'
    '"S": "Demo owner"}, "target_ids": {"L": [{"S": "01a20"}]}, "trial_counted": {"BOOL":'
    ' false}, "version": {"N": "2"}, "list_workspace": {"S": "01a20"}, "list_status": {"S'
    '": "01a20#published#3"}}{"pk": {"S": "01a20"}, "sk": {"S": "EVENT#01a20"}, "action":'
    ' {"S": "post.created"}, "by": {"S": "Demo owner"}, "at": {"S": "2026-11-2"}, "detail'
    '": {"S": "{\\"targets\\":1}"}}{"pk": {"S": "01a20"}, "sk": {"S": "EVENT#01a20"}, "acti'
    'on": {"S": "post.scheduled"}, "by": {"S": "Demo owner"}, "at": {"S": "2026-11-2"}, "'
    'detail": {"S": "{\\"targets\\":1,\\"at\\":\\"2026-11-2+00:00\\"}"}}{"pk": {"S": "01a20"}, '
    '"sk": {"S": "EVENT#01a20"}, "action": {"S": "target.published"}, "by": {"S": "system'
    '"}, "at": {"S": "2026-11-2"}, "detail": {"S": "{\\"target_id\\":\\"01a20\\",\\"platform\\"'
    ':\\"facebook\\",\\"url\\":\\"http://127.0.0.1/sandbox/facebook/\\"}"}}{"pk": {"S": "01a20"'
    '}, "sk": {"S": "TARGET#01a20"}, "workspace_id": {"S": "01a20"}, "account_id": {"S": '
    '"01a20"}, "platform": {"S": "linkedin"}, "handle": {"S": "demo"}, "place": {"N": "0"'
    '}, "status": {"S": "scheduled"}, "options": {"S": "{}"}, "scheduled_at": {"S": "2026'
    '-11-2"}, "due_at": {"S": "2026-11-2"}, "trimmed": {"BOOL": false}, "version": {"N": '
    '"1"}, "post_version": {"N": "1"}, "time_workspace": {"S": "01a20"}, "time_key": {"S"'
    ': "2026-11-2#01a20#01a20"}, "wake_at": {"S": "2026-11-2"}, "wake_shard": {"S": "WAKE'
    '#07"}, "wakes": {"N": "0"}, "tries": {"N": "0"}, "unanswered": {"BOOL": false}, "ret'
    'ries": {"BOOL": false}, "paced": {"BOOL": false}, "looked_for": {"BOOL": false}, "tr'
    'ims": {"BOOL": false}}'
)
"""What rows are made of; a row that has none of it is kept as well, only larger."""

_WINDOW_BITS: Final = -12
_COMMON: Final = COMMON_TEXT.encode()
_PRIMED: Final = zlib.compressobj(6, zlib.DEFLATED, _WINDOW_BITS, 5, 0, _COMMON)
"""Copied for each row: that takes less time than to make one."""


class PackedPartition(MutableMapping[str, Item]):
    """One partition's items by their sort value."""

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: dict[str, bytes] = {}

    def __getitem__(self, sort: str) -> Item:
        item: Item = json.loads(self.text(sort))
        return item

    def __setitem__(self, sort: str, item: Item) -> None:
        self.put(sort, json.dumps(item))

    def __delitem__(self, sort: str) -> None:
        del self._texts[sort]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, sort: object) -> bool:
        return sort in self._texts

    def text(self, sort: str) -> str:
        """Return an item as text."""
        return _spread(self._texts[sort])

    def put(self, sort: str, text: str) -> None:
        """Keep an item that is text already."""
        self._texts[sort] = _squeezed(text)


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


class KeptToken:
    """What is remembered of a transaction's token, in a third of the memory of ministack's dict."""

    __slots__ = ("_at", "_rest", "_signature")

    def __init__(self, entry: Token) -> None:
        rest = {name: value for name, value in entry.items() if name not in _NAMED}
        self._rest = json.dumps(rest)
        self._signature = RequestDigest.of(entry["signature"])
        self._at = entry.get("completed_at", 0.0)

    def __getitem__(self, name: str) -> object:
        match name:
            case "signature":
                return self._signature
            case "completed_at":
                return self._at
        return json.loads(self._rest)[name]

    def get(self, name: str, default: object = None) -> object:
        """Return a part of it, as a dict would."""
        try:
            return self[name]
        except KeyError:
            return default

    def __setitem__(self, name: str, value: float) -> None:
        if name != "completed_at":
            raise KeyError(name)
        self._at = value


_NAMED = frozenset({"signature", "completed_at"})


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
        kept = KeptToken(entry)
        store_token(token, kept)
        entry["signature"] = RequestDigest.of(entry["signature"])
        entry["completed_at"] = cast("float", kept["completed_at"])

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


def _squeezed(text: str) -> bytes:
    squeezer = _PRIMED.copy()
    return squeezer.compress(text.encode()) + squeezer.flush()


def _spread(kept: bytes) -> str:
    return zlib.decompressobj(_WINDOW_BITS, zdict=_COMMON).decompress(kept).decode()


def _pack(table: Table) -> None:
    if not isinstance(table["items"], PackedItems):
        table["items"] = PackedItems(table["items"])
