"""How many pictures a second a copy has, if the platform does not accept the video's own rate.

From a rate that is too high, every second, third or nth picture is kept; at one that is too low,
pictures are repeated, so that the video runs at its own speed. `encoding` uses it.
"""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Generic, TypeVar

from chalicelib.kit.dataclass import dataclass

Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True)
class Moment(Generic[Shown]):
    """A picture, when it is shown and for how long."""

    picture: Shown
    at: Fraction
    lasts: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The fewest and the most pictures a second; None where nothing is demanded."""

    fewest: int | None = None
    most: int | None = None

    def every(self, rate: Fraction) -> int:
        """Return that each picture, or each second, third … is kept."""
        return 1 if not self.most else max(1, math.ceil(rate / self.most * Fraction(99, 100)))

    def times(self, lasts: Fraction) -> int:
        """Return how often a picture is shown while it lasts."""
        return 1 if not self.fewest else max(1, math.ceil(lasts * self.fewest))

    def rate(self, rate: Fraction) -> Fraction:
        """Return how many pictures a second there will be, about."""
        return (rate / self.every(rate)) * self.times(1 / rate)

    def kept_pictures(
        self, moments: Iterable[Moment[Shown]], rate: Fraction
    ) -> Iterator[Moment[Shown]]:
        """Yield the pictures that are kept, each lasting until the next."""
        every, held = self.every(rate), None
        for number, moment in enumerate(moments):
            if held is not None and number % every:
                held = Moment(held.picture, held.at, moment.at + moment.lasts - held.at)
                continue
            if held is not None:
                yield held
            held = moment
        if held is not None:
            yield held
