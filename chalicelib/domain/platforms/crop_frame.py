"""The part of a photo that is sent when a person cropped it by hand (`options.crop`).

Its numbers are percentages of the upright photo's width and height, so that they fit the photo in
any size. The file itself is not cut: without the option, all of it is sent.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

_ALL = 100
_FINEST = 100
"""A hundredth of a percent: less than a pixel of most photos."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CroppedView:
    """The visible part of a photo that is 100 high and `whole` wide, for an SVG's `viewBox`."""

    left: float
    top: float
    width: float
    height: float
    whole: float


@dataclass(frozen=True, slots=True)
class CropFrame:
    """A part of a photo: its offset and size, in percent of the whole."""

    left: Fraction
    top: Fraction
    width: Fraction
    height: Fraction

    @property
    def words(self) -> str:
        """Return the four numbers as text, in decimals, as they are stored."""
        return " ".join(f"{float(one):g}" for one in self._numbers)

    @property
    def is_within(self) -> bool:
        """Tell whether no part of it lies beyond the photo."""
        return max(self.left + self.width, self.top + self.height) <= _ALL

    @property
    def _numbers(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        return (self.left, self.top, self.width, self.height)

    def box(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom in pixels of a photo of this size, at least 1 by 1."""
        left, top = round(width * self.left / _ALL), round(height * self.top / _ALL)
        left, top = min(left, width - 1), min(top, height - 1)
        right = round(width * (self.left + self.width) / _ALL)
        bottom = round(height * (self.top + self.height) / _ALL)
        return left, top, min(width, max(left + 1, right)), min(height, max(top + 1, bottom))

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return the size of the part of a photo of this size, in pixels."""
        left, top, right, bottom = self.box(width, height)
        return right - left, bottom - top

    def view(self, aspect: float) -> CroppedView:
        """Return the visible part of a photo; `aspect` is its width divided by its height."""
        return CroppedView(
            left=round(float(self.left) * aspect, 2),
            top=float(self.top),
            width=round(float(self.width) * aspect, 2),
            height=float(self.height),
            whole=round(_ALL * aspect, 2),
        )


def crop_frame(options: Mapping[str, Json]) -> CropFrame | None:
    """Return the part that a target's options ask for, None if all of the photo is sent.

    None, too, where what was typed for a number is none: a form is shown with it, to be corrected.
    """
    asked = options.get("crop")
    if not isinstance(asked, dict):
        return None
    numbers = [asked.get(name) or 0 for name in ("left", "top", "width", "height")]
    known = [one for one in numbers if isinstance(one, int | float) and isfinite(one)]
    if len(known) < len(numbers):
        return None
    return CropFrame(*(Fraction(round(one * _FINEST), _FINEST) for one in known))
