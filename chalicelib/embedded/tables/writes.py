"""One write of a row: read from a call before the transaction, carried out within it.

A row and its places in the indexes change together, so that an index never lags behind.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chalicelib.embedded.failures import invalid
from chalicelib.embedded.tables.expressions import Condition, Names, Values, read_condition
from chalicelib.embedded.tables.rows import Row, kept, row_of
from chalicelib.embedded.tables.shapes import Key, Shape
from chalicelib.embedded.tables.updates import ReadUpdate, read_update

_READ = "SELECT body FROM item WHERE tbl = ? AND pk = ? AND sk = ?"
_WRITE = (
    "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
    " body = excluded.body, size = excluded.size, expires = excluded.expires"
)
_REMOVE = "DELETE FROM item WHERE tbl = ? AND pk = ? AND sk = ?"
_LIST = "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)"
_UNLIST = (
    "DELETE FROM entry WHERE tbl = ? AND idx = ? AND hash = ? AND range = ? AND pk = ? AND sk = ?"
)
_WRITE_UNIT = 1024


class ConditionRefused(Exception):
    """A condition did not hold; `row` is what was there."""

    def __init__(self, row: Row | None) -> None:
        super().__init__()
        self.row = row


def _always(_row: object, _values: object) -> bool:
    return True


@dataclass(slots=True, kw_only=True)
class Write:
    """What a call wants of one row, and what became of it."""

    kind: str
    shape: Shape
    key: Key
    holds: Condition = _always
    values: Values = field(default_factory=dict)
    item: Row | None = None
    update: ReadUpdate | None = None
    tells_refusing: bool = False
    before: Row | None = None
    after: Row | None = None
    units: dict[str, int] = field(default_factory=dict)
    """Write units of the table, under no name, and of each index that changed."""

    def decide(self, connection: sqlite3.Connection) -> None:
        """Read the row and decide what becomes of it. Raises ConditionRefused."""
        self.before = read(connection, self.shape, self.key)
        if not self.holds({} if self.before is None else self.before, self.values):
            raise ConditionRefused(self.before)
        if self.update is None:
            self.after = self.before if self.kind == "ConditionCheck" else self.item
            return
        row = self.shape.named(self.key) if self.before is None else self.before
        self.after = self.update.applied(row, self.values)

    def carry_out(self, connection: sqlite3.Connection) -> None:
        """Write what was decided. Raises ValidationException."""
        if self.kind == "ConditionCheck":
            return
        place = (self.shape.id, *self.key)
        if self.after is None:
            connection.execute(_REMOVE, place)
            size = 0
        else:
            size = self.shape.size(self.after)
            expires = self.shape.expires_at(self.after)
            connection.execute(_WRITE, (*place, kept(self.after), size, expires))
        self.units[""] = -(-size // _WRITE_UNIT) or 1
        self._list(connection)

    def _list(self, connection: sqlite3.Connection) -> None:
        was = {} if self.before is None else self.shape.entries(self.before)
        becomes = {} if self.after is None else self.shape.entries(self.after)
        for name in was.keys() | becomes.keys():
            old, new = was.get(name), becomes.get(name)
            if old == new:
                continue
            if old is not None and (new is None or old[:2] != new[:2]):
                place = (self.shape.id, name, *old[:2], *self.key)
                connection.execute(_UNLIST, place)
                self.units[name] = 1
            if new is not None:
                row = (self.shape.id, name, *new[:2], *self.key, kept(new[2]))
                connection.execute(_LIST, row)
                self.units[name] = self.units.get(name, 0) + 1


def read(connection: sqlite3.Connection, shape: Shape, key: Key) -> Row | None:
    """Return one row."""
    found = connection.execute(_READ, (shape.id, *key)).fetchone()
    return None if found is None else row_of(found[0])


def list_row(connection: sqlite3.Connection, shape: Shape, key: Key, row: Row) -> None:
    """Write a row's places in all indexes, none of which has it yet."""
    for name, (hashed, ranged, more) in shape.entries(row).items():
        connection.execute(_LIST, (shape.id, name, hashed, ranged, *key, kept(more)))


def a_write(kind: str, shape: Shape, call: Mapping[str, Any]) -> Write:
    """Read what a call wants. Raises ValidationException."""
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
    if "UpdateExpression" in call:
        write.update = said.read(read_update, call["UpdateExpression"])
        if any(name in (shape.hash, shape.range) for name, _ in write.update.steps):
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
        """Refuse a call that gives what it does not use, or uses what it does not give."""
        given = {*self._given, *self.values}
        if self._used - given:
            raise invalid(f"An expression uses what is not defined: {sorted(self._used - given)}")
        if given - self._used:
            raise invalid(f"Value unused in expressions: {sorted(given - self._used)}")
