"""Reads one partition of a table or an index in order, page by page.

A page ends at 1 MB or at the caller's limit; a filter removes rows from it afterwards ("Querying
tables in DynamoDB", "Using global secondary indexes").
"""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from chalicelib.kit.aws_on_sqlite.failures import invalid
from chalicelib.kit.aws_on_sqlite.tables.conditions import ReadCondition, read_condition
from chalicelib.kit.aws_on_sqlite.tables.expressions import Tree, Values
from chalicelib.kit.aws_on_sqlite.tables.rows import Row, row_of, size_of
from chalicelib.kit.aws_on_sqlite.tables.shapes import Index, Shape
from chalicelib.kit.aws_on_sqlite.tables.writes import Said
from chalicelib.kit.dataclass import dataclass

_PAGE_BYTES = 1024 * 1024
_LAST = "\U0010ffff"
_ORDER = {"item": "pk, sk", "entry": "hash, range, pk, sk"}


@dataclass(slots=True, kw_only=True)
class Page:
    """Rows of one page."""

    rows: list[Row] = field(default_factory=list)
    scanned: int = 0
    size: int = 0
    following: Row | None = None


@dataclass(slots=True, kw_only=True)
class Question:
    """A Query or Scan, read from its call."""

    shape: Shape
    index: Index | None
    where: list[str]
    given: list[object]
    filter: ReadCondition | None
    values: Values
    shown: frozenset[str] | None
    forward: bool
    limit: int | None

    def ask(self, connection: sqlite3.Connection) -> Page:
        """Return a page of rows."""
        page = Page()
        for row, size in self._rows_and_sizes(connection):
            if page.size + size > _PAGE_BYTES and page.scanned:
                break
            page.scanned += 1
            page.size += size
            page.following = row
            if self.filter is None or self.filter.holds(row, self.values):
                page.rows.append(row)
            if page.scanned == self.limit:
                break
        else:
            page.following = None
        if page.following is not None:
            names = {self.shape.hash, self.shape.range}
            names |= {self.index.hash, self.index.range} if self.index else set()
            page.following = {name: page.following[name] for name in sorted(names)}
        if self.shown is not None:
            page.rows = [{name: row[name] for name in row.keys() & self.shown} for row in page.rows]
        return page

    def _rows_and_sizes(self, connection: sqlite3.Connection) -> Iterator[tuple[Row, int]]:
        place = "item" if self.index is None else "entry"
        order = _ORDER[place] if self.forward else _ORDER[place].replace(",", " DESC,") + " DESC"
        text = f"SELECT * FROM {place} WHERE {' AND '.join(self.where)} ORDER BY {order}"  # noqa: S608 - our own words
        cursor = connection.execute(text, self.given)
        try:
            for found in cursor:
                yield self._row(found)
        finally:
            cursor.close()

    def _row(self, found: tuple[Any, ...]) -> tuple[Row, int]:
        if self.index is None:
            return row_of(found[3]), found[4]
        _, _, hashed, ranged, pk, sk, more = found
        keys = {self.index.hash: {"S": hashed}, self.index.range: {"S": ranged}}
        row = {**self.shape.spell_key((pk, sk)), **keys, **row_of(more)}
        return row, size_of(row)


def a_query(shape: Shape, call: Mapping[str, Any]) -> Question:
    """Read a Query. Raises ValidationException."""
    said = Said(call)
    condition = said.read(read_condition, call["KeyConditionExpression"])
    index = shape.index(call["IndexName"]) if "IndexName" in call else None
    hashed, ranged = (index.hash, index.range) if index else (shape.hash, shape.range)
    texts = {name: value.get("S") for name, value in said.values.items()}
    partition, bounds = _key_condition(condition.tree, hashed, ranged, texts)
    question = _question(shape, index, call, said)
    column_pk, column_sk = ("hash", "range") if index else ("pk", "sk")
    question.where.append(f"{column_pk} = ?")
    question.given.append(partition)
    for sign, bound in bounds:
        question.where.append(f"{column_sk} {sign} ?")
        question.given.append(bound)
    start = call.get("ExclusiveStartKey")
    if start:
        _begin_after(question, start, partition)
    if question.filter is not None and {hashed, ranged} & question.filter.attributes:
        raise invalid("Filter Expression can only contain non-primary key attributes")
    return question


def a_scan(shape: Shape, call: Mapping[str, Any]) -> Question:
    """Read a Scan. Raises ValidationException."""
    index = shape.index(call["IndexName"]) if "IndexName" in call else None
    question = _question(shape, index, call, Said(call))
    if "TotalSegments" in call:
        # Ids begin with the time, so their last digits are what distributes them evenly.
        question.where.append("unicode(substr(pk, -1)) % ? = ?")
        question.given += [call["TotalSegments"], call["Segment"]]
    start = call.get("ExclusiveStartKey")
    if start:
        _begin_after(question, start, None)
    return question


def _question(shape: Shape, index: Index | None, call: Mapping[str, Any], said: Said) -> Question:
    found = (
        said.read(read_condition, call["FilterExpression"]) if "FilterExpression" in call else None
    )
    shown = _projected_names(call, said)
    said.check()
    if index is not None:
        _check_projection(shape, index, call, (found.attributes if found else frozenset()), shown)
    return Question(
        shape=shape,
        index=index,
        where=["tbl = ?"] if index is None else ["tbl = ?", "idx = ?"],
        given=[shape.id] if index is None else [shape.id, index.name],
        filter=found,
        values=said.values,
        shown=shown,
        forward=call.get("ScanIndexForward", True),
        limit=call.get("Limit"),
    )


def _projected_names(call: Mapping[str, Any], said: Said) -> frozenset[str] | None:
    text = call.get("ProjectionExpression")
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    said.use(word for word in words if word.startswith("#"))
    names = dict(said.names)
    return frozenset(names.get(word, word) for word in words)


def _check_projection(
    shape: Shape,
    index: Index,
    call: Mapping[str, Any],
    filtered: frozenset[str],
    shown: frozenset[str] | None,
) -> None:
    if call.get("ConsistentRead"):
        raise invalid("Consistent reads are not supported on global secondary indexes")
    held = shape.index_attributes(index)
    if held is None:
        return
    if call.get("Select") == "ALL_ATTRIBUTES" or not held >= filtered | (shown or frozenset()):
        raise invalid("One or more parameter values were invalid: the index does not project them")


_Bounds = list[tuple[str, str]]


def _key_condition(
    tree: Tree, hashed: str, ranged: str, texts: Mapping[str, str | None]
) -> tuple[str, _Bounds]:
    """Return the partition and the bounds of the sort key. Raises ValidationException."""
    match tree:
        case ("AND", ("=", ("name", name), (":", value)), other) if name == hashed:
            return _text(texts, value), _range(other, ranged, texts)
        case ("=", ("name", name), (":", value)) if name == hashed:
            return _text(texts, value), []
    raise invalid("Query condition missed key schema element, or is not known here")


def _range(tree: Tree, ranged: str, texts: Mapping[str, str | None]) -> _Bounds:
    match tree:
        case ("BETWEEN", ("name", name), (":", low), (":", high)) if name == ranged:
            first, last = _text(texts, low), _text(texts, high)
            if first > last:
                raise invalid("The BETWEEN operator requires upper bound not below lower bound")
            return [(">=", first), ("<=", last)]
        case ("begins_with", ("name", name), (":", value)) if name == ranged:
            first = _text(texts, value)
            return [(">=", first), ("<", first + _LAST)]
        case ("=" | "<" | "<=" | ">" | ">=" as sign, ("name", name), (":", value)) if (
            name == ranged
        ):
            return [(sign, _text(texts, value))]
    raise invalid("Query key condition not supported")


def _text(texts: Mapping[str, str | None], name: str) -> str:
    text = texts.get(name)
    if not text:
        raise invalid(f"The value {name} of a key condition must be a text that is not empty")
    return text


def _begin_after(question: Question, start: Mapping[str, Any], partition: str | None) -> None:
    """Continue after the last key of an earlier page. Raises ValidationException."""
    index, shape = question.index, question.shape
    names = (
        [shape.hash, shape.range]
        if index is None
        else [*(index.hash, index.range), *(shape.hash, shape.range)]
    )
    if start.keys() != set(names):
        raise invalid("The provided starting key is invalid")
    place = [start[name]["S"] for name in names]
    if partition is not None and place[0] != partition:
        raise invalid("The provided starting key is outside query boundaries")
    columns = _ORDER["item" if index is None else "entry"].split(", ")
    # The partition is given by itself: SQLite finds its way by the columns after it
    # (sqlite.org/rowvalue.html, "Scrolling Window Queries").
    columns, place = (columns, place) if partition is None else (columns[1:], place[1:])
    sign = ">" if question.forward else "<"
    marks = ", ".join("?" * len(place))
    question.where.append(f"({', '.join(columns)}) {sign} ({marks})")
    question.given += place
