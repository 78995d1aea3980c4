"""A million targets in one second on several stages: how many cells it takes, by the model.

Whoever has a million has many workspaces. Each cell is a whole stage with quotas of its own, and
has its share of the workspaces; so a morning on n cells is n mornings of a part, side by side.

python -m benchmarks cells
"""

from collections.abc import Iterator

from benchmarks.capacity import limits
from benchmarks.capacity.counting import Counted, counted
from benchmarks.capacity.nine_oclock import Day
from benchmarks.capacity.report import SET, Morning, a_morning, seconds
from benchmarks.prices import LIST_PRICES

TARGETS = 1_000_000
COUNTS = (1, 2, 5, 10, 20)
WARMED = 6
"""The table of posts and its five indexes."""


def mornings(texts: Counted, counts: tuple[int, ...] = COUNTS) -> Iterator[tuple[int, Morning]]:
    """Yield for each number of cells what one of them lives through."""
    for cells in counts:
        yield cells, a_morning(f"{cells} cells", Day(targets=TARGETS // cells), SET, texts)


def warmed_dollars() -> float:
    """Return what the warm throughput of one cell costs, once."""
    more = limits.TABLE_WRITES - limits.NEW_TABLE_WRITES
    return WARMED * more * LIST_PRICES["warm write unit, once"]


def table(rows: Iterator[tuple[int, Morning]]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| cells | targets of each | p50 | p99 | last | cost of the second | warm tables, once |"
    yield "|---|---|---|---|---|---|---|"
    for cells, row in rows:
        late = [seconds(row.outcome.percentile(share)) for share in (0.5, 0.99, 1.0)]
        paid = (f"${cells * row.dollars:,.0f}", f"${cells * warmed_dollars():,.0f}")
        yield f"| {' | '.join([str(cells), f'{row.day.targets:,}', *late, *paid])} |"


def run() -> None:
    """Print the table."""
    for line in table(mornings(counted())):
        print(line, flush=True)
