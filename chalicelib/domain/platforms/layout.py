"""How a platform lays a post out: stated on its page of facts, drawn by `previews`."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import Rule
from chalicelib.domain.platforms.texts.titles import option_text
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

Chosen: TypeAlias = Mapping[str, Json]
"""The options of a target."""


class Frame(StrEnum):
    """The box in which a platform shows a file; what does not fill it gets a border, or is cut."""

    WHOLE = "whole"
    UPRIGHT = "upright"
    WIDE = "wide"
    PORTRAIT = "portrait"
    LANDSCAPE = "landscape"
    PORTRAIT_CUT = "portrait-cut"
    LANDSCAPE_CUT = "landscape-cut"
    TALL_CUT = "tall-cut"
    BROAD_CUT = "broad-cut"


def without_title(text: str, _: Chosen) -> tuple[str | None, str]:
    """Return no title, and the whole text."""
    return None, text


def nowhere(_: Chosen) -> str | None:
    """Return no place besides the account's own."""
    return None


def in_post_type(options: Chosen) -> str | None:
    """Return the post type, which names the place where the post appears, but for the feed."""
    chosen = option_text(options, "post_type")
    return chosen if chosen != "feed" and chosen else None


def whole(options: Chosen, _: MediaKind | None, __: float | None) -> Frame:
    """Return the file's own shape; reels and stories are upright."""
    return Frame.UPRIGHT if is_upright(options) else Frame.WHOLE


def is_upright(options: Chosen) -> bool:
    """Tell whether it goes out as a reel or a story."""
    return options.get("post_type") in ("reel", "story")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a platform marks in a text, and where title, place, file and link appear.

    `title` parts a text from its title; `frame` takes the options, the kind of file and its width
    by its height; `link_beside_file` tells that a link is shown though there is a file; `fold` is
    where a long text ends before its "more", None where it stands whole; `acts` are the drawings
    in the row below it.
    """

    marks: tuple[Rule, ...] = ()
    title: Callable[[str, Chosen], tuple[str | None, str]] = without_title
    place: Callable[[Chosen], str | None] = nowhere
    frame: Callable[[Chosen, MediaKind | None, float | None], Frame] = whole
    file_first: bool = False
    link_beside_file: bool = False
    fold: Fold | None = None
    acts: tuple[str, ...] = ()
