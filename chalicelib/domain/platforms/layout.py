"""How a platform shows a post: declared on its page of facts, used by `previews`."""

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
    """The shape in which a platform shows a file; another file gets borders or is cut."""

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
    """Return None: the post appears only on the account's own page."""
    return None


def in_post_type(options: Chosen) -> str | None:
    """Return the post type as the place where the post appears, None for the feed."""
    chosen = option_text(options, "post_type")
    return chosen if chosen != "feed" and chosen else None


def whole(options: Chosen, _: MediaKind | None, __: float | None) -> Frame:
    """Return the file's own shape, or upright for reels and stories."""
    return Frame.UPRIGHT if is_upright(options) else Frame.WHOLE


def is_upright(options: Chosen) -> bool:
    """Tell whether the post is a reel or a story."""
    return options.get("post_type") in ("reel", "story")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a platform marks in a text, and where title, place, file and link appear.

    `title` returns the title and the rest of a text. `frame` takes the options, the kind of file
    and its width divided by its height. `link_beside_file` tells that a link is shown although
    there is a file. `fold` is where a long text is folded behind "more", None if it is not. `acts`
    are the icons in the row below the post.
    """

    marks: tuple[Rule, ...] = ()
    title: Callable[[str, Chosen], tuple[str | None, str]] = without_title
    place: Callable[[Chosen], str | None] = nowhere
    frame: Callable[[Chosen, MediaKind | None, float | None], Frame] = whole
    file_first: bool = False
    link_beside_file: bool = False
    fold: Fold | None = None
    acts: tuple[str, ...] = ()
