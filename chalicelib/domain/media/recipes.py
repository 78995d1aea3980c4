"""How a copy of a file is made: recipes that `requirements.py` chooses and the worker carries out.

A recipe's name is part of the storage key, so that targets with equal recipes share one copy: a
change of what a recipe makes needs another name.
"""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar, assert_never

from chalicelib.domain.platforms.crop_frame import CropFrame
from chalicelib.kit.dataclass import dataclass


class Keep(StrEnum):
    """Which part of a long video is sent (`options.trim`)."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoRecipe:
    """An MP4 whose index comes first: the kept part, at most `longest_ms` long, or all of it.

    `encode` makes H.264 of pictures that the platform cannot show, in the colours of usual screens,
    between `least_rate` and `most_rate` a second and with no side under `least_side`; other
    pictures are copied.
    """

    PREFIX: ClassVar = "video2"
    keep: Keep | None = None
    longest_ms: int | None = None
    encode: bool = False
    least_rate: int | None = None
    most_rate: int | None = None
    least_side: int | None = None

    @property
    def name(self) -> str:
        """Return the recipe's name, as a storage key."""
        part = "whole" if self.keep is None else f"{self.keep}-{self.longest_ms}"
        name = f"{self.PREFIX}-{part}"
        if not self.encode:
            return name
        rates = f"-{self.least_rate}-{self.most_rate}fps" if self.most_rate else ""
        side = f"-{self.least_side}px" if self.least_side else ""
        return f"{name}-h264{rates}{side}"

    @property
    def trims(self) -> bool:
        """Tell whether a part of the video is left out."""
        return self.keep is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoRecipe:
    """An upright sRGB JPEG that fits a box, a number of bytes and a range of aspects.

    Of a photo with a `frame` only that part is taken. What is then too narrow or too wide gets
    white borders, or is cut if it `crops`.
    """

    most_bytes: int
    most_width: int
    most_height: int
    aspects: tuple[Fraction, Fraction] | None = None
    crops: bool = False
    frame: CropFrame | None = None
    trims = False

    @property
    def name(self) -> str:
        """Return the recipe's name, as a storage key."""
        aspects = "" if self.aspects is None else f"-{self.aspects[0]}-{self.aspects[1]}"
        box = f"{self.most_width}x{self.most_height}"
        crop = "-crop" if self.crops else ""
        frame = "" if self.frame is None else f"-of-{self.frame.words.replace(' ', '-')}"
        return f"photo4-{box}-{self.most_bytes}{aspects}{crop}{frame}".replace("/", ":")


@dataclass(frozen=True, slots=True)
class CleanRecipe:
    """The file as it is, upright, without private metadata."""

    name: ClassVar[str] = "clean2"
    trims: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class PosterRecipe:
    """A JPEG of a video's picture at a second; by default the first, or halfway if it is short."""

    second: int | None = None
    trims: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Return the recipe's name, as a storage key."""
        return "poster2" if self.second is None else f"poster2-{self.second}s"


Recipe = VideoRecipe | PhotoRecipe | PosterRecipe | CleanRecipe
Words = Mapping[str, str | int | float | bool | None]
"""A recipe in its stored form: plain values by name."""


def recipe_words(recipe: Recipe) -> Words:
    """Return a recipe in plain values."""
    match recipe:
        case VideoRecipe():
            return {
                "job": "video",
                "keep": None if recipe.keep is None else recipe.keep.value,
                "longest_ms": recipe.longest_ms,
                "encode": recipe.encode,
                "least_rate": recipe.least_rate,
                "most_rate": recipe.most_rate,
                "least_side": recipe.least_side,
            }
        case PhotoRecipe():
            return {
                "job": "photo",
                "most_bytes": recipe.most_bytes,
                "most_width": recipe.most_width,
                "most_height": recipe.most_height,
                "aspects": None if recipe.aspects is None else " ".join(map(str, recipe.aspects)),
                "crops": recipe.crops,
                "frame": None if recipe.frame is None else recipe.frame.words,
            }
        case PosterRecipe():
            return {"job": "poster", "second": recipe.second}
        case CleanRecipe():
            return {"job": "clean"}
        case _:
            assert_never(recipe)


def read_recipe(words: Words) -> Recipe:
    """Read what `recipe_words` wrote. Raises ValueError, KeyError for anything else."""
    match words["job"]:
        case "video":
            keep, longest = words["keep"], words["longest_ms"]
            return VideoRecipe(
                keep=None if keep is None else Keep(str(keep)),
                longest_ms=None if longest is None else int(longest),
                encode=words["encode"] is True,
                least_rate=_number(words.get("least_rate")),
                most_rate=_number(words.get("most_rate")),
                least_side=_number(words.get("least_side")),
            )
        case "photo":
            return PhotoRecipe(
                most_bytes=int(words["most_bytes"] or 0),
                most_width=int(words["most_width"] or 0),
                most_height=int(words["most_height"] or 0),
                aspects=_read_aspects(words["aspects"]),
                crops=words.get("crops") is True,
                frame=_read_frame(words.get("frame")),
            )
        case "poster":
            second = words.get("second")
            return PosterRecipe(None if second is None else int(second))
        case "clean":
            return CleanRecipe()
        case other:
            raise ValueError(other)


def _number(written: object) -> int | None:
    return int(written) if isinstance(written, int | float) else None


def _read_frame(written: object) -> CropFrame | None:
    return None if written is None else CropFrame(*map(Fraction, str(written).split(" ")))


def _read_aspects(written: object) -> tuple[Fraction, Fraction] | None:
    if written is None:
        return None
    narrowest, widest = str(written).split(" ")
    return Fraction(narrowest), Fraction(widest)


def has_aspect(recipe: PhotoRecipe, width: int, height: int) -> bool:
    """Tell whether a picture is neither too narrow nor too wide for the recipe."""
    if recipe.aspects is None:
        return True
    narrowest, widest = recipe.aspects
    return narrowest <= Fraction(width, height) <= widest
