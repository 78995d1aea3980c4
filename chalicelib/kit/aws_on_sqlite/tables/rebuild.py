"""Rebuilds a table's indexes from its rows, in steps that may be interrupted anywhere.

Each step is a transaction that also notes its progress; after a kill or on a full disk, the next
start continues there. Correct entries are only read. Entries without a row show at the end, since
there are more of them than the rows gave: their index is emptied and filled again. Malformed rows
are in no index, and counted.
"""

import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from itertools import pairwise
from sqlite3 import Connection
from typing import Any

from botocore.exceptions import ClientError

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.tables.rows import Row, to_text
from chalicelib.kit.aws_on_sqlite.tables.shapes import Shape, shape_of
from chalicelib.kit.aws_on_sqlite.tables.standing import (
    About,
    Stand,
    is_whole,
    note_stand,
    note_whole,
    read_stand,
)
from chalicelib.kit.dataclass import dataclass

_ROWS, _BYTES = 10_000, 16_000_000
"""The most that one step reads."""
_CACHE_KB = 64_000
"""SQLite's cache meanwhile, large enough that a step writes each page once."""
_LARGEST_INTEGER = 2**63 - 1
_NONSENSE = (ClientError, ValueError, TypeError, AttributeError, KeyError, RecursionError)
_READ = (
    "SELECT CAST(pk AS BLOB), CAST(sk AS BLOB), expires,"
    " CASE WHEN {} THEN CAST(body AS BLOB) END FROM item"
    " WHERE tbl = ? AND typeof(pk) = 'text' AND typeof(sk) = 'text'{} ORDER BY pk, sk"
)
_AFTER = " AND (pk, sk) > (CAST(? AS TEXT), CAST(? AS TEXT))"
_LIST = (
    "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
    " SET more = excluded.more WHERE more IS NOT excluded.more"
)
_UNLIST = (
    "DELETE FROM entry WHERE (tbl, idx, hash, range, pk, sk) IN"
    " (SELECT tbl, idx, hash, range, pk, sk FROM entry WHERE tbl = ?{} LIMIT ?)"
)
_EXPIRES = "UPDATE item SET expires = ? WHERE tbl = ? AND pk = ? AND sk = ?"
_LOG = logging.getLogger(__name__)


def rebuild(engine: Engine, name: str, about: About, begun: Callable[[], None]) -> None:
    """Give a table its definition, and complete its indexes; one process at a time.

    `begun` is called before anything that takes long. Raises EndpointConnectionError when the disk
    is full: call it again.
    """
    if is_whole(engine, name, about):
        return
    begun()
    with _alone(engine):
        if not is_whole(engine, name, about):
            _Rebuild(engine, name, about).run()


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """Wait until no other process rebuilds; the kernel frees a killed one's lock."""
    lock = os.open(engine.folder / "rebuild", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@dataclass(slots=True)
class _Step:
    """What one step found."""

    places: list[tuple[object, ...]] = field(default_factory=list)
    expiries: list[tuple[object, ...]] = field(default_factory=list)
    is_last: bool = True


class _Rebuild:
    """The rebuild of one table, from where it was interrupted."""

    def __init__(self, engine: Engine, name: str, about: About) -> None:
        self._engine, self._name, self._about = engine, name, about
        self._shape, self._stand = self._begin()
        self._is_of_use, self._sought = _condition_of(self._shape)

    def _begin(self) -> tuple[Shape, Stand]:
        with self._engine.writing() as connection:
            text = "SELECT id, about FROM made WHERE kind = 'table' AND name = ?"
            number, told = connection.execute(text, (self._name,)).fetchone()
            made = json.loads(told)
            stand = read_stand(made, self._about)
            if stand is None:
                stand = Stand(drop=_changed_indexes(made, self._about))
                note_stand(connection, self._name, self._about, stand)
        _LOG.warning("rebuilding indexes", extra=self._facts_of("rebuild.begin", stand))
        return shape_of(number, self._about), stand

    def run(self) -> None:
        """Do the remaining steps."""
        with self._much_cached():
            self._count()
            while True:
                self._drop()
                while not self._list_some():
                    self._engine.work_in_log()
                wrong = self._wrong()
                if not wrong:
                    break
                self._step(Stand(of=self._stand.of, drop=wrong))
        note_whole(self._engine, self._name, self._about)
        _LOG.warning("rebuilt indexes", extra=self._facts_of("rebuild.end", self._stand))

    def _facts_of(self, action: str, stand: Stand) -> dict[str, object]:
        told = {"rows": stand.rows, "unreadable": stand.unreadable}
        return {"action": action, "table": self._name, **told}

    @contextmanager
    def _much_cached(self) -> Iterator[None]:
        with self._engine.writing(lasting=False) as connection:
            (before,) = connection.execute("PRAGMA cache_size").fetchone()
            connection.execute(f"PRAGMA cache_size = {-_CACHE_KB}")
        try:
            yield
        finally:
            with self._engine.writing(lasting=False) as connection:
                connection.execute(f"PRAGMA cache_size = {before}")

    def _count(self) -> None:
        if self._stand.of is None:
            with self._engine.reading() as connection:
                text = "SELECT count(*) FROM item WHERE tbl = ?"
                (self._stand.of,) = connection.execute(text, (self._shape.id,)).fetchone()
            self._step(self._stand)

    def _step(self, stand: Stand) -> None:
        with self._engine.writing(lasting=False) as connection:
            note_stand(connection, self._name, self._about, stand)
        self._stand = stand

    def _drop(self) -> None:
        """Remove indexes that the table no longer has, and empty those that are wrong."""
        for low, high in pairwise([None, *sorted(self._shape.indexes), None]):
            bounds = {" AND idx > ?": low, " AND idx < ?": high}
            said = {word: name for word, name in bounds.items() if name is not None}
            self._drop_where("".join(said), *said.values())
        for name in self._stand.drop:
            self._drop_where(" AND idx = ?", name)
        if self._stand.drop:
            self._stand.drop = []
            self._step(self._stand)

    def _drop_where(self, condition: str, *values: str) -> None:
        dropped = _ROWS
        while dropped == _ROWS:
            with self._engine.writing(lasting=False) as connection:
                values_of = (self._shape.id, *values, _ROWS)
                dropped = connection.execute(_UNLIST.format(condition), values_of).rowcount
            if dropped == _ROWS:
                self._engine.work_in_log()

    def _list_some(self) -> bool:
        """Write the index entries of the next rows; tell whether they were the last."""
        with self._engine.writing(lasting=False) as connection:
            step = self._read_some(connection)
            connection.executemany(_LIST, step.places)
            connection.executemany(_EXPIRES, step.expiries)
            note_stand(connection, self._name, self._about, self._stand)
        return step.is_last

    def _read_some(self, connection: Connection) -> _Step:
        step, rows, read = _Step(), 0, 0
        after = () if self._stand.after is None else tuple(map(bytes.fromhex, self._stand.after))
        text = _READ.format(self._is_of_use, _AFTER if after else "")
        found = connection.execute(text, (*self._sought, self._shape.id, *after))
        for pk, sk, expires, body in found:
            rows += 1
            self._stand.after = (pk.hex(), sk.hex())
            if body is not None:
                read += len(body)
                self._take(step, (pk, sk), expires, body)
            if rows == _ROWS or read > _BYTES:
                step.is_last = False
                break
        found.close()
        self._stand.rows += rows
        step.places.sort()
        return step

    def _take(
        self, step: _Step, key: tuple[bytes, bytes], expires: int | None, body: bytes
    ) -> None:
        try:
            pk, sk = (each.decode() for each in key)
            row = json.loads(body.decode())
            at = _small(self._shape.expires_at(row))
            entries = self._shape.entries(row)
            places = [
                (self._shape.id, name, hashed, ranged, pk, sk, _text_of(more))
                for name, (hashed, ranged, more) in entries.items()
            ]
        except _NONSENSE:
            self._stand.unreadable += 1
            return
        step.places += places
        for name in entries:
            self._stand.listed[name] = self._stand.listed.get(name, 0) + 1
        if at != expires:
            step.expiries.append((at, self._shape.id, pk, sk))

    def _wrong(self) -> list[str]:
        """Return the indexes that have more entries than the rows gave, or fewer."""
        text = "SELECT count(*) FROM entry WHERE tbl = ? AND idx = ?"
        with self._engine.reading() as connection:
            return [
                name
                for name in self._shape.indexes
                if connection.execute(text, (self._shape.id, name)).fetchone()[0]
                != self._stand.listed.get(name, 0)
            ]


def _small(number: int | None) -> int | None:
    """Return a number that SQLite can store. Raises ValueError for another one."""
    if number is not None and abs(number) > _LARGEST_INTEGER:
        raise ValueError(number)
    return number


def _text_of(more: Row) -> str:
    """Serialize an index entry's other attributes. Raises ValueError for non-text."""
    if not more:
        return "{}"
    text = to_text(more)
    text.encode()
    return text


def _condition_of(shape: Shape) -> tuple[str, list[str]]:
    """Return the condition of rows that may be in an index or expire, and its values.

    It searches a row's text for attribute names: most rows have none of them, and parsing those as
    JSON took longer than everything else.
    """
    names: set[str | None] = set()
    for index in shape.indexes.values():
        own = [name for name in (index.hash, index.range) if name not in (shape.hash, shape.range)]
        names.add(own[0] if own else None)
    if None in names:
        return "1", []
    sought = sorted(name for name in {*names, shape.expiry} if name is not None)
    conditions = ["expires IS NOT NULL", *["instr(body, ?)"] * len(sought)]
    return " OR ".join(conditions), [json.dumps(name, ensure_ascii=False) for name in sought]


def _changed_indexes(made: About, about: About) -> list[str]:
    """Return the indexes that both definitions have, but differently."""
    old, new = _indexes(made), _indexes(about)
    return [name for name in sorted(old.keys() & new.keys()) if old[name] != new[name]]


def _indexes(about: About) -> dict[str, Any]:
    return {each["IndexName"]: each for each in about.get("GlobalSecondaryIndexes", [])}
