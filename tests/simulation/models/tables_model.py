"""A model of DynamoDB's tables: rows that change at once, indexes that follow after a while.

Rows are kept as the API writes them; conditions are moto's (`expressions.py`). A transaction checks
every condition and then changes everything. An index sees each change of a row in order, but not
before the lag that `lag` gives for it, as a global secondary index does.
"""

import heapq
import json
import math
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.simulation.models.expressions import Wire, holds, updated

TEMPLATE = Path(__file__).parents[3] / "infra" / "resources.json"
Key = tuple[str, str]
"""A row's pk and sk."""


Backup = dict[str, dict[str, dict[str, Wire]]]
"""Every row of every table, by partition and sort key."""


class ConditionRefused(Exception):
    """A condition did not hold; `row` is what was there."""

    def __init__(self, row: Wire | None) -> None:
        super().__init__()
        self.row = row


class TransactionRefused(Exception):
    """A transaction changed nothing; `reasons` says why, one for each of its writes."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__()
        self.reasons = reasons


@dataclass(slots=True)
class Index:
    """One global secondary index: its keys' names, and rows by its hash key in order."""

    hash_name: str
    range_name: str
    members: dict[str, list[tuple[str, Key]]] = field(default_factory=dict)
    places: dict[Key, tuple[str, str]] = field(default_factory=dict)
    seen: dict[Key, Wire] = field(default_factory=dict)

    def see(self, key: Key, row: Wire | None) -> None:
        """Take in how a row is now."""
        place = self.places.pop(key, None)
        if place is not None:
            members = self.members[place[0]]
            del members[bisect_left(members, (place[1], key))]
            del self.seen[key]
        if row is None or self.hash_name not in row or self.range_name not in row:
            return
        hashed, ranged = row[self.hash_name]["S"], row[self.range_name]["S"]
        self.places[key] = (hashed, ranged)
        self.seen[key] = row
        insort(self.members.setdefault(hashed, []), (ranged, key))


@dataclass(slots=True)
class Table:
    """One table with its indexes."""

    rows: dict[str, dict[str, Wire]] = field(default_factory=dict)
    indexes: dict[str, Index] = field(default_factory=dict)

    def get(self, key: Key) -> Wire | None:
        """Return one row."""
        return self.rows.get(key[0], {}).get(key[1])


class TablesModel:
    """Every table of the template, without names' prefixes of a deployment: by full name."""

    def __init__(
        self,
        prefix: str,
        now: Callable[[], float],
        lag: Callable[[], float],
        *,
        eventual_s: float = 0.0,
    ) -> None:
        """Make empty tables; reads that ask for no more show them as so long ago."""
        self.tables = dict(_from_template(prefix))
        self._now = now
        self._lag = lag
        self._coming: list[tuple[float, int, str, Key, Wire | None]] = []
        self._last: dict[tuple[str, Key], float] = {}
        self.tokens: dict[str, None] = {}
        self._eventual_s = eventual_s
        self._before: dict[tuple[str, Key], tuple[float, Wire | None]] = {}
        self._count = 0
        self.life = 0
        """How often a backup was restored: what was sent before reaches no table."""

    def get(self, table: str, key: Mapping[str, Any], *, consistent: bool = True) -> Wire | None:
        """Return one row as it is, or as an eventual read may still show it."""
        if consistent:
            return self.tables[table].get(_key(key))
        return self._seen(table, _key(key))

    def _seen(self, table: str, key: Key) -> Wire | None:
        """Return a row as it was before what was written within the last second."""
        at, before = self._before.get((table, key), (-math.inf, None))
        return before if self._now() - at < self._eventual_s else self.tables[table].get(key)

    def _seen_partition(self, table: str, pk: str) -> dict[str, Wire]:
        sort_keys = {*self.tables[table].rows.get(pk, {})}
        sort_keys |= {key[1] for name, key in self._before if (name, key[0]) == (table, pk)}
        found = {sk: self._seen(table, (pk, sk)) for sk in sort_keys}
        return {sk: row for sk, row in found.items() if row is not None}

    def put(self, call: Mapping[str, Any]) -> Wire | None:
        """Carry out PutItem. Raises ConditionRefused."""
        key = _key(call["Item"])
        return self._change(call, key, dict(call["Item"]))

    def delete(self, call: Mapping[str, Any]) -> Wire | None:
        """Carry out DeleteItem. Raises ConditionRefused."""
        return self._change(call, _key(call["Key"]), None)

    def update(self, call: Mapping[str, Any]) -> Wire:
        """Carry out UpdateItem; return the row as it is then. Raises ConditionRefused."""
        key = _key(call["Key"])
        before = self.tables[call["TableName"]].get(key)
        if not holds(call, before):
            raise ConditionRefused(before)
        after = updated(call, dict(call["Key"]) if before is None else before)
        self._write(call["TableName"], key, after)
        return after

    def _change(self, call: Mapping[str, Any], key: Key, after: Wire | None) -> Wire | None:
        before = self.tables[call["TableName"]].get(key)
        if not holds(call, before):
            raise ConditionRefused(before)
        self._write(call["TableName"], key, after)
        return before

    def transact(self, writes: Iterable[Mapping[str, Mapping[str, Any]]]) -> None:
        """Carry out all writes or none. Raises TransactionRefused."""
        steps = [(kind, call) for write in writes for kind, call in write.items()]
        rows = [
            self.get(call["TableName"], call["Item" if kind == "Put" else "Key"])
            for kind, call in steps
        ]
        reasons = [
            "None" if holds(call, row) else "ConditionalCheckFailed"
            for (_, call), row in zip(steps, rows, strict=True)
        ]
        if set(reasons) != {"None"}:
            raise TransactionRefused(reasons)
        for (kind, call), row in zip(steps, rows, strict=True):
            if kind == "Put":
                self._write(call["TableName"], _key(call["Item"]), dict(call["Item"]))
            elif kind == "Delete":
                self._write(call["TableName"], _key(call["Key"]), None)
            elif kind == "Update":
                after = updated(call, dict(call["Key"]) if row is None else row)
                self._write(call["TableName"], _key(call["Key"]), after)

    def _write(self, table: str, key: Key, row: Wire | None) -> None:
        kept = self.tables[table]
        self._before[table, key] = (self._now(), kept.get(key))
        if row is None:
            kept.rows.get(key[0], {}).pop(key[1], None)
        else:
            kept.rows.setdefault(key[0], {})[key[1]] = row
        if not kept.indexes:
            return
        at = max(self._now() + self._lag(), self._last.get((table, key), 0.0))
        self._last[table, key] = at
        self._count += 1
        heapq.heappush(self._coming, (at, self._count, table, key, row))

    def backup(self) -> Backup:
        """Return every row as it is now."""
        return {
            name: {pk: dict(partition) for pk, partition in table.rows.items()}
            for name, table in self.tables.items()
        }

    def restore(self, backup: Backup) -> None:
        """Hold what a backup holds, and nothing else: not what is on its way either."""
        self.life += 1
        for pending in (self._coming, self._last, self.tokens, self._before):
            pending.clear()
        for name, table in self.tables.items():
            table.rows = {pk: dict(partition) for pk, partition in backup[name].items()}
            for index in table.indexes.values():
                for place in (index.members, index.places, index.seen):
                    place.clear()
                for pk, partition in table.rows.items():
                    for sk, row in partition.items():
                        index.see((pk, sk), row)

    def follow(self) -> None:
        """Let the indexes see what they should have seen by now."""
        while self._coming and self._coming[0][0] <= self._now():
            _, _, table, key, row = heapq.heappop(self._coming)
            for index in self.tables[table].indexes.values():
                index.see(key, row)

    def query(self, call: Mapping[str, Any]) -> list[Wire]:
        """Return the rows of one partition that a Query names, in order, however many."""
        table = self.tables[call["TableName"]]
        name = call.get("IndexName")
        if name is None:
            partition = table.rows.get(hash_value(call), {})
            if not call.get("ConsistentRead"):
                partition = self._seen_partition(call["TableName"], hash_value(call))
            found = [partition[sk] for sk in sorted(partition)]
        else:
            self.follow()
            index = table.indexes[name]
            found = [index.seen[key] for _, key in index.members.get(hash_value(call), [])]
        matching = [row for row in found if holds(call, row, kind="KeyConditionExpression")]
        kept = [row for row in matching if holds(call, row, kind="FilterExpression")]
        return kept if call.get("ScanIndexForward", True) else kept[::-1]


def hash_value(call: Mapping[str, Any]) -> str:
    """Return the value that a key condition begins with: `#pk = :pk AND …`."""
    name = call["KeyConditionExpression"].split("=", 1)[1].split()[0]
    return str(call["ExpressionAttributeValues"][name]["S"])


def _key(row: Mapping[str, Any]) -> Key:
    return row["pk"]["S"], row["sk"]["S"]


def _from_template(prefix: str) -> Iterable[tuple[str, Table]]:
    resources = json.loads(TEMPLATE.read_text(encoding="utf-8"))["Resources"].values()
    for properties in (r["Properties"] for r in resources if r["Type"] == "AWS::DynamoDB::Table"):
        name = properties["TableName"]["Fn::Sub"].replace("${ResourcePrefix}", prefix)
        indexes = {
            index["IndexName"]: Index(*(key["AttributeName"] for key in index["KeySchema"]))
            for index in properties.get("GlobalSecondaryIndexes", [])
        }
        yield name, Table(indexes=indexes)
