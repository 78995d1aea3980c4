"""How values become DynamoDB items: one way for instants, JSON and plain values.

Instants are fixed-width text in UTC, so that sorting by text is sorting by time. Absent values
are left out of an item, which keeps sparse indexes sparse.
"""

import json
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, cast

from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

Item = dict[str, Any]
"""Plain values of one row: str, int, bool, bytes, lists and maps of them."""

Attributes = dict[str, Any]
"""The same row as DynamoDB's API spells it."""

_serialize = TypeSerializer().serialize
_deserialize = TypeDeserializer().deserialize
_STAMP_LENGTH = len("2026-11-22T03:00:00.000000Z")


def attributes(item: Mapping[str, Any]) -> Attributes:
    """Spell a row for the API, leaving out what is None."""
    return {name: _serialize(value) for name, value in item.items() if value is not None}


def plain(found: Mapping[str, Any]) -> Item:
    """Read a row that the API returned; whole numbers come back as int."""
    return {name: _number(_deserialize(value)) for name, value in found.items()}


def _number(value: object) -> object:
    if isinstance(value, list):
        return [_number(part) for part in value]
    if isinstance(value, Binary):
        return bytes(value)  # type: ignore[call-overload]  # stubs take it for text
    return int(value) if isinstance(value, Decimal) else value


def stamp(instant: datetime) -> str:
    """Spell an instant so that text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def maybe_stamp(instant: datetime | None) -> str | None:
    """Spell an instant, or leave it out."""
    return None if instant is None else stamp(instant)


def instant(text: str) -> datetime:
    """Read an instant that `stamp` spelled. Raises ValueError for anything else."""
    if len(text) != _STAMP_LENGTH or not text.endswith("Z"):
        raise ValueError(f"{text!r} is not an instant as `stamp` spells it.")
    return datetime.fromisoformat(text)


def maybe_instant(text: str | None) -> datetime | None:
    """Read an instant that may be absent."""
    return None if text is None else instant(text)


def packed(value: object) -> str:
    """Keep JSON as one string: no float, depth or size rule of DynamoDB applies inside."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def squeezed(value: object) -> bytes:
    """Keep JSON compressed: a write is paid for by the kilobyte."""
    return zlib.compress(packed(value).encode())


def unpacked(kept: str | bytes | None) -> dict[str, Any] | None:
    """Read what `packed` or `squeezed` kept; absent stays absent."""
    if kept is None:
        return None
    text = zlib.decompress(kept) if isinstance(kept, bytes) else kept
    return cast("dict[str, Any]", json.loads(text))
