"""XMP: creator, rights and credit stay, in a new packet; everything else is removed.

Only texts are searched for, by the names that every writer of XMP uses, and nothing is parsed as
XML: declared entities have no effect here. ISO 16684-1.
"""

import re
from collections.abc import Iterator
from typing import Final

_MOST_BYTES: Final = 1_048_576
_LONGEST: Final = 2_048
_MOST_ITEMS: Final = 20
_TEXT: Final = re.compile(r"(?:[^<&]|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)*")
_ITEM: Final = re.compile(r"<rdf:li(?:\s[^<>]{0,80})?>([^<]*)</rdf:li>")
_LISTS: Final = {"dc:creator": "Seq", "dc:rights": "Alt", "xmpRights:UsageTerms": "Alt"}
_PLAIN: Final = ("photoshop:Credit", "xmpRights:Marked", "xmpRights:WebStatement")
_HEAD: Final = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" '
    'xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/">'
)
_FOOT: Final = "</rdf:Description></rdf:RDF></x:xmpmeta>"


def xmp_credits(packet: bytes) -> bytes:
    """Return a packet with the credits of this one alone, b"" if it has none."""
    if len(packet) > _MOST_BYTES:
        return b""
    try:
        said = packet.decode("utf-8")
    except UnicodeDecodeError:
        return b""
    kept = "".join([*_lists(said), *_texts(said)])
    return f"{_HEAD}{kept}{_FOOT}".encode() if kept else b""


def _lists(said: str) -> Iterator[str]:
    for name, kind in _LISTS.items():
        inside = _between(said, f"<{name}>", f"</{name}>")
        found = [item for item in _ITEM.findall(inside)[:_MOST_ITEMS] if _is_text(item)]
        language = ' xml:lang="x-default"' if kind == "Alt" else ""
        texts = found[:1] if kind == "Alt" else found
        items = "".join(f"<rdf:li{language}>{text}</rdf:li>" for text in texts)
        if items:
            yield f"<{name}><rdf:{kind}>{items}</rdf:{kind}></{name}>"


def _texts(said: str) -> Iterator[str]:
    for name in _PLAIN:
        text = _between(said, f"<{name}>", f"</{name}>") or _between(said, f' {name}="', '"')
        if _is_text(text):
            yield f"<{name}>{text}</{name}>"


def _between(said: str, before: str, after: str) -> str:
    """Return the text between the first of the one and the next of the other, "" for none."""
    start = said.find(before)
    end = -1 if start < 0 else said.find(after, start + len(before))
    return "" if end < 0 else said[start + len(before) : end]


def _is_text(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and bool(text.strip() and _TEXT.fullmatch(text))
