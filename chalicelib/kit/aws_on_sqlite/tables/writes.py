"""One write of a row: read from a call before the transaction, carried out within it.

A row and its index entries change together, so that an index never lags behind.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from chalicelib.kit.aws_on_sqlite.failures import invalid
from chalicelib.kit.aws_on_sqlite.tables.conditions import Condition, read_condition
from chalicelib.kit.aws_on_sqlite.tables.expressions import Names, Values
from chalicelib.kit.aws_on_sqlite.tables.rows import Row, row_of, to_text
from chalicelib.kit.aws_on_sqlite.tables.shapes import Key, Shape
from chalicelib.kit.aws_on_sqlite.tables.updates import ReadUpdate, read_update
from chalicelib.kit.dataclass import dataclass

_READ = "SELECT tbl, pk, sk, body, size FROM item WHERE {}"
_ROW = "tbl = ? AND pk = ? AND sk = ?"
_WRITE = (
    "INSERT INTO item VALUES {} ON CONFLICT DO UPDATE SET"
    " body = excluded.body, size = excluded.size, expires = excluded.expires"
)
_REMOVE = "DELETE FROM item WHERE {}"
_LIST = "INSERT OR REPLACE INTO entry VALUES {}"
_UNLIST = "DELETE FROM entry WHERE {}"
_ENTRY = "tbl = ? AND idx = ? AND hash = ? AND range = ? AND pk = ? AND sk = ?"
_WRITE_UNIT = 1024
Place = tuple[int, str, str]
"""A row's table and key."""
_Values = list[tuple[object, ...]]


class ConditionRefused(Exception):
    """A condition did not hold; `row` is the existing row."""

    def __init__(self, row: Row | None) -> None:
        super().__init__()
        self.row = row


def _always(_row: object, _values: object) -> bool:
    return True


@dataclass(slots=True, kw_only=True)
class Write:
    """One row's write as a call requests it, and its result."""

    kind: str
    shape: Shape
    key: Key
    holds: Condition = _always
    values: Values = field(default_factory=dict)
    item: Row | None = None
    body: str = ""
    size: int = 0
    update: ReadUpdate | None = None
    tells_refusing: bool = False
    before: Row | None = None
    after: Row | None = None
    units: dict[str, int] = field(default_factory=dict)
    """Write units of the table, under an empty name, and of each index that changed."""

    @property
    def place(self) -> Place:
        """Return the row's place: its table and key."""
        return (self.shape.id, *self.key)

    def decide(self, before: Row | None) -> None:
        """Compute the new row. Raises ConditionRefused, ValidationException."""
        self.before = before
        if not self.holds({} if before is None else before, self.values):
            raise ConditionRefused(before)
        if self.update is None:
            self.after = before if self.kind == "ConditionCheck" else self.item
            return
        row = self.shape.spell_key(self.key) if before is None else before
        self.after = self.update.apply(row, self.values)

    def spell(self, row: Row) -> None:
        """Return a row in stored form. Raises ValidationException for one that is too large."""
        self.body, self.size = to_text(row), self.shape.size(row)


@dataclass(slots=True)
class Changes:
    """The changes of several writes, gathered so that each kind is one statement.

    Every statement lets other threads run in between, of which a busy process has many.
    """

    items: _Values = field(default_factory=list)
    removed: _Values = field(default_factory=list)
    listed: _Values = field(default_factory=list)
    unlisted: _Values = field(default_factory=list)

    def add(self, write: Write) -> None:
        """Add the result of one write. Raises ValidationException."""
        if write.kind == "ConditionCheck":
            return
        if write.after is None:
            self.removed.append(write.place)
        else:
            if write.update is not None:
                write.spell(write.after)
            expires = write.shape.expires_at(write.after)
            self.items.append((*write.place, write.body, write.size, expires))
        write.units[""] = -(-write.size // _WRITE_UNIT) or 1
        self._add_entries(write)

    def _add_entries(self, write: Write) -> None:
        shape, key = write.shape, write.key
        was = {} if write.before is None else shape.entries(write.before)
        becomes = {} if write.after is None else shape.entries(write.after)
        for name in was.keys() | becomes.keys():
            old, new = was.get(name), becomes.get(name)
            if old == new:
                continue
            if old is not None and (new is None or old[:2] != new[:2]):
                self.unlisted.append((shape.id, name, *old[:2], *key))
                write.units[name] = 1
            if new is not None:
                self.listed.append((shape.id, name, *new[:2], *key, to_text(new[2])))
                write.units[name] = write.units.get(name, 0) + 1

    def carry_out(self, connection: sqlite3.Connection) -> None:
        """Write everything."""
        for text, condition, rows in (
            (_REMOVE, _ROW, self.removed),
            (_WRITE, None, self.items),
            (_UNLIST, _ENTRY, self.unlisted),
            (_LIST, None, self.listed),
        ):
            if rows:
                connection.execute(*for_all(text, rows, condition))


def for_all(
    text: str, rows: Sequence[tuple[object, ...]], condition: str | None = None
) -> tuple[str, list[object]]:
    """Return a statement for several rows, by condition or by values, and its parameters."""
    if condition is None:
        marks = ", ".join([f"({', '.join('?' * len(rows[0]))})"] * len(rows))
    else:
        marks = " OR ".join([f"({condition})"] * len(rows))
    return text.format(marks), [value for row in rows for value in row]


def read_rows(
    connection: sqlite3.Connection, places: Sequence[Place]
) -> dict[Place, tuple[Row, int]]:
    """Return the rows that exist, with their sizes."""
    if not places:
        return {}
    found = connection.execute(*for_all(_READ, places, _ROW)).fetchall()
    return {(table, pk, sk): (row_of(body), size) for table, pk, sk, body, size in found}


def read_before(
    connection: sqlite3.Connection, writes: Sequence[Write]
) -> Iterator[tuple[Write, Row | None]]:
    """Yield each write with its row as it is now."""
    rows = read_rows(connection, [write.place for write in writes])
    for write in writes:
        found = rows.get(write.place)
        yield write, None if found is None else found[0]


def list_row(connection: sqlite3.Connection, shape: Shape, key: Key, row: Row) -> None:
    """Write a row's entries in all indexes, none of which has it yet."""
    for name, (hashed, ranged, more) in shape.entries(row).items():
        entry = (shape.id, name, hashed, ranged, *key, to_text(more))
        connection.execute(*for_all(_LIST, [entry]))


def a_write(kind: str, shape: Shape, call: Mapping[str, Any]) -> Write:
    """Read a write from a call. Raises ValidationException."""
    said = Said(call)
    write = Write(
        kind=kind,
        shape=shape,
        key=shape.key_of(call["Item"]) if kind == "Put" else shape.only_key(call["Key"]),
        values=said.values,
        tells_refusing=call.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD",
    )
    if "ConditionExpression" in call:
        condition = said.read(read_condition, call["ConditionExpression"])
        write.holds = condition.holds
    if kind == "Put":
        write.item = dict(call["Item"])
        write.spell(write.item)
    if "UpdateExpression" in call:
        write.update = said.read(read_update, call["UpdateExpression"])
        if shape.hash in write.update.changed or shape.range in write.update.changed:
            raise invalid("One or more parameter values were invalid: a key cannot be updated")
    said.check()
    return write


class Said:
    """The names and values of a call, all of which its expressions must use."""

    def __init__(self, call: Mapping[str, Any]) -> None:
        self.values: Values = call.get("ExpressionAttributeValues", {})
        self._given: Mapping[str, str] = call.get("ExpressionAttributeNames", {})
        self.names: Names = tuple(sorted(self._given.items()))
        self._used: set[str] = set()

    def read(self, reading: "Callable[[str, Names], Any]", text: str) -> Any:  # noqa: ANN401 - a reader's own
        """Read an expression and note what it uses."""
        found = reading(text, self.names)
        self.use(found.names)
        self.use(found.values)
        return found

    def use(self, used: Iterable[str]) -> None:
        """Note names or values that are used."""
        self._used.update(used)

    def check(self) -> None:
        """Refuse a call with unused names or values, or with undefined ones."""
        given = {*self._given, *self.values}
        if given == self._used:
            return
        if self._used - given:
            raise invalid(f"An expression uses what is not defined: {sorted(self._used - given)}")
        raise invalid(f"Value unused in expressions: {sorted(given - self._used)}")
