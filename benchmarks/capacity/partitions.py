"""Counts, by partition, what a burst writes: on the real engine in a simulation.

One workspace's targets, all due in one second, go out over the models of `tests/simulation`; every
row and index entry that is written from that second on is counted by its partition.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chalicelib.domain.ids import is_id
from tests.simulation.client import Client
from tests.simulation.cloud import Cloud
from tests.simulation.faults import Plan
from tests.simulation.models.expressions import Wire
from tests.simulation.models.tables_model import Key, TablesModel
from tests.simulation.run import in_world

COUNTED = 100
_DUE_S = 600.0


@dataclass(slots=True)
class Counts:
    """Write units from the second on, by table or index, and by single partition."""

    by_place: Counter[str] = field(default_factory=Counter)
    by_partition: Counter[tuple[str, str]] = field(default_factory=Counter)
    rows: int = 0

    def hottest(self) -> Iterable[tuple[tuple[str, str], int]]:
        """Yield the partition of each table and index that takes most of its writes."""
        seen = set()
        for (place, partition), units in self.by_partition.most_common():
            if place not in seen:
                seen.add(place)
                yield (place, partition), units


class CountingTables(TablesModel):
    """The model of the tables, counting what each write costs and where."""

    counts: Counts | None = None
    _factor = 1

    def transact(self, writes: Iterable[Mapping[str, Mapping[str, Any]]]) -> None:
        """Carry out all writes or none, at twice the price."""
        self._factor = 2
        try:
            super().transact(writes)
        finally:
            self._factor = 1

    def _write(self, table: str, key: Key, row: Wire | None) -> None:
        before = self.tables[table].get(key)
        super()._write(table, key, row)
        if self.counts is None:
            return
        name = table.rpartition("-")[2]
        size = max(len(json.dumps(one)) for one in (before, row) if one is not None)
        units = math.ceil(size / 1_024) * self._factor
        self.counts.rows += 1
        self.counts.by_place[name] += units
        self.counts.by_partition[name, _kind(key[0])] += units
        for index, shape in self.tables[table].indexes.items():
            places = [_place(one, shape.hash_name, shape.range_name) for one in (before, row)]
            for place in {one for one in places if one is not None and places[0] != places[1]}:
                self.counts.by_place[f"{name}, index {index}"] += 1
                self.counts.by_partition[f"{name}, index {index}", _kind(place[0])] += 1


def _place(row: Wire | None, hashed: str, ranged: str) -> tuple[str, str] | None:
    if row is None or hashed not in row or ranged not in row:
        return None
    return row[hashed]["S"], row[ranged]["S"]


def _kind(partition: str) -> str:
    """Return a partition's name without a workspace's id; a post's own is one of many."""
    parts = ["<id>" if is_id(part) else part for part in partition.split("#")]
    return "#".join(parts) if parts != ["<id>"] else f"a post of {partition}"


def counted() -> Counts:
    """Return what the targets of one workspace wrote from their second on."""
    with in_world(Plan(seed=1, faults=frozenset()), tables=CountingTables) as (cloud, client):
        _schedule(cloud, client)
        scheduler = cloud.world.scheduler
        scheduler.run(_DUE_S - 11)
        tables = cloud.tables
        if not isinstance(tables, CountingTables):
            raise TypeError(tables)
        tables.counts = Counts()
        scheduler.run(_DUE_S + 300)
        if len(cloud.platform.taken) != COUNTED:
            raise RuntimeError(f"{len(cloud.platform.taken)} of {COUNTED} targets went out.")
        return tables.counts


def _schedule(cloud: Cloud, client: Client) -> None:
    due = cloud.world.scheduler.time_at(_DUE_S)
    account = client.accounts["linkedin"]

    def work() -> None:
        for number in range(COUNTED):
            body = {"caption": f"Bread {number}", "targets": [{"account_id": account}]}
            post = client.ask("POST", "/v1/posts", body)[1]
            at = {"at": due.isoformat()}
            client.ask("POST", f"/v1/posts/{post['id']}/schedule", at)

    cloud.world.scheduler.spawn(cloud.outsider("client"), work)


def report(counts: Counts) -> str:
    """Return the table of the busiest partitions in docs/capacity.md."""
    lines = ["| table or index | its busiest partition takes |", "|---|---|"]
    hottest = {place: (partition, units) for (place, partition), units in counts.hottest()}
    for place in sorted(counts.by_place):
        partition, most = hottest[place]
        share = "its own post alone" if partition.startswith("a post") else f"`{partition}`"
        each = "" if partition.startswith("a post") else f": {most / COUNTED:.2f} units a target"
        lines.append(f"| {place} | {share}{each} |")
    return "\n".join(lines)
