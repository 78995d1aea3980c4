"""The rows of a week: its hours, with runs of empty ones and the night folded.

A fold takes one line and opens in place; an hour with entries is never folded, except at night.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.web.forms.agenda import Day, Stretch

NIGHT: Final = 6
"""The hour at which a night ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """One hour of every day."""

    hour: int
    cells: Sequence[tuple[Day, Stretch]]

    @property
    def golden(self) -> list[str]:
        """Say why it is golden: on which day for which platforms."""
        return [
            f"{day.date:%a}: {', '.join(stretch.golden)}"
            for day, stretch in self.cells
            if stretch.golden
        ]

    @property
    def posts(self) -> int:
        """Return its number of entries."""
        return sum(len(stretch.entries) + stretch.more for _, stretch in self.cells)

    def is_empty(self, *, frees: bool) -> bool:
        """Tell whether it has no entries; `frees` counts free queue times."""
        return not self.posts and not any(
            stretch.golden or (frees and stretch.free) for _, stretch in self.cells
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Hours that follow one another, all folded or none."""

    hours: Sequence[Hour]
    is_folded: bool

    @property
    def span(self) -> str:
        """Say from when to when it goes."""
        return f"{self.hours[0].hour:02} to {self.hours[-1].hour + 1:02}"

    @property
    def posts(self) -> int:
        """Return its number of entries."""
        return sum(hour.posts for hour in self.hours)


def rows_of(days: Sequence[Day], *, frees: bool) -> list[Rows]:
    """Return a week's hours in order; a single empty one is not worth folding."""
    hours = [
        Hour(hour=hour, cells=[(day, day.stretches[hour]) for day in days]) for hour in range(24)
    ]
    return list(_fold(hours, frees=frees))


def _fold(hours: Sequence[Hour], *, frees: bool) -> Iterator[Rows]:
    yield Rows(hours=hours[:NIGHT], is_folded=True)
    for is_empty, found in groupby(hours[NIGHT:], lambda hour: hour.is_empty(frees=frees)):
        run = list(found)
        yield Rows(hours=run, is_folded=is_empty and len(run) > 1)
