"""Previews: how a post will look on its platform, for the app and the sandbox's pages.

A preview has the author and place, the title, the text with links, tags and mentions marked, the
frame around the file, where the text is folded, and the first comment, all by the platform's page
of facts. docs/previews.md has a source for each rule.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from chalicelib.domain.platforms.crop_frame import CroppedView, crop_frame
from chalicelib.domain.platforms.facts import FACTS, Cards, Counting
from chalicelib.domain.platforms.layout import Frame
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.texts.folds import shorten
from chalicelib.domain.platforms.texts.marks import Mark, Piece, mark_text, web_links
from chalicelib.domain.platforms.texts.titles import option_text
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A post as its platform shows it; `place` is where, if not on the account's own page."""

    platform: Platform
    handle: str
    place: str | None
    title: str | None
    body: tuple[Piece, ...]
    link: str | None
    button: str | None
    first_comment: tuple[Piece, ...]
    frame: Frame
    file_first: bool
    warning: str | None
    folded: tuple[Piece, ...] | None = None
    """The part of the text before the platform's "more", None if all of it is shown."""
    acts: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """Sentences about what the platform does with the post, such as cutting its photo."""
    cropped: CroppedView | None = None
    """The visible part of a photo that was cropped by hand, None if all of it is visible."""


def preview_of(
    platform: Platform,
    handle: str,
    text: str,
    options: Mapping[str, Json],
    kind: MediaKind | None,
    *,
    aspect: float | None = None,
) -> Preview:
    """Return how a post looks; `aspect` is its file's width divided by its height, if known.

    A file of unknown aspect is shown as it is: it was already prepared and cropped.
    """
    layout = FACTS[platform].layout
    crop = crop_frame(options) if kind is MediaKind.IMAGE else None
    cropped = None if crop is None or aspect is None else crop.view(aspect)
    aspect = aspect if cropped is None else cropped.width / cropped.height
    title, body = layout.title(text, options)
    pieces, frame = mark_text(body, layout.marks), layout.frame(options, kind, aspect)
    end = None if layout.fold is None else layout.fold.place(body)
    return Preview(
        platform=platform,
        handle=handle,
        place=layout.place(options),
        title=title,
        body=pieces,
        link=_link(platform, text, options, kind),
        button=_button(options),
        first_comment=mark_text(option_text(options, "first_comment"), layout.marks),
        frame=frame,
        file_first=layout.file_first,
        warning=_warning(options),
        acts=layout.acts,
        folded=None if end is None else shorten(pieces, end),
        facts=tuple(_facts(platform, body, kind, frame)),
        cropped=cropped,
    )


_FRAMES: Final = {
    Frame.UPRIGHT: "Shown upright, 9:16.",
    Frame.WIDE: "Shown at 16:9.",
    Frame.PORTRAIT: "Narrower than 4:5: it gets borders.",
    Frame.LANDSCAPE: "Wider than 1.91:1: it gets borders.",
    Frame.PORTRAIT_CUT: "Cut to 4:5.",
    Frame.LANDSCAPE_CUT: "Cut to 1.91:1.",
    Frame.TALL_CUT: "Cut to 3:4 in the feed; a click shows all of it.",
    Frame.BROAD_CUT: "Cut to 2:1 in the feed; a click shows all of it.",
}


def _facts(platform: Platform, body: str, kind: MediaKind | None, frame: Frame) -> Iterator[str]:
    """Yield sentences about what an author may not expect."""
    facts = FACTS[platform]
    if kind is not None and frame in _FRAMES:
        yield _FRAMES[frame]
    if facts.layout.fold is not None and facts.layout.fold.place(body) is not None:
        yield facts.layout.fold.words
    is_link = any(piece.mark is Mark.LINK for piece in mark_text(body, facts.layout.marks))
    if is_link and facts.limits.counted is Counting.WEIGHED:
        yield "A link counts as 23 characters."
    if not is_link and any(True for _ in web_links(body)):
        yield "The link stays plain text: nobody can click it."
    if is_link and kind and facts.cards is not Cards.NONE and not facts.layout.link_beside_file:
        yield "The link is not shown as a card, because there is a file."


def _link(
    platform: Platform, text: str, options: Mapping[str, Json], kind: MediaKind | None
) -> str | None:
    """Return the address of the card, which on most platforms only a post without a file has."""
    layout, link = FACTS[platform].layout, options.get("link")
    if link is True or (link is None and FACTS[platform].cards is not Cards.NONE):
        links = [piece.text for piece in mark_text(text, layout.marks) if piece.mark is Mark.LINK]
        link = links[0] if links else None
    is_shown = kind is None or layout.link_beside_file
    return link if isinstance(link, str) and link and is_shown else None


def _button(options: Mapping[str, Json]) -> str | None:
    """Return the words of a post's button, None without one."""
    called = options.get("call_to_action")
    name = option_text(called, "type") or option_text(options, "cta_label")
    return name.replace("_", " ").capitalize() or None


def _warning(options: Mapping[str, Json]) -> str | None:
    if options.get("spoiler") is True:
        return "spoiler"
    return "not safe for work" if options.get("nsfw") is True else None
