"""What `docs/cost.md` says that a post uses and costs is what its way through the code counts."""

import re
from collections.abc import Iterator

import pytest

from benchmarks.cost import Bill, of_a_post
from benchmarks.prices import MILLION
from infra.packaging.libraries import PROJECT
from tests.support.emulator import start_embedded

PAGE = (PROJECT / "docs" / "cost.md").read_text(encoding="utf-8")
MOST_FOR_A_MILLION = 400


@pytest.fixture(scope="module")
def bills() -> dict[str, Bill]:
    """Count by the embedded engine: it charges as DynamoDB's documentation says."""
    emulator = start_embedded()
    try:
        return of_a_post(emulator)
    finally:
        emulator.stop()


def _rows(heading: str) -> Iterator[list[str]]:
    """Yield the cells of each row of the table below a line of the page."""
    below = PAGE.partition(heading)[2]
    for line in below.splitlines():
        if line.startswith("#"):
            return
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def _amount(cell: str) -> float:
    return float(cell.replace("$", "").replace(",", ""))


def test_its_parts_cost_what_the_page_says(bills: dict[str, Bill]) -> None:
    told = {name: _amount(price) for name, _, price in _first_table()}
    counted = {name: MILLION * bill.dollars for name, bill in bills.items()}
    counted["**all**"] = sum(counted.values())

    assert told.keys() == counted.keys()
    assert {n: price for n, price in counted.items() if abs(told[n] - price) > 1} == {}
    assert counted["**all**"] <= MOST_FOR_A_MILLION


def _first_table() -> list[list[str]]:
    rows = [cells for cells in _rows("| part | per 1,000 posts |") if len(cells) == 3]
    return rows[: rows.index(next(row for row in rows if row[0] == "**all**")) + 1]


def test_it_uses_what_the_page_says(bills: dict[str, Bill]) -> None:
    rows = [cells for cells in _rows("One post uses:") if len(cells) == len(bills) + 1]
    told = {name: dict(zip(rows[0][1:], cells, strict=True)) for name, *cells in rows[1:]}
    used = {what for bill in bills.values() for what in bill.used} - {"log GB"}

    assert told.keys() == used
    differs = {
        (what, part): (told[what][part], bill.used[what])
        for what in used
        for part, bill in bills.items()
        if abs(_amount(told[what][part]) - bill.used[what]) > 0.006 * max(1, bill.used[what])
    }
    assert differs == {}


def test_a_million_costs_as_much_on_every_line_of_the_page() -> None:
    (whole,) = re.findall(r"\*\*all\*\* \| \$[0-9.]+ \| \$([0-9,]+)", PAGE)

    assert f"| a million posts, photos of 3 MB | ${whole} |" in PAGE
