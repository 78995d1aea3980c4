"""What a burst needs of AWS: counted on the real engine in a simulation, held against the limits.

    python -m benchmarks capacity

One workspace's targets, all due in one second, go out over the models of `tests/simulation`; every
row and index entry that is written from that second on is counted by its partition. The limits are
AWS's documented quotas; the rest is division. docs/capacity.md says what the operator does.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.cost import LIST_PRICES
from chalicelib.domain.ids import is_id
from tests.simulation.client import Client
from tests.simulation.cloud import Cloud
from tests.simulation.faults import Plan
from tests.simulation.models.expressions import Wire
from tests.simulation.models.tables_model import Key, TablesModel
from tests.simulation.run import in_world

COUNTED = 100
SIZES = (1_000, 10_000, 100_000)
PARTITION_WRITES = 1_000
"""Write units a second of one partition (DynamoDB developer guide, partition key design)."""
NEW_TABLE_WRITES = 4_000
"""Write units a second that a new on-demand table serves at once (DynamoDB, on-demand mode)."""
TABLE_WRITES = 40_000
"""Write units a second of one on-demand table before its quota is raised (DynamoDB quotas)."""
LAMBDA_AT_ONCE = 1_000
"""Concurrent executions of an account in a region before the quota is raised (Lambda quotas)."""
POLLERS_PER_MINUTE = 300
"""Concurrent invocations that an SQS event source adds each minute (Lambda with SQS)."""
POLLERS_AT_FIRST = 5
"""Batches that an idle SQS event source has in work at once (Lambda with SQS)."""
BATCH = 100
"""Targets of one invocation of `publish` (`app.py`)."""
AHEAD_S = 10
"""How long before its second a batch begins: it is armed meanwhile."""
CALLS_AT_ONCE = 64
"""Calls that one invocation makes at once (`settings.py`)."""
CALL_S = 1.0
"""Assumed: how long a platform takes to answer."""
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
    """Return the tables of docs/capacity.md."""
    lines = [
        "| table or index | write units a target | its hottest partition takes |",
        "|---|---|---|",
    ]
    hottest = {place: (partition, units) for (place, partition), units in counts.hottest()}
    for place, units in sorted(counts.by_place.items()):
        partition, most = hottest[place]
        share = "its own post alone" if partition.startswith("a post") else f"`{partition}`"
        each = "" if partition.startswith("a post") else f": {most / COUNTED:.2f} a target"
        lines.append(f"| {place} | {units / COUNTED:.1f} | {share}{each} |")
    lines += [
        "",
        "| targets of one workspace in one second | " + " | ".join(f"{n:,}" for n in SIZES) + " |",
    ]
    lines += ["|---|" + "---|" * len(SIZES)]
    rows = [(name, [value(n, counts) for n in SIZES]) for name, value in _NEEDS]
    return "\n".join([*lines, *(f"| {name} | {' | '.join(values)} |" for name, values in rows)])


def _units(n: int, counts: Counts) -> str:
    posts = counts.by_place["posts"] / COUNTED * n
    return f"{posts:,.0f} units, {max(posts / TABLE_WRITES, 1):.0f} s at the quota"


def _new_table(n: int, counts: Counts) -> str:
    return f"{max(counts.by_place['posts'] / COUNTED * n / NEW_TABLE_WRITES, 1):.0f} s"


def _hottest_shared(n: int, counts: Counts) -> str:
    shared = [
        (units / COUNTED * n / PARTITION_WRITES, place, partition)
        for (place, partition), units in counts.by_partition.items()
        if not partition.startswith("a post")
    ]
    seconds, place, partition = max(shared)
    return f"{max(seconds, 1):.0f} s on `{partition}` ({place})"


def _invocations(n: int, _: Counts) -> str:
    return f"{math.ceil(n / BATCH):,}"


def _ramp(n: int, _: Counts) -> str:
    """Return how late the last batch of n targets begins on an idle queue: none ends before."""
    above_first = max(min(math.ceil(n / BATCH), LAMBDA_AT_ONCE) - POLLERS_AT_FIRST, 0)
    late_s = above_first / (POLLERS_PER_MINUTE / 60) - AHEAD_S
    return f"{late_s:.0f} s late" if late_s > 0 else "on time"


def _warm(n: int, _: Counts) -> str:
    """Return how long after its second the last call of n targets begins."""
    waves = math.ceil(min(n, BATCH) / CALLS_AT_ONCE) * math.ceil(n / BATCH / LAMBDA_AT_ONCE)
    return f"{(waves - 1) * CALL_S:.0f} s"


def _dollars(n: int, counts: Counts) -> str:
    units = sum(counts.by_place.values()) / COUNTED * n
    writes = units * LIST_PRICES["DynamoDB write unit"]
    busy_s = AHEAD_S + math.ceil(min(n, BATCH) / CALLS_AT_ONCE) * CALL_S
    function = math.ceil(n / BATCH) * busy_s * 1.769 * LIST_PRICES["Lambda GB-second"]
    return f"${writes + function:.2f}"


_NEEDS = (
    ("writes to the posts table", _units),
    ("the same on a new table, not warmed", _new_table),
    ("the busiest key that targets share", _hottest_shared),
    (f"invocations of {BATCH} targets", _invocations),
    ("the last of them begins, on an idle SQS event source", _ramp),
    ("the last call begins, invocations being there, after", _warm),
    ("writes and functions cost", _dollars),
)


def run() -> None:
    """Print the tables."""
    print(report(counted()))
