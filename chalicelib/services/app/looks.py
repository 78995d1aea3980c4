"""How a post will look on its platform: the one account of it for the app and the sandbox's pages.

Who posts it and where, the title, the text with what the platform makes links, tags and mentions
of, the frame around the file, and the first comment. Where a connector decides a part of that
(Reddit's title, Bluesky's facets, X's links), it is asked here too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from chalicelib.connectors.bluesky.text import facets, mentions
from chalicelib.connectors.reddit.post import body_of, title_of
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.x_links import find_links

_MOST_MARKED: Final = 20_000
"""Longer texts, which only Reddit and Facebook take, are shown without marks from there on."""
_LONGEST_YOUTUBE_TITLE: Final = 100
_ENDING = ".,;:!?)'\""
_WEB = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
_TAG = re.compile(r"(?<![\w&/#])[#\uFF03](?=\d*[^\W\d_])\w+")
_MENTION = re.compile(r"(?<![\w@/.])@\w[\w.\-]*(?<=\w)")
_CASHTAG = re.compile(r"(?<![\w$])\$[A-Za-z]{1,6}(?!\w)")
_REDDIT_NAME = re.compile(r"(?<![\w/])/?[ru]/[\w-]{2,24}")


class Mark(StrEnum):
    """What a platform makes of a part of a text."""

    PLAIN = "plain"
    LINK = "link"
    TAG = "tag"
    MENTION = "mention"


class Frame(StrEnum):
    """The box in which a platform shows a file; what does not fill it gets a border."""

    WHOLE = "whole"
    UPRIGHT = "upright"
    WIDE = "wide"
    PORTRAIT = "portrait"
    LANDSCAPE = "landscape"


_INSTAGRAM_NARROWEST: Final = 4 / 5
_INSTAGRAM_WIDEST: Final = 1.91


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text."""

    text: str
    mark: Mark = Mark.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A post as its platform lays it out; `place` is where it goes besides the account's page."""

    platform: Platform
    handle: str
    place: str | None
    title: str | None
    body: tuple[Piece, ...]
    link: str | None
    button: str | None
    first_comment: tuple[Piece, ...]
    frame: Frame
    warning: str | None


def look_of(
    platform: Platform,
    handle: str,
    text: str,
    options: Mapping[str, Json],
    kind: MediaKind | None,
    *,
    aspect: float | None = None,
) -> Look:
    """Return how a post looks; `aspect` is its file's width by its height, if known."""
    title, body = _title_and_body(platform, text, options)
    return Look(
        platform=platform,
        handle=handle,
        place=_place(platform, options),
        title=title,
        body=marked(platform, body),
        link=_link(platform, text, options, kind),
        button=_button(options),
        first_comment=marked(platform, _text(options, "first_comment")),
        frame=_frame(platform, options, kind, aspect),
        warning="spoiler" if options.get("spoiler") is True else _nsfw(options),
    )


def marked(platform: Platform, text: str) -> tuple[Piece, ...]:
    """Return a text in pieces, with what the platform marks in it."""
    head, rest = text[:_MOST_MARKED], text[_MOST_MARKED:]
    pieces = list(_pieces(head, sorted(_spans(platform, head))))
    return (*pieces, Piece(rest)) if rest else tuple(pieces)


_Span = tuple[int, int, Mark]


def _spans(platform: Platform, text: str) -> Iterator[_Span]:
    match platform:
        case Platform.BLUESKY:
            yield from _facets(text)
        case Platform.X:
            yield from ((link.start, link.end, Mark.LINK) for link in find_links(text))
            yield from _found(text, ((_TAG, Mark.TAG), (_CASHTAG, Mark.TAG)))
            yield from _found(text, ((_MENTION, Mark.MENTION),))
        case Platform.REDDIT:
            yield from _web_links(text)
            yield from _found(text, ((_REDDIT_NAME, Mark.MENTION),))
        case Platform.INSTAGRAM | Platform.TIKTOK:
            yield from _found(text, ((_TAG, Mark.TAG), (_MENTION, Mark.MENTION)))
        case Platform.THREADS:
            yield from _web_links(text)
            yield from list(_found(text, ((_TAG, Mark.TAG),)))[:1]
            yield from _found(text, ((_MENTION, Mark.MENTION),))
        case Platform.YOUTUBE | Platform.LINKEDIN | Platform.FACEBOOK:
            yield from _web_links(text)
            yield from _found(text, ((_TAG, Mark.TAG),))
        case Platform.PINTEREST:
            yield from _found(text, ((_TAG, Mark.TAG),))
        case Platform.GOOGLE_BUSINESS_PROFILE:
            yield from _web_links(text)


def _found(text: str, rules: Iterable[tuple[re.Pattern[str], Mark]]) -> Iterator[_Span]:
    for rule, mark in rules:
        for match in rule.finditer(text):
            yield match.start(), match.end(), mark


def _web_links(text: str) -> Iterator[_Span]:
    for match in _WEB.finditer(text):
        yield match.start(), match.start() + len(match[0].rstrip(_ENDING)), Mark.LINK


_FACETS = {"link": Mark.LINK, "tag": Mark.TAG, "mention": Mark.MENTION}


def _facets(text: str) -> Iterator[_Span]:
    """Yield Bluesky's own facets, placed in bytes of UTF-8; each handle is taken as known."""
    raw = text.encode()
    for facet in facets(text, {name: f"did:plc:{name}" for name in mentions(text)}):
        match facet:
            case {
                "index": {"byteStart": int(start), "byteEnd": int(end)},
                "features": [{"$type": str(kind)}],
            }:
                before = len(raw[:start].decode())
                yield before, before + len(raw[start:end].decode()), _FACETS[kind.partition("#")[2]]


def _pieces(text: str, spans: Iterable[_Span]) -> Iterator[Piece]:
    """Cut a text at its marks; what begins inside an earlier mark belongs to that."""
    done = 0
    for start, end, mark in spans:
        if start < done:
            continue
        if start > done:
            yield Piece(text[done:start])
        yield Piece(text[start:end], mark)
        done = end
    if done < len(text):
        yield Piece(text[done:])


def _title_and_body(
    platform: Platform, text: str, options: Mapping[str, Json]
) -> tuple[str | None, str]:
    match platform:
        case Platform.REDDIT:
            return title_of(options, text), body_of(options, text)
        case Platform.YOUTUBE:
            lines = [_text(options, "title"), *text.splitlines()]
            first = next((line.strip() for line in lines if line.strip()), "")
            return first[:_LONGEST_YOUTUBE_TITLE] or None, text
        case Platform.PINTEREST | Platform.FACEBOOK | Platform.LINKEDIN:
            return _text(options, "title") or None, text
        case Platform.GOOGLE_BUSINESS_PROFILE:
            event = options.get("event")
            return (_text(event, "title") or None if isinstance(event, dict) else None), text
        case _:
            return None, text


def _place(platform: Platform, options: Mapping[str, Json]) -> str | None:
    match platform:
        case Platform.REDDIT:
            name = _text(options, "subreddit").strip("/")
            return name if not name or name[:2] in ("r/", "u/") else f"r/{name}"
        case Platform.PINTEREST:
            board = _text(options, "board")
            return f"board {board}" if board else None
        case Platform.THREADS:
            return _text(options, "topic_tag") or None
        case Platform.INSTAGRAM | Platform.FACEBOOK:
            chosen = _text(options, "post_type")
            return chosen if chosen != "feed" and chosen else None
        case _:
            return None


def _link(
    platform: Platform, text: str, options: Mapping[str, Json], kind: MediaKind | None
) -> str | None:
    """Return the address of the card below, which only a post without a file has."""
    link = options.get("link")
    if link is True:
        links = [piece.text for piece in marked(platform, text) if piece.mark is Mark.LINK]
        link = links[0] if links else None
    is_shown = kind is None or platform in (Platform.PINTEREST, Platform.REDDIT)
    return link if isinstance(link, str) and link and is_shown else None


def _button(options: Mapping[str, Json]) -> str | None:
    """Return the words of a post's button."""
    call = options.get("call_to_action")
    name = _text(call, "type") if isinstance(call, dict) else _text(options, "cta_label")
    return name.replace("_", " ").capitalize() or None


def _frame(
    platform: Platform, options: Mapping[str, Json], kind: MediaKind | None, aspect: float | None
) -> Frame:
    if platform is Platform.TIKTOK or options.get("post_type") in ("reel", "story"):
        return Frame.UPRIGHT
    if platform is Platform.YOUTUBE:
        return Frame.UPRIGHT if aspect is not None and aspect < 1 else Frame.WIDE
    if platform is not Platform.INSTAGRAM:
        return Frame.WHOLE
    if kind is MediaKind.VIDEO:
        return Frame.UPRIGHT
    if aspect is not None and aspect < _INSTAGRAM_NARROWEST:
        return Frame.PORTRAIT
    return Frame.LANDSCAPE if aspect is not None and aspect > _INSTAGRAM_WIDEST else Frame.WHOLE


def _nsfw(options: Mapping[str, Json]) -> str | None:
    return "not safe for work" if options.get("nsfw") is True else None


def _text(options: Mapping[str, Json], name: str) -> str:
    found = options.get(name)
    return found if isinstance(found, str) else ""
