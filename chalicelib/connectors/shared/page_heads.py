"""Reads the head of a web page: its title and meta elements, in any encoding.

html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding and
encoding.spec.whatwg.org: the byte order mark first, then the header, then a meta element of the
first kilobyte, then UTF-8; "iso-8859-1" means windows-1252. A page is a stranger's: it is read once
from beginning to end, without going back, so that no page costs more than its length.
"""

import codecs
import html
import re
from collections.abc import Iterator, Mapping
from typing import Final

_DECLARED: Final = re.compile(
    rb"""charset\s{0,9}=\s{0,9}["']?\s{0,9}([A-Za-z0-9_:.\-]{2,40})""", re.IGNORECASE
)
_IN_HEADER: Final = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9_:.\-]{2,40})""", re.IGNORECASE)
_DECLARED_WITHIN: Final = 4_096
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MEANT: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "utf-16": "utf-16-le",
}
_ON_THE_WEB: Final = frozenset(
    (
        *("utf-8", "utf-16-le", "utf-16-be", "cp866", "koi8-r", "koi8-u", "mac-roman"),
        *(f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
        *("cp874", *(f"cp{n}" for n in range(1250, 1259)), "cp932", "cp949"),
        *("gb18030", "big5", "big5hkscs", "euc_jp", "iso2022_jp"),
    )
)
_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9]{0,15}")
_ATTRIBUTE: Final = re.compile(
    r"""[\s/]*([^\s/>=]{1,64})(?:\s{0,64}=\s{0,64}(?:"([^"]{0,8192})"|'([^']{0,8192})'|([^\s>"']{0,8192})))?"""
)
_MOST_ATTRIBUTES: Final = 40
_LONGEST_TITLE: Final = 8_192
_UNREAD: Final = frozenset({"script", "style", "noscript", "template", "svg"})


def read_head(body: bytes, content_type: str) -> dict[str, str]:
    """Return the page's title and its meta and link elements' values, the first of each name."""
    said: dict[str, str] = {}
    for name, content in _read_tags(_decode(body, content_type)):
        said.setdefault(name, " ".join(_unescape(content).split()))
    return {name: text for name, text in said.items() if text}


def _unescape(text: str) -> str:
    """Return a text with its references decoded; unchanged if a number is too long to read."""
    try:
        return html.unescape(text)
    except ValueError:  # Python reads no number of more than 4,300 digits
        return text


def _decode(body: bytes, content_type: str) -> str:
    return body.decode(_encoding(body, content_type), errors="replace")


def _encoding(body: bytes, content_type: str) -> str:
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name
    declared = _DECLARED.search(body[:_DECLARED_WITHIN])
    for found in (_IN_HEADER.search(content_type), declared):
        label = None if found is None else found[1]
        codec = _codec(label.decode("ascii") if isinstance(label, bytes) else label)
        if codec is not None:
            # A page that says in ASCII that it is in UTF-16 is not.
            return "utf-8" if found is declared and codec.startswith("utf-16") else codec
    return "utf-8"


def _codec(label: str | None) -> str | None:
    """Return Python's name of an encoding of the web, None for any other."""
    try:
        name = codecs.lookup((label or "").removeprefix("x-")).name
    except LookupError:
        return None
    name = _MEANT.get(name, name)
    return name if name in _ON_THE_WEB else None


def _read_tags(page: str) -> Iterator[tuple[str, str]]:
    place = 0
    while (place := page.find("<", place)) >= 0:
        place += 1
        if page.startswith("!--", place):
            place = _after(page, "-->", place)
            continue
        named = _NAME.match(page, place)
        if named is None:
            if page[place : place + 5].lower() == "/head":
                return
            continue
        tag, place = named[0].lower(), named.end()
        if tag == "body":
            return
        attributes, place = _attributes(page, place)
        if tag in {"meta", "link"}:
            yield from _properties_of(tag, attributes)
        elif tag == "title":
            place = _after(page, ">", place)
            end = _after(page, "</", place)
            yield "title", page[place : min(end, place + _LONGEST_TITLE)].removesuffix("</")
            place = end
        elif tag in _UNREAD:
            place = _after(page, f"</{tag}", place)


def _properties_of(tag: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield an element's value for each of its names: `itemprop` and `rel` are names, too."""
    text = attributes.get("content" if tag == "meta" else "href")
    if not text:
        return
    name = attributes.get("property") or attributes.get("name")
    if tag == "meta" and name:
        yield name.lower(), text
    for word in attributes.get("itemprop", "").split():
        yield f"itemprop={word.lower()}", text
    if tag == "link":
        for word in attributes.get("rel", "").split():
            yield f"rel={word.lower()}", text


def _attributes(page: str, place: int) -> tuple[dict[str, str], int]:
    """Return an element's attributes and where it ends, ignoring malformed ones."""
    found: dict[str, str] = {}
    for _ in range(_MOST_ATTRIBUTES):
        attribute = _ATTRIBUTE.match(page, place)
        if attribute is None:
            break
        name, *values = attribute.groups()
        found.setdefault(name.lower(), next((one for one in values if one is not None), ""))
        place = attribute.end()
    return found, place


def _after(page: str, sign: str, place: int) -> int:
    found = page.find(sign, place)
    return len(page) if found < 0 else found + len(sign)
