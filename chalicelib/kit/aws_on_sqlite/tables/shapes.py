"""Definitions of tables: keys, indexes with their projections, and the expiry of rows.

Keys are texts, as all of ours are. Rows that break a rule of keys or sizes are refused
("Constraints in Amazon DynamoDB").
"""

from collections.abc import Mapping
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.failures import invalid, refusal
from chalicelib.kit.aws_on_sqlite.tables.rows import Attribute, Row, size_of
from chalicelib.kit.dataclass import dataclass

Key = tuple[str, str]
Entries = dict[str, tuple[str, str, Row]]
"""A row's entry in each index that has it: both keys, and the other projected attributes."""

_MOST_BYTES = 400 * 1024
_MOST_PARTITION_KEY = 2048
_MOST_SORT_KEY = 1024
_BYTES_OF_A_CHARACTER = 4
"""At most, in UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """A global secondary index: sparse, as it has only rows with both its keys."""

    name: str
    hash: str
    range: str
    projects: frozenset[str] | None
    """Its projected attributes beside the keys; None is all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One table's definition."""

    id: int
    name: str
    hash: str
    range: str
    indexes: Mapping[str, Index]
    expiry: str | None
    described: Mapping[str, Any]

    def key_of(self, row: Mapping[str, Attribute]) -> Key:
        """Return a row's key. Raises ValidationException."""
        partition = _key_text(row, self.hash, _MOST_PARTITION_KEY)
        sort = _key_text(row, self.range, _MOST_SORT_KEY)
        if partition is None or sort is None:
            raise invalid("One of the required keys was not given a value")
        return partition, sort

    def only_key(self, row: Mapping[str, Attribute]) -> Key:
        """Return a key that must have no other attributes. Raises ValidationException."""
        if row.keys() != {self.hash, self.range}:
            raise invalid("The provided key element does not match the schema")
        return self.key_of(row)

    def spell_key(self, key: Key) -> Row:
        """Return a key in the API's form."""
        return {self.hash: {"S": key[0]}, self.range: {"S": key[1]}}

    def index(self, name: str) -> Index:
        """Return an index. Raises ValidationException."""
        if name not in self.indexes:
            raise invalid(f"The table does not have the specified index: {name}")
        return self.indexes[name]

    def index_attributes(self, index: Index) -> frozenset[str] | None:
        """Return the attributes that an index projects; None is all."""
        if index.projects is None:
            return None
        return index.projects | {index.hash, index.range, self.hash, self.range}

    def size(self, row: Row) -> int:
        """Return a row's size. Raises ValidationException for one that is too large."""
        size = size_of(row)
        if size > _MOST_BYTES:
            raise invalid("Item size has exceeded the maximum allowed size")
        return size

    def entries(self, row: Row) -> Entries:
        """Return a row's entry in each index. Raises ValidationException for a wrong key."""
        found = {}
        for index in self.indexes.values():
            if index.hash not in row and index.range not in row:
                continue
            hashed = _key_text(row, index.hash, _MOST_PARTITION_KEY)
            ranged = _key_text(row, index.range, _MOST_SORT_KEY)
            if hashed is not None and ranged is not None:
                found[index.name] = (hashed, ranged, self._project(index, row))
        return found

    def _project(self, index: Index, row: Row) -> Row:
        own = {self.hash, self.range, index.hash, index.range}
        names = row.keys() if index.projects is None else index.projects & row.keys()
        return {name: row[name] for name in sorted(names - own)}

    def expires_at(self, row: Row) -> int | None:
        """Return when a row expires, in seconds since 1970."""
        at = row.get(self.expiry or "", {}).get("N")
        return None if at is None else int(at)


def _key_text(row: Mapping[str, Attribute], name: str, most_bytes: int) -> str | None:
    attribute = row.get(name)
    if attribute is None:
        return None
    text = attribute.get("S")
    if text.__class__ is str and 0 < len(text) <= most_bytes // _BYTES_OF_A_CHARACTER:
        return text  # as nearly all are
    if not isinstance(text, str):
        raise invalid(f"Type mismatch for key {name}: expected a text")
    if not text:
        raise invalid(f"The key {name} must not be an empty text")
    if len(text) > most_bytes or (not text.isascii() and len(text.encode()) > most_bytes):
        raise invalid(f"Size of the key {name} has exceeded the limit of {most_bytes} bytes")
    return text


class Shapes:
    """The definitions of the existing tables."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[str, Shape] = {}

    def __getitem__(self, name: str) -> Shape:
        """Return a table. Raises ResourceNotFoundException."""
        shape = self._known.get(name)
        if shape is None:
            found = self._engine.find_made("table", name)
            if found is None:
                raise refusal("ResourceNotFoundException", f"There is no table {name}.")
            shape = self._known[name] = shape_of(*found)
        return shape


def shape_of(number: int, made: Mapping[str, Any]) -> Shape:
    """Return a table's definition from its stored form."""
    hashed, ranged = (key["AttributeName"] for key in made["KeySchema"])
    expiry = made.get("TimeToLiveSpecification", {})
    return Shape(
        id=number,
        name=made["TableName"],
        hash=hashed,
        range=ranged,
        indexes={
            each["IndexName"]: _index(each) for each in made.get("GlobalSecondaryIndexes", [])
        },
        expiry=expiry.get("AttributeName") if expiry.get("Enabled") else None,
        described=made,
    )


def _index(made: Mapping[str, Any]) -> Index:
    hashed, ranged = (key["AttributeName"] for key in made["KeySchema"])
    projection = made["Projection"]
    is_whole = projection["ProjectionType"] == "ALL"
    return Index(
        name=made["IndexName"],
        hash=hashed,
        range=ranged,
        projects=None if is_whole else frozenset(projection.get("NonKeyAttributes", ())),
    )
