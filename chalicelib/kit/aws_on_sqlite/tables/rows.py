"""Rows in the API's form, in their stored form, and their size by DynamoDB's rules.

A row is kept as the JSON of its API form, in which bytes are base64.
"""

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from chalicelib.kit.aws_on_sqlite.failures import invalid

Attribute = dict[str, Any]
"""One value in the API's form: {"S": "text"}."""
Row = dict[str, Attribute]

_MOST_DIGITS = 38
_HALF_OF_A_NUMBER = 2


def _text_of_bytes(value: object) -> str:
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(value).decode("ascii")
    raise TypeError(f"{value!r} is nothing that a row can keep.")


_encode = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=False, default=_text_of_bytes
).encode  # made once: `json.dumps` would make one for each row


def to_text(said: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> str:
    """Return a row, or a JSON value about several, in stored form."""
    return _encode(said)


def row_of(body: str) -> Row:
    """Return a row from its stored form."""
    row: Row = json.loads(body)
    _restore_bytes(row.values())
    return row


def _restore_bytes(attributes: Iterable[Attribute]) -> None:
    for attribute in attributes:
        if "B" in attribute:
            attribute["B"] = base64.b64decode(attribute["B"])
        elif "L" in attribute:
            _restore_bytes(attribute["L"])
        elif "M" in attribute:
            _restore_bytes(attribute["M"].values())


def size_of(row: Mapping[str, Attribute]) -> int:
    """Return a row's size in bytes ("Constraints in Amazon DynamoDB": item sizes).

    Raises ValidationException for a number that DynamoDB cannot keep.
    """
    # Most are texts, which are measured faster all together than one by one.
    texts = [attribute["S"] for attribute in row.values() if "S" in attribute]
    others = [attribute for attribute in row.values() if "S" not in attribute]
    return _length("".join([*row, *texts])) + sum(map(_size, others))


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _size(attribute: Attribute) -> int:
    ((kind, value),) = attribute.items()
    if kind not in _SIZES:
        raise invalid(f"Values of the type {kind} are not known here.")
    return _SIZES[kind](value)


def _number_size(text: str) -> int:
    digits = len(text.lstrip("-").replace(".", "").strip("0"))
    if digits > _MOST_DIGITS:
        raise invalid("Attempting to store more than 38 significant digits in a Number")
    return digits // _HALF_OF_A_NUMBER + 2


_SIZES: dict[str, Callable[[Any], int]] = {
    "S": _length,
    "N": _number_size,
    "B": len,
    "BOOL": lambda _: 1,
    "NULL": lambda _: 1,
    "L": lambda parts: 3 + sum(1 + _size(part) for part in parts),
    "M": lambda parts: 3 + len(parts) + size_of(parts),
    "SS": lambda texts: sum(map(_length, texts)),
}
