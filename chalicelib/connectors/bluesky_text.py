"""Where a Bluesky text has links, mentions and tags: they stay dead text unless we point them out.

The rules are those of the official `RichText.detectFacets` (@atproto/api), which the tests hold
this file against. Places are counted in bytes of UTF-8, end not included.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import regex

from chalicelib.domain.outcome import Json
from chalicelib.domain.top_level_domains import ASCII_DOMAINS

LONGEST_TAG = 64
_TYPE = "app.bsky.richtext.facet"
_INVISIBLE = r"\u00AD\u2060\u200A\u200B\u200C\u200D\u20e2"
_LINK = regex.compile(
    r"(?:^|\s|\()((?:https?://\S+)|(?:(?P<domain>[a-z][a-z0-9]*(?:\.[a-z0-9]+)+)\S*))",
    regex.IGNORECASE | regex.MULTILINE,
)
_MENTION = regex.compile(r"(?:^|\s|\()@([a-zA-Z0-9.-]+)\b")
_TAG = regex.compile(
    rf"(?:^|\s)[#\uFF03]((?!\uFE0F)[^\s{_INVISIBLE}]*[^\d\s\p{{P}}{_INVISIBLE}]+[^\s{_INVISIBLE}]*)"
)
_TAG_END = regex.compile(r"\p{P}+$")
_HANDLE = regex.compile(r"(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}")


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    feature: dict[str, Json]


def mentions(text: str) -> list[str]:
    """Return the handles that a text mentions, each once."""
    return list(dict.fromkeys(handle for _, _, handle in _mentioned(text)))


def facets(text: str, people: Mapping[str, str]) -> list[Json]:
    """Return what to point out in a text; `people` are the DIDs of the handles that exist."""
    found = sorted((*_links(text), *_people(text, people), *_tags(text)), key=lambda one: one.start)
    return [_facet(text, one) for one in found]


def _facet(text: str, found: _Found) -> Json:
    start = len(text[: found.start].encode())
    end = start + len(text[found.start : found.end].encode())
    return {"index": {"byteStart": start, "byteEnd": end}, "features": [found.feature]}


def _links(text: str) -> Iterator[_Found]:
    for match in _LINK.finditer(text):
        shown = match[1]
        if match["domain"] is not None and not shown.lower().startswith("http"):
            if match["domain"].rpartition(".")[2].lower() not in ASCII_DOMAINS:
                continue
        elif not urlsplit(shown).netloc:
            continue
        shown = _without_ending(shown)
        uri = shown if shown.lower().startswith("http") else f"https://{shown}"
        yield _Found(
            match.start(1),
            match.start(1) + len(shown),
            {"$type": f"{_TYPE}#link", "uri": uri},
        )


def _without_ending(shown: str) -> str:
    """Leave out what belongs to the sentence around a link."""
    if shown[-1] in ".,;:!?":
        shown = shown[:-1]
    if shown.endswith(")") and "(" not in shown:
        shown = shown[:-1]
    return shown


def _mentioned(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _MENTION.finditer(text):
        handle = match[1]
        last = handle.rpartition(".")[2].lower()
        if _HANDLE.fullmatch(handle) and (last in ASCII_DOMAINS or last == "test"):
            yield match.start(1) - 1, match.end(1), handle


def _people(text: str, people: Mapping[str, str]) -> Iterator[_Found]:
    for start, end, handle in _mentioned(text):
        did = people.get(handle)
        if did is not None:
            yield _Found(start, end, {"$type": f"{_TYPE}#mention", "did": did})


def _tags(text: str) -> Iterator[_Found]:
    for match in _TAG.finditer(text):
        tag = _TAG_END.sub("", match[1].strip())
        if tag and len(tag) <= LONGEST_TAG:
            start = match.start(1) - 1
            yield _Found(start, start + 1 + len(tag), {"$type": f"{_TYPE}#tag", "tag": tag})
