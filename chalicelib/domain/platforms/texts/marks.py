"""What platforms make of a text: its links, tags and mentions, as the post will show them.

A page of facts names the rules of its platform, in the order in which they count: what begins
inside an earlier mark belongs to that.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Final, TypeAlias

from chalicelib.kit.dataclass import dataclass

_MOST_MARKED: Final = 20_000
"""Longer texts, which only Reddit and Facebook take, are shown without marks from there on."""

_ENDING = ".,;:!?)'\""
_WEB = r"(?i)https?://[^\s<>]+"
_TAG = r"(?<![\w&/#])[#\uFF03](?=\d*[^\W\d_])\w+"
_MENTION = r"(?<![\w@/.])@\w[\w.\-]*(?<=\w)"
_CASHTAG = r"(?<![\w$])\$[A-Za-z]{1,6}(?!\w)"
_COMMUNITY = r"(?<![\w/])/?[ru]/[\w-]{2,24}"


class Mark(StrEnum):
    """What a platform makes of a part of a text."""

    PLAIN = "plain"
    LINK = "link"
    TAG = "tag"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text."""

    text: str
    mark: Mark = Mark.PLAIN


Span: TypeAlias = tuple[int, int, Mark]
Rule: TypeAlias = Callable[[str], Iterable[Span]]


def mark_text(text: str, rules: Iterable[Rule]) -> tuple[Piece, ...]:
    """Return a text in pieces, with what the rules mark in it."""
    head, rest = text[:_MOST_MARKED], text[_MOST_MARKED:]
    spans = sorted(span for rule in rules for span in rule(head))
    pieces = list(_pieces(head, spans))
    return (*pieces, Piece(rest)) if rest else tuple(pieces)


def web_links(text: str) -> Iterator[Span]:
    """Yield addresses that begin with http, without the punctuation behind them."""
    for match in re.finditer(_WEB, text):
        yield match.start(), match.start() + len(match[0].rstrip(_ENDING)), Mark.LINK


def tags(text: str) -> Iterator[Span]:
    """Yield hashtags."""
    return _spans_of(text, _TAG, Mark.TAG)


def one_tag(text: str) -> Iterator[Span]:
    """Yield the first hashtag."""
    yield from list(tags(text))[:1]


def cashtags(text: str) -> Iterator[Span]:
    """Yield `$` with the letters of a share."""
    return _spans_of(text, _CASHTAG, Mark.TAG)


def mentions(text: str) -> Iterator[Span]:
    """Yield `@` with a name."""
    return _spans_of(text, _MENTION, Mark.MENTION)


def communities(text: str) -> Iterator[Span]:
    """Yield names of communities and people that begin with `r/` and `u/`."""
    return _spans_of(text, _COMMUNITY, Mark.MENTION)


def bare_links(text: str) -> Iterator[Span]:
    """Yield what X makes a link of, addresses without http too."""
    from chalicelib.domain.platforms.texts.x_links import find_links  # noqa: PLC0415 - as captions

    return ((link.start, link.end, Mark.LINK) for link in find_links(text))


_FACETS: Final = {"link": Mark.LINK, "tag": Mark.TAG, "mention": Mark.MENTION}


def facets(text: str) -> Iterator[Span]:
    """Yield Bluesky's own facets, placed in bytes of UTF-8; each handle is taken as known."""
    from chalicelib.domain.platforms.texts import bluesky_facets  # noqa: PLC0415 - as captions

    raw = text.encode()
    known = {name: f"did:plc:{name}" for name in bluesky_facets.mentions(text)}
    for facet in bluesky_facets.facets(text, known):
        match facet:
            case {
                "index": {"byteStart": int(start), "byteEnd": int(end)},
                "features": [{"$type": str(kind)}],
            }:
                before = len(raw[:start].decode())
                yield before, before + len(raw[start:end].decode()), _FACETS[kind.partition("#")[2]]


def _spans_of(text: str, pattern: str, mark: Mark) -> Iterator[Span]:
    return ((match.start(), match.end(), mark) for match in re.finditer(pattern, text))


def _pieces(text: str, spans: Iterable[Span]) -> Iterator[Piece]:
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
