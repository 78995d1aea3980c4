"""Turns a row into a document for people: its kind, ids and values, without secrets.

Attributes for the engine or an index only are left out, and so is everything sealed.
"""

import zlib
from collections.abc import Mapping
from typing import Any, Final

from chalicelib.kit.dynamodb.items import Item, unpack
from chalicelib.storage.row_kinds import ROW_KINDS, Exported, Store

_INNER: Final = frozenset(
    {"pk", "sk", "version", "wakes", "expires_at", "checkpoint", "target_ids", "targets_version"}
    | {"person_id"}
)
_OF_INDEXES: Final = ("list_", "time_", "wake_", "look_", "review_", "watch", "lease_", "fence_")
_PACKED: Final = frozenset({"answer", "approval", "attachment", "blame", "detail", "options"})
_PACKED_TOO: Final = frozenset({"sent", "charge", "settings", "lifts", "on_weekdays"})
_OPEN: Final[Mapping[str, frozenset[str]]] = {
    "member": frozenset(
        {"id", "name", "role", "timezone", "created_at", "removed_at", "email", "notices"}
        | {"notices_in_bell", "notices_by_push", "notices_in_digest"}
    ),
    "operators' row of a key": frozenset(
        {"id", "name", "member_id", "scopes", "created_at", "expires_at"}
    ),
    "revoked key": frozenset({"id", "name", "member_id", "scopes", "created_at", "revoked_at"}),
    "application of a workspace": frozenset({"client_id", "config_id"}),
}
"""The exported attributes of kinds with secrets; of a kind without a line none is exported."""
FILES: Final[Mapping[str, str]] = {
    "post": "posts",
    "target": "targets",
    "event": "history",
    "attempt": "history",
    "figures of a post": "results",
    "sum of a day": "results",
    "what results taught": "results",
    "workspace": "workspace",
    "picture of a workspace": "workspace",
    "allowance counter": "workspace",
    "member": "members",
    "operators' row of a key": "keys",
    "revoked key": "keys",
    "account": "accounts",
    "account of before": "accounts",
    "profile of an account": "accounts",
    "application of a workspace": "accounts",
    "queue time": "queue-times",
    "activity": "activity",
    "file": "files",
}
"""The file of each kind; others are in a file of their own name."""


def document(store: Store, row: Item) -> tuple[str, dict[str, Any]] | None:
    """Return the file and the document of a row; None if no export has it."""
    pk, sk = str(row["pk"]), str(row["sk"])
    kind = next((name for name, one in ROW_KINDS.items() if one.fits(store, pk, sk)), None)
    if kind is None or ROW_KINDS[kind].exported is Exported.NOT:
        return None
    told = {name: _readable(name, value) for name, value in row.items() if _is_told(kind, name)}
    ids = {"post_id" if store is Store.POSTS else "owner": pk, "key": sk}
    return FILES.get(kind, kind.replace(" ", "-")), {"kind": kind, **ids, **told}


def _is_told(kind: str, name: str) -> bool:
    if ROW_KINDS[kind].exported is Exported.WITHOUT_SECRETS:
        return name in _OPEN.get(kind, frozenset())
    return name not in _INNER and not name.startswith(_OF_INDEXES)


def _readable(name: str, value: object) -> object:
    """Return a value as JSON; an undecodable one as it is stored."""
    if isinstance(value, bytes):
        return _unpack_if_packed(value)
    if isinstance(value, str) and name in _PACKED | _PACKED_TOO:
        return _unpack_if_packed(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return value


def _unpack_if_packed(kept: str | bytes) -> object:
    try:
        return unpack(kept)
    except (ValueError, zlib.error):
        return kept if isinstance(kept, str) else kept.hex()
