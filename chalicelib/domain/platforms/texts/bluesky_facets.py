"""Facets of a Bluesky text: its links, mentions and tags, which only work if a post declares them.

The rules are those of the official `RichText.detectFacets` (@atproto/api), with which the tests
compare this file. Offsets are in bytes of UTF-8, the end not included.
"""

from collections.abc import Iterator, Mapping

import regex

from chalicelib.domain.platforms.texts.top_level_domains import ASCII_DOMAINS
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

LONGEST_TAG = 64
_TYPE = "app.bsky.richtext.facet"
_INVISIBLE = r"\u00AD\u2060\u200A\u200B\u200C\u200D\u20e2"
_LINK = regex.compile(
    r"(?:^|\s|\()((?:https?://\S+)|(?:(?P<domain>[a-z][a-z0-9]*(?:\.[a-z0-9]+)+)\S*))",
    regex.IGNORECASE | regex.MULTILINE,
)
_MENTION = regex.compile(r"(?:^|\s|\()@([a-zA-Z0-9.-]*[a-zA-Z0-9])(?![a-zA-Z0-9_])")
_TAG = regex.compile(
    rf"(?:^|\s)[#\uFF03]((?!\uFE0F)[^\s{_INVISIBLE}]*[^0-9\s\p{{P}}{_INVISIBLE}]+[^\s{_INVISIBLE}]*)"
)
_TAG_END = regex.compile(r"\p{P}+$")
_CASHTAG = regex.compile(r"(?:^|\s|\()\$([A-Za-z][A-Za-z0-9]{0,4})(?=\s|$|[.,;:!?)\"'\u2019])")
_URI = regex.compile(r"\w+:(?://)?[^\s/]\S*")
"""The form that the lexicon requires of a link; with another one, the post would be refused."""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    feature: dict[str, Json]


def mentions(text: str) -> list[str]:
    """Return the handles that a text mentions, each once."""
    return list(dict.fromkeys(handle for _, _, handle in _find_mentions(text)))


def facets(text: str, people: Mapping[str, str]) -> list[Json]:
    """Return the facets of a text; `people` are the DIDs of the handles that exist."""
    found = sorted((*_links(text), *_people(text, people), *_tags(text)), key=lambda one: one.start)
    return [_facet(text, one) for one in found]


def _facet(text: str, found: _Found) -> Json:
    start = len(text[: found.start].encode())
    end = start + len(text[found.start : found.end].encode())
    return {"index": {"byteStart": start, "byteEnd": end}, "features": [found.feature]}


def _is_domain(name: str) -> bool:
    """Tell whether a name ends in a top-level domain, in any case."""
    front, _, last = name.rpartition(".")
    return front != "" and last.lower() in ASCII_DOMAINS


def _links(text: str) -> Iterator[_Found]:
    for match in _LINK.finditer(text):
        if match["domain"] is not None and not _is_domain(match["domain"]):
            continue
        shown = _without_ending(match[1])
        uri = shown if match["domain"] is None else f"https://{shown}"
        if _URI.fullmatch(uri):
            end = match.start(1) + len(shown)
            yield _Found(match.start(1), end, {"$type": f"{_TYPE}#link", "uri": uri})


def _without_ending(shown: str) -> str:
    """Return a link without the punctuation of the sentence around it."""
    if shown[-1] in ".,;:!?":
        shown = shown[:-1]
    if shown.endswith(")") and "(" not in shown:
        shown = shown[:-1]
    return shown


def _find_mentions(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _MENTION.finditer(text):
        handle = match[1]
        if _is_domain(handle) or handle.endswith(".test"):
            yield match.start(1) - 1, match.end(1), handle


def _people(text: str, people: Mapping[str, str]) -> Iterator[_Found]:
    for start, end, handle in _find_mentions(text):
        did = people.get(handle)
        if did is not None:
            yield _Found(start, end, {"$type": f"{_TYPE}#mention", "did": did})


def _tags(text: str) -> Iterator[_Found]:
    for match in _TAG.finditer(text):
        tag = _TAG_END.sub("", match[1].strip())
        if tag and len(tag.encode("utf-16-le")) // 2 <= LONGEST_TAG:
            yield _tag(match.start(1) - 1, tag, len(tag) + 1)
    for match in _CASHTAG.finditer(text):
        yield _tag(match.start(1) - 1, f"${match[1].upper()}", len(match[1]) + 1)


def _tag(start: int, tag: str, length: int) -> _Found:
    return _Found(start, start + length, {"$type": f"{_TYPE}#tag", "tag": tag})
