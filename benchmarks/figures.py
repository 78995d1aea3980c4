"""The figures of a run in one table: ours, what cannot be beaten, and what others do.

Each benchmark's `run` returns its figures; `python -m benchmarks` prints them once all ran. A floor
and a peer are measured in the same run or they are not in the table.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Beside:
    """Something else that was measured in the same run, to compare with."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured, its unit in its name.

    `floor` is the least (of a rate: the most) that the task itself allows, `peer` another way to do
    the same.
    """

    what: str
    us: float
    floor: Beside | None = None
    peer: Beside | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """Return its row of the table."""
        return (
            self.what,
            _beside(self.peer),
            _beside(self.floor),
            _number(self.us),
            _ratio(self.us, self.peer),
            _ratio(self.us, self.floor),
        )


_HEAD = ("what", "peer", "floor", "us", "us / peer", "us / floor")


def table(figures: Iterable[Figure]) -> str:
    """Return a table that reads well as text and as Markdown."""
    return "\n".join(_lines([_HEAD, *(figure.cells for figure in figures)]))


def _lines(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    for number, row in enumerate(rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "| " + " | ".join(cells) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"


def _beside(other: Beside | None) -> str:
    return "none" if other is None else f"{_number(other.value)} ({other.name})"


def _ratio(us: float, other: Beside | None) -> str:
    return "" if other is None or not other.value else f"{us / other.value:.2f}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004 - a width
