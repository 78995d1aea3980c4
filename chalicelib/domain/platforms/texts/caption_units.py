"""The length of a text for X, Bluesky and Threads, which count neither characters nor bytes.

`captions` imports it when it first counts for one of them, because the patterns take long to
compile and few processes need them.
"""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

import regex

from chalicelib.domain.platforms.facts import Counting
from chalicelib.domain.platforms.texts.x_links import Link, find_links

_X_LINK_LENGTH: Final = 23

_FLAG = regex.compile(r"\p{Regional_Indicator}{2}")
_FLAG_BYTES: Final = 8
_CLUSTER = regex.compile(r"\X")
_JOINERS = r"[\p{InCB=Extend}\p{InCB=Linker}]++"
_LOOSE_JOINERS = regex.compile(
    rf"\p{{InCB=Consonant}}{_JOINERS}|({_JOINERS})(?=\p{{InCB=Consonant}})|{_JOINERS}"
)
"""Group 1 comes before a consonant but follows none; there Unicode's rule GB9c does not join."""
_EMOJI_SIGN = regex.compile(r"[\p{Emoji_Presentation}\uFE0F\u20E3]")

_TEXT_STYLE = r"[\p{Extended_Pictographic}&&\p{Emoji}--\p{Emoji_Presentation}]"
_STYLED = "⌚⌛◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛔⛪⛲⛳⛵⛺⛽❗⬛⬜⭐⭕🀄🈚🈯"
"""Emoji that X counts as one with a following U+FE0F; after any other, it counts U+FE0F too."""

_PICTURE = (
    rf"(?:\p{{Emoji_Modifier_Base}}\p{{Emoji_Modifier}}|{_TEXT_STYLE}\uFE0F?"
    rf"|[{_STYLED}]\uFE0F?|\p{{Emoji_Presentation}})"
)
_EMOJI = regex.compile(
    r"\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3"
    r"|(?![\u00A9\u00AE](?!\uFE0F))"  # a bare copyright or trade mark sign is text
    rf"{_PICTURE}(?:[\U000E0020-\U000E007E]++\U000E007F|(?:\u200D{_PICTURE})*+)",
    regex.VERSION1,
)
_JOINER: Final = "\u200d"
_SKIN = r"[\U0001F3FB-\U0001F3FF]"
_NEWER_JOINED = regex.compile(
    r"\u2764\uFE0F?\u200D[\U0001F525\U0001FA79]"
    r"|\U0001F636\u200D\U0001F32B\uFE0F?|\U0001F62E\u200D\U0001F4A8|\U0001F635\u200D\U0001F4AB"
    rf"|\U0001F9D4{_SKIN}?\u200D[\u2640\u2642]\uFE0F?"
    rf"|\U0001FAF1{_SKIN}\u200D\U0001FAF2{_SKIN}"
    rf"|\U0001F9D1{_SKIN}\u200D\u2764\uFE0F?\u200D(?:\U0001F48B\u200D)?\U0001F9D1{_SKIN}"
    r"|\U0001F642\u200D[\u2194\u2195]\uFE0F?|\U0001F426\u200D(?:\U0001F525|\u2B1B)"
    r"|\U0001F34B\u200D\U0001F7E9|\u26D3\uFE0F?\u200D\U0001F4A5|\U0001F344\u200D\U0001F7EB"
)
"""Joined emoji of Emoji 13.1 to 15.1 (unicode.org/Public/emoji/15.1/emoji-zwj-sequences.txt)."""
_LIGHT = regex.compile(r"[\u0000-\u10FF\u2000-\u200D\u2010-\u201F\u2032-\u2037]++")
_MARKS = regex.compile(r"\p{M}++")
_LONGEST_MARKS: Final = 255


def has_x_link(text: str) -> bool:
    """Tell whether X would make any part of the text a link."""
    return bool(find_links(_compose(text)))


def x_weight(text: str) -> int:
    """Return the length that X counts, with links at their fixed weight."""
    text = _compose(text)
    links = find_links(text)
    ends = [0, *(link.end for link in links)]
    starts = [*(link.start for link in links), len(text)]
    between = "\n".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    weights = sum(_link_weight(text, link) for link in links)
    return _plain_weight(between) + weights - len("\n") * len(links)


def older_x_weight(text: str) -> int:
    """Return the length by a counter that does not count newer joined emoji as one.

    npm's twitter-text 3.1 is such a counter: it counts two for each part and one for each joiner.
    It is not known which of the two X's live counter is.
    """
    joined = _NEWER_JOINED.finditer(_compose(text))
    return x_weight(text) + sum(3 * str(found[0]).count(_JOINER) for found in joined)


def _link_weight(text: str, link: Link) -> int:
    """Return a link's weight; where X may not make a link, at least that of its text."""
    if link.is_listed:
        return _X_LINK_LENGTH
    return max(_X_LINK_LENGTH, _plain_weight(text[link.start : link.end]))


def _plain_weight(text: str) -> int:
    without_emoji, emoji = _EMOJI.subn("", text)
    return 2 * emoji + len(without_emoji) + len(_LIGHT.sub("", without_emoji))


def _compose(text: str) -> str:
    """Return the text in NFC; as it is with huge runs of marks, which take too long to compose."""
    if any(marks.end() - marks.start() > _LONGEST_MARKS for marks in _MARKS.finditer(text)):
        return text
    return unicodedata.normalize("NFC", text)


def graphemes(text: str) -> int:
    """Return how many characters a reader sees (Unicode's extended grapheme clusters)."""
    # Flags in a row are paired off first: \X looks back over all of them at each one.
    apart, added = _part(_FLAG.sub("x", text))
    return sum(1 for _ in _CLUSTER.finditer(apart)) - added


def threads_units(text: str) -> int:
    """Return the length that Threads counts: the bytes of an emoji, one for anything else."""
    without_flags, flags = _FLAG.subn("x", text)
    units = flags * (_FLAG_BYTES - len("x"))
    if _EMOJI_SIGN.search(without_flags) is None:
        return units + graphemes(without_flags)
    apart, added = _part(without_flags)
    return (units - added) + sum(
        len(cluster[0].encode("utf-8", "surrogatepass")) if _EMOJI_SIGN.search(cluster[0]) else 1
        for cluster in _CLUSTER.finditer(apart)
    )


def _part(text: str) -> tuple[str, int]:
    r"""Return the text with a line break where \X joins and GB9c does not, and how many were added.

    \X joins a consonant to a virama whatever comes before; GB9c does so only after a consonant.
    """
    added = 0

    def part(found: regex.Match[str]) -> str:
        nonlocal added
        if found[1] is None:
            return found[0]
        added += 1
        return found[0] + "\n"

    return _LOOSE_JOINERS.sub(part, text), added


UNITS: Final[Mapping[Counting, Callable[[str], int]]] = {
    Counting.WEIGHED: x_weight,
    Counting.GRAPHEMES: graphemes,
    Counting.EMOJI_BYTES: threads_units,
}
"""The functions that count a text in each of these units."""
