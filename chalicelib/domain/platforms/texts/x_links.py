r"""Where X makes links in a text, which counts for lengths, charges, cards and previews.

The rules are those of twitter-text 3.1 (github.com/twitter/twitter-text), with which the tests
compare this file. The library itself is not used: its patterns take minutes for a few thousand
characters of "a.a.a."; these read any text once. One rule is added: after "https://", a host counts
even if its top-level domain is newer than the library.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import regex

from chalicelib.domain.platforms.texts.top_level_domains import ASCII_DOMAINS, INTERNATIONAL_DOMAINS

LONGEST_LINK: Final = 4_096

_PUNCTUATION = r"!'#%&()*+,\\:;<=>?@\[\]^{|}~$/"
_SPACES = r"\x09-\x0D\x20\x85\xA0\u1680\u180E\u2000-\u200A\u2028\u2029\u202F\u205F\u3000"
_DIRECTIONS = r"\u202A-\u202E\u061C\u200E\u200F\u2066-\u2069"
_INVALID = r"\uFFFE\uFEFF\uFFFF"
_LATIN = (
    r"\xC0-\xD6\xD8-\xF6\xF8-\xFF\u0100-\u024F\u0253\u0254\u0256\u0257\u0259\u025B\u0263\u0268"
    r"\u026F\u0272\u0289\u028B\u02BB\u0300-\u036F\u1E00-\u1EFF"
)

# Possessive quantifiers throughout: nothing that was read is read again. By `regex`, since those of
# `re` match too much before Python 3.11.5 (github.com/python/cpython/issues/106052).
_LABEL = rf"[^{_PUNCTUATION}._\-{_SPACES}{_INVALID}{_DIRECTIONS}]"
_NAMES = regex.compile(rf"{_LABEL}++(?:(?:[_\-]++|\.){_LABEL}++)*+")
_PLAIN_NAMES = regex.compile(
    rf"[\-a-z0-9{_LATIN}]++(?:\.[\-a-z0-9{_LATIN}]++)*+\.?+", regex.IGNORECASE
)
_BEGINNING = regex.compile(rf"(?<=[^A-Za-z0-9@\uFF20$#\uFF03{_INVALID}]){_LABEL}")
_PROTOCOL = regex.compile(r"https?://", regex.IGNORECASE)

_PATH_END = rf"[+\-a-z0-9\u0400-\u04FF{_LATIN}=_#/]"
_PATH_MIDDLE = r"[!*';:,.$%\[\]\u2013~@|&]"
_PATH = rf"(?:{_PATH_END}|{_PATH_MIDDLE})"
_PARENTHESES = rf"(?:\((?:{_PATH}++(?:\({_PATH}++\){_PATH}*+)?+|\({_PATH}++\){_PATH}*+)\))"
_QUERY = r"\?(?:[!?*'@();:+$%\[\].,~|]*+[a-z0-9\-_&=#/])++"
_PATH_UNIT = rf"{_PARENTHESES}*+(?:{_PATH_MIDDLE}(?:{_PATH_MIDDLE}|{_PARENTHESES})*+)?+{_PATH_END}"
_AFTER_DOMAIN = regex.compile(
    rf"(?::[0-9]++)?+(/(?:{_PATH_UNIT})*+{_PARENTHESES}*+)?+(?:{_QUERY})?+", regex.IGNORECASE
)
_SHORT_LINK = regex.compile(rf"https?://t\.co/([a-z0-9]++)(?:{_QUERY})?+", regex.IGNORECASE)
_LONGEST_SHORT_NAME = 40

_ASCII_END = regex.compile(r"[0-9A-Za-z]++(?![@+\-])")
_INTERNATIONAL_END = regex.compile(
    rf"(?:{'|'.join(sorted(INTERNATIONAL_DOMAINS, key=len, reverse=True))})(?![0-9A-Za-z@+\-])"
)
_PUNYCODE_END = regex.compile(r"xn--[\-0-9a-z]++", regex.IGNORECASE)
_UNLISTED_HOST = regex.compile(r"(?:[0-9A-Za-z\-]{1,63}+\.)+[A-Za-z]{2,63}+(?![@+\-]|://)")


class Span(NamedTuple):
    """A range of a text, `end` not included."""

    start: int
    end: int


class Link(NamedTuple):
    """The range of a link, and whether its top-level domain is in X's published list.

    X may or may not make a link of an unlisted one after "https://": its real list may be newer.
    """

    start: int
    end: int
    is_listed: bool = True


class _Ending(NamedTuple):
    """A dot with a known domain after it; a link may begin from `earliest` up to the dot."""

    dot: int
    end: int
    earliest: int


class _Rest(NamedTuple):
    """Where the port, path and query after a domain end."""

    end: int
    has_path: bool


def find_links(text: str) -> list[Link]:
    """Return the links that X makes in an NFC text, from left to right, in linear time.

    Both "https://example.com/a" and a bare "example.com" are links; "user@example.com",
    "@x.com", "$A.com", "Node.js", "1.2.3.4" and "ftp://example.com" are not.
    """
    found: list[Link] = []
    taken, position = 0, 0  # what lies before `taken` belongs to an earlier link
    while "." in text and (names := _NAMES.search(text, position)):
        taken, links = _links_in(text, names, taken)
        found += links
        position = max(taken, names.end())
    return found


def _links_in(text: str, names: regex.Match[str], taken: int) -> tuple[int, list[Link]]:
    """Return where the next link can begin after a run of dotted names, and the links in it."""
    links: list[Link] = []
    endings = _endings(text, names)
    protocol = _protocol_before(text, names.start(), taken)
    if protocol is not None and (end := _host_end(text, names, endings)):
        taken = _after_domain(text, end).end
        is_listed = any(ending.end == end for ending in endings)
        link = Link(protocol, taken, is_listed)
        links += _with_protocol(text, Span(names.start(), end), link)
    for domain in _bare_domains(text, names, endings, taken):
        rest = _after_domain(text, domain.end)
        taken = rest.end
        if domain.start == 0 or text[domain.start - 1] not in "-_./":
            links += _without_protocol(text, domain, rest)
    return taken, links


def _endings(text: str, names: regex.Match[str]) -> list[_Ending]:
    """Return the dots before a known domain; the name before one must not have an underscore."""
    endings = []
    label, start, end = names.start(), names.start(), names.end()
    while (dot := text.find(".", label, end)) >= 0:
        if (after := _known_domain_end(text, dot + 1)) is not None:
            underscore = text.rfind("_", label, dot)
            endings.append(_Ending(dot, after, start if underscore < 0 else underscore + 1))
        label = dot + 1
    return endings


def _known_domain_end(text: str, start: int) -> int | None:
    plain = _ASCII_END.match(text, start)
    if plain is not None and plain.group().lower() in ASCII_DOMAINS:
        return plain.end()
    other = _INTERNATIONAL_END.match(text, start) or _PUNYCODE_END.match(text, start)
    return None if other is None else other.end()


def _protocol_before(text: str, start: int, taken: int) -> int | None:
    """Return where the "https://" right before `start` begins, if a link may begin there."""
    for length in (len("https://"), len("http://")):
        begin = start - length
        if begin >= taken and _PROTOCOL.fullmatch(text, begin, start):
            return (
                begin if begin == 0 or (begin > taken and _BEGINNING.match(text, begin)) else None
            )
    return None


def _host_end(text: str, names: regex.Match[str], endings: list[_Ending]) -> int | None:
    """Return the end of the host right after a protocol, which is its last known domain."""
    known = [ending.end for ending in endings if ending.earliest == names.start()]
    if known:
        return known[-1]
    unlisted = _UNLISTED_HOST.match(text, names.start())
    whole = unlisted is not None and unlisted.end() == names.end()
    return names.end() if whole else None


def _bare_domains(
    text: str, names: regex.Match[str], endings: list[_Ending], taken: int
) -> Iterator[Span]:
    """Yield domains as a greedy pattern would: first possible beginning, last possible end."""
    clean = [i for i, ending in enumerate(endings) if ending.earliest == names.start()]
    for ending in endings[clean[-1] if clean else 0 :]:
        start = _beginning(text, Span(ending.earliest, ending.dot), taken)
        if start is not None:
            yield Span(start, ending.end)
            taken = ending.end


def _beginning(text: str, names: Span, taken: int) -> int | None:
    """Return the first index in the names at which a link may begin, None without one."""
    if names.start == taken == 0:
        return 1 if names.end > 1 and _BEGINNING.match(text, 1) else 0
    begins = _BEGINNING.search(text, max(names.start, taken + 1), names.end)
    return None if begins is None else begins.start()


def _after_domain(text: str, end: int) -> _Rest:
    match = _AFTER_DOMAIN.match(text, end)
    return _Rest(end, has_path=False) if match is None else _Rest(match.end(), bool(match.group(1)))


def _with_protocol(text: str, domain: Span, link: Link) -> list[Link]:
    if not _is_resolvable(text, domain, Span(link.start, link.end)):
        return []
    short = _SHORT_LINK.match(text, link.start, link.end)
    if short is None:
        return [link]
    return [Link(*short.span())] if len(short.group(1)) <= _LONGEST_SHORT_NAME else []


def _without_protocol(text: str, domain: Span, rest: _Rest) -> list[Link]:
    """Return links for the ASCII names in the domain; the last one gets the path, if any."""
    if not _is_resolvable(text, domain, Span(domain.start, rest.end)):
        return []
    name = text[domain.start : domain.end]
    links: list[Link] = []
    for plain in _PLAIN_NAMES.finditer(name):
        endings = _endings(name, plain)
        if endings:
            links.append(Link(domain.start + plain.start(), domain.start + endings[-1].end))
    if links and rest.has_path:
        links[-1] = Link(links[-1].start, rest.end)
    return links


def _is_resolvable(text: str, domain: Span, link: Span) -> bool:
    """Tell whether the name is valid in DNS and the link has at most 4,096 characters."""
    if link.end - link.start > LONGEST_LINK:
        return False
    try:
        text[domain.start : domain.end].encode("idna")
    except UnicodeError:
        return False
    return True
