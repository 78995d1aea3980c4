"""The links, tags and mentions that platforms mark in a text, for previews.

A page of facts names the rules of its platform. A mark that begins inside an earlier one is left
out.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Final, TypeAlias

from chalicelib.kit.dataclass import dataclass

_MOST_MARKED: Final = 20_000
"""Texts longer than this, which only Reddit and Facebook accept, have no marks after it."""

_ENDING = ".,;:!?)'\""
_WEB = r"(?i)https?://[^\s<>]+"
_TAG = r"(?<![\w&/#])[#\uFF03](?=\d*[^\W\d_])\w+"
_MENTION = r"(?<![\w@/.])@\w[\w.\-]*(?<=\w)"
_CASHTAG = r"(?<![\w$])\$[A-Za-z]{1,6}(?!\w)"
_COMMUNITY = r"(?<![\w/])/?[ru]/[\w-]{2,24}"


class Mark(StrEnum):
    """How a platform marks a part of a text."""

    PLAIN = "plain"
    LINK = "link"
    TAG = "tag"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text with its mark."""

    text: str
    mark: Mark = Mark.PLAIN


Span: TypeAlias = tuple[int, int, Mark]
Rule: TypeAlias = Callable[[str], Iterable[Span]]


def mark_text(text: str, rules: Iterable[Rule]) -> tuple[Piece, ...]:
    """Return a text in pieces, marked by the rules."""
    head, rest = text[:_MOST_MARKED], text[_MOST_MARKED:]
    spans = sorted(span for rule in rules for span in rule(head))
    pieces = list(_pieces(head, spans))
    return (*pieces, Piece(rest)) if rest else tuple(pieces)


def web_links(text: str) -> Iterator[Span]:
    """Yield addresses that begin with http:// or https://, without punctuation after them."""
    for match in re.finditer(_WEB, text):
        yield match.start(), match.start() + len(match[0].rstrip(_ENDING)), Mark.LINK


def tags(text: str) -> Iterator[Span]:
    """Yield hashtags."""
    return _spans_of(text, _TAG, Mark.TAG)


def one_tag(text: str) -> Iterator[Span]:
    """Yield the first hashtag."""
    yield from list(tags(text))[:1]


def cashtags(text: str) -> Iterator[Span]:
    """Yield cashtags: `$` and a stock symbol."""
    return _spans_of(text, _CASHTAG, Mark.TAG)


def mentions(text: str) -> Iterator[Span]:
    """Yield mentions: `@` and a name."""
    return _spans_of(text, _MENTION, Mark.MENTION)


def communities(text: str) -> Iterator[Span]:
    """Yield names of communities and people that begin with `r/` and `u/`."""
    return _spans_of(text, _COMMUNITY, Mark.MENTION)


def bare_links(text: str) -> Iterator[Span]:
    """Yield X's links, which include addresses without http://."""
    from chalicelib.domain.platforms.texts.x_links import find_links  # noqa: PLC0415 - as captions

    return ((link.start, link.end, Mark.LINK) for link in find_links(text))


_FACETS: Final = {"link": Mark.LINK, "tag": Mark.TAG, "mention": Mark.MENTION}


def facets(text: str) -> Iterator[Span]:
    """Yield Bluesky's facets, as if every mentioned handle existed."""
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
    """Yield the pieces of a text; spans that begin inside an earlier one are left out."""
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
