"""Converting values to DynamoDB items and back: instants, JSON and plain values.

Instants are fixed-width text in UTC, so that text order is time order. None is left out of an item,
which keeps sparse indexes sparse.
"""

import json
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

Item = dict[str, Any]
"""Plain values of one row: str, int, bool, bytes, lists and maps of them."""

Attributes = dict[str, Any]
"""The same row in the form of DynamoDB's API."""

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
_STAMP_LENGTH = len("2026-11-22T03:00:00.000000Z")


def attributes(item: Mapping[str, Any]) -> Attributes:
    """Convert a row for the API, without what is None. Raises TypeError for other types."""
    return {
        name: {"S": value} if value.__class__ is str else _attribute(value)  # as most are
        for name, value in item.items()
        if value is not None
    }


def plain(found: Mapping[str, Any]) -> Item:
    """Convert a row that the API returned."""
    return {name: _value(attribute) for name, attribute in found.items()}


def _attribute(value: object) -> Attributes:
    """Convert a value as `boto3.dynamodb.types` does, which would import all of boto3."""
    match value:
        case None | bool():
            return {"NULL": True} if value is None else {"BOOL": value}
        case int():
            return {"N": str(value)}
        case str():
            return {"S": value}
        case bytes() | bytearray():
            return {"B": bytes(value)}
        case list() | tuple():
            return {"L": [_attribute(part) for part in value]}
        case Mapping():
            return {"M": {name: _attribute(part) for name, part in value.items()}}
        case _:
            raise TypeError(f"A row cannot keep {type(value).__name__}.")


def _value(attribute: Attributes) -> object:
    """Convert a value of the API; numbers must be whole."""
    ((kind, value),) = attribute.items()
    match kind:
        case "N":
            return int(value)
        case "L":
            return [_value(part) for part in value]
        case "M":
            return plain(value)
        case "NULL":
            return None
        case _:
            return value


def stamp(instant: datetime) -> str:
    """Return an aware instant as text in UTC with microseconds; text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def maybe_stamp(instant: datetime | None) -> str | None:
    """Return an instant as `stamp` does, None for None."""
    return None if instant is None else stamp(instant)


def instant(text: str) -> datetime:
    """Read an instant that `stamp` wrote. Raises ValueError for any other text."""
    if len(text) != _STAMP_LENGTH or not text.endswith("Z"):
        raise ValueError(f"{text!r} is not an instant as `stamp` writes it.")
    return datetime.fromisoformat(text)


def maybe_instant(text: str | None) -> datetime | None:
    """Read an instant, None for None. Raises ValueError."""
    return None if text is None else instant(text)


def epoch(at: datetime) -> int:
    """Return a time in whole seconds since 1970, as DynamoDB's TTL needs it."""
    return int(at.timestamp())


def pack(value: object) -> str:
    """Return a value as JSON text, to which DynamoDB's rules on floats and depth do not apply."""
    return _encode(value)


def compress(value: object) -> bytes:
    """Return a value as compressed JSON: writes are billed by the kilobyte."""
    return zlib.compress(pack(value).encode())


def unpack(kept: str | bytes | None) -> dict[str, Any] | None:
    """Read what `pack` or `compress` wrote, None for None."""
    if kept is None:
        return None
    text = zlib.decompress(kept) if isinstance(kept, bytes) else kept
    return cast("dict[str, Any]", json.loads(text))
