"""Days as stacked bars, with an earlier period as a dashed line over them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from chalicelib.domain.analytics.metrics import DaySums
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass

_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 976.0, 20.5, 196.5
_GAP = 2
_TICKS = 4
_NAMED = 5
_WEEK = 7


@dataclass(frozen=True, slots=True)
class Bar:
    """One platform's part of a day."""

    hue: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A chart: bars, lines of equal height with their numbers, days that are named, the line."""

    bars: Sequence[Bar]
    heights: Sequence[tuple[float, str]]
    days: Sequence[tuple[float, str]]
    before: str


def bars(
    days: Mapping[date, DaySums], before: Sequence[DaySums], colours: Mapping[Platform, int]
) -> Bars:
    """Draw the views of each day's posts, by platform."""
    sums = [sum(one.views_by_platform.values()) for one in days.values()]
    earlier = [sum(one.views_by_platform.values()) for one in before]
    step = _step(max(*sums, *earlier, _TICKS))
    most = step * -(-max(*sums, *earlier, _TICKS) // step)
    wide, unit = (_RIGHT - _LEFT) / len(days), (_BOTTOM - _TOP) / most
    line = " ".join(
        f"{_LEFT + (place + 0.5) * wide:.1f} {_BOTTOM - one * unit:.1f}"
        for place, one in enumerate(earlier)
    )
    return Bars(
        bars=[
            bar
            for place, one in enumerate(days.values())
            for bar in _stack(one, colours, _LEFT + place * wide, wide, unit)
        ],
        heights=[(_BOTTOM - n * step * unit, _short(n * step)) for n in range(1, most // step + 1)],
        days=[
            (_LEFT + (place + 0.5) * wide, f"{day:%-d %b}")
            for place, day in enumerate(days)
            if place in _places_to_name(len(days))
        ],
        before=f"M{line}" if any(earlier) else "",
    )


def _places_to_name(days: int) -> set[int]:
    """Return the places of the labelled days: some weeks apart, and the last."""
    every = 1 if days <= _WEEK else _WEEK * max(1, days // (_WEEK * _NAMED))
    return {*range(0, days - every // 2, every), days - 1}


def _stack(
    day: DaySums, colours: Mapping[Platform, int], x: float, wide: float, unit: float
) -> Iterator[Bar]:
    y = _BOTTOM
    inset = wide / 6
    for platform, hue in colours.items():
        high = day.views_by_platform.get(platform, 0) * unit
        if high < 1:
            continue
        y -= high
        gap = _GAP if high > 2 * _GAP else 0
        x_y = (round(x + inset, 1), round(y, 1))
        yield Bar(hue, *x_y, round(wide - 2 * inset, 1), round(high - gap, 1))


def _step(most: int) -> int:
    """Return a round step, about a quarter of the greatest number."""
    rough = max(1, most // _TICKS)
    size = 10 ** (len(f"{rough}") - 1)
    return int(next(n * size for n in (1, 2, 5, 10) if n * size >= rough))


def _short(number: int) -> str:
    if number < 1000:  # noqa: PLR2004 - from there on in thousands
        return f"{number}"
    return f"{number / 1000:g}k"
