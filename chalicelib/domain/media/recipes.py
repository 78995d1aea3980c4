"""How a copy of a file is made: recipes, which `platform_media` chooses and the worker carries out.

A recipe's name stands in storage, so that targets whose recipes are equal share one copy: whoever
changes what a recipe makes gives it another name.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Keep(StrEnum):
    """Which part of a long video goes out (`options.trim`)."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoRecipe:
    """An MP4 whose index comes first: the kept part, at most `longest_ms` long, or all of it.

    `encode` makes H.264 of pictures that the platform cannot show; other pictures are copied.
    """

    keep: Keep | None = None
    longest_ms: int | None = None
    encode: bool = False

    @property
    def name(self) -> str:
        """Return what this makes, as a key."""
        part = "whole" if self.keep is None else f"{self.keep}-{self.longest_ms}"
        return f"video1-{part}-h264" if self.encode else f"video1-{part}"

    @property
    def trims(self) -> bool:
        """Tell whether a part of the video is left out."""
        return self.keep is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoRecipe:
    """An upright sRGB JPEG that fits a box, a number of bytes and a range of aspects.

    A photo that is too narrow or too wide gets white borders: nothing of it is cut away.
    """

    most_bytes: int
    most_width: int
    most_height: int
    aspects: tuple[Fraction, Fraction] | None = None
    trims = False

    @property
    def name(self) -> str:
        """Return what this makes, as a key."""
        aspects = "" if self.aspects is None else f"-{self.aspects[0]}-{self.aspects[1]}"
        box = f"{self.most_width}x{self.most_height}"
        return f"photo1-{box}-{self.most_bytes}{aspects}".replace("/", ":")


@dataclass(frozen=True, slots=True)
class PosterRecipe:
    """A JPEG of what a video shows after a second, or halfway if it is shorter than two."""

    trims = False

    @property
    def name(self) -> str:
        """Return what this makes, as a key."""
        return "poster1"


Recipe = VideoRecipe | PhotoRecipe | PosterRecipe


def has_aspect(recipe: PhotoRecipe, width: int, height: int) -> bool:
    """Tell whether a picture is neither too narrow nor too wide for the recipe."""
    if recipe.aspects is None:
        return True
    narrowest, widest = recipe.aspects
    return narrowest <= Fraction(width, height) <= widest
