"""Numbers as a page draws them: a smooth line, a small one, a change in per cent.

Pages may hold no styles of their own, so a drawing is the `d` of an SVG path.
"""

from collections.abc import Sequence
from typing import Self

from chalicelib.kit.dataclass import dataclass

_WIDTH, _TOP, _BOTTOM = 120, 4, 29


@dataclass(frozen=True, slots=True)
class Change:
    """How much a number differs from an earlier one; `words` say it without colour."""

    is_more: bool
    words: str


def change(now: int, before: int) -> Change | None:
    """Return the change in per cent, None if it cannot be computed."""
    if before <= 0 or now == before:
        return None
    return Change(now > before, f"{abs(now - before) / before:.0%}".replace("%", " %"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A number beside an earlier one, with its days as a line."""

    name: str
    count: int
    change: Change | None
    line: str

    @classmethod
    def of(cls, name: str, count: int, before: int, days: Sequence[int]) -> Self:
        """Return a number's tile."""
        return cls(name=name, count=count, change=change(count, before), line=small_line(days))


def smooth_line(points: Sequence[tuple[float, float]]) -> str:
    """Return a curve through points, each as steep as the line between its neighbours."""
    spread = [points[0], *points, points[-1]]
    drawn = [f"M{_spell(points[0])}"]
    for before, start, end, after in zip(spread, spread[1:], spread[2:], spread[3:], strict=False):
        leave = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        reach = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        drawn.append(f"C{_spell(leave)} {_spell(reach)} {_spell(end)}")
    return "".join(drawn)


def small_line(numbers: Sequence[int]) -> str:
    """Return a line through numbers from left to right, the greatest on top."""
    most, step = max(*numbers, 1), _WIDTH / max(len(numbers) - 1, 1)
    points = [
        (place * step, _BOTTOM - (_BOTTOM - _TOP) * number / most)
        for place, number in enumerate(numbers)
    ]
    return "M" + " ".join(map(_spell, points))


def _spell(point: tuple[float, float]) -> str:
    x, y = point
    return f"{x:.1f} {y:.1f}".replace(".0", "")
