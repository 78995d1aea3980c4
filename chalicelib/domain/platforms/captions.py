"""How long a caption is as each platform counts it, and whether that is too long.

X weighs (a link 23, CJK and emoji 2), Bluesky counts what a reader sees as one character, TikTok
UTF-16 units, Threads the bytes of an emoji, everyone else code points. A megabyte of anything is
judged in well under a second, so that no caption can keep a worker busy.
"""

import unicodedata
from typing import Final

import regex

from chalicelib.domain.errors import CaptionTooLong
from chalicelib.domain.platforms.platform import LIMITS, NAMES, Platform
from chalicelib.domain.platforms.x_links import LONGEST_LINK, Link, find_links

BLUESKY_BYTES: Final = 3_000
_X_LINK_LENGTH: Final = 23
_X_LONGEST_TEXT: Final = LIMITS[Platform.X].caption // _X_LINK_LENGTH * LONGEST_LINK + 280
"""Twelve links of 4,096 characters: nothing longer can weigh 280."""

_FLAG = regex.compile(r"\p{Regional_Indicator}{2}")
_FLAG_BYTES: Final = 8
_CLUSTER = regex.compile(r"\X")
_EMOJI_SIGN = regex.compile(r"[\p{Emoji_Presentation}\uFE0F\u20E3]")

_TEXT_STYLE = r"[\p{Extended_Pictographic}&&\p{Emoji}--\p{Emoji_Presentation}]"
_STYLED = "⌚⌛◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛔⛪⛲⛳⛵⛺⛽❗⬛⬜⭐⭕🀄🈚🈯"
"""Pictures that X counts as one with a U+FE0F after them; after any other it counts for itself."""

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
_LIGHT = regex.compile(r"[\u0000-\u10FF\u2000-\u200D\u2010-\u201F\u2032-\u2037]++")
_MARKS = regex.compile(r"\p{M}++")
_LONGEST_MARKS: Final = 255


def count(platform: Platform, text: str) -> int:
    """Return the text's length in the platform's own units, the units of `Limits.caption`."""
    match platform:
        case Platform.X:
            return _x_weight(text)
        case Platform.BLUESKY:
            return _graphemes(text)
        case Platform.THREADS:
            return _threads_units(text)
        case Platform.TIKTOK:
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case _:
            return len(text)


def check_caption(platform: Platform, text: str, *, field: str) -> None:
    """Raise CaptionTooLong, naming the field, the length and the limit, if the text is too long."""
    limit, name = LIMITS[platform].caption, NAMES[platform]
    if platform is Platform.X and len(text) > _X_LONGEST_TEXT:
        raise CaptionTooLong(
            f"The caption has {len(text):,} characters; {name} allows {limit:,}.", field=field
        )
    if platform is Platform.BLUESKY and (size := _utf8_bytes(text)) > BLUESKY_BYTES:
        raise CaptionTooLong(
            f"The caption takes {size:,} bytes; {name} allows {BLUESKY_BYTES:,} (UTF-8).",
            field=field,
        )
    if (length := count(platform, text)) > limit:
        raise CaptionTooLong(
            f"The caption has {length:,} characters as {name} counts them; it allows {limit:,}.",
            field=field,
        )


def has_link(text: str) -> bool:
    """Tell whether X would make a link of any part of the text: such a post counts as 10."""
    return bool(find_links(_composed(text)))


def _x_weight(text: str) -> int:
    text = _composed(text).replace("\r\n", "\n")
    links = find_links(text)
    ends = [0, *(link.end for link in links)]
    starts = [*(link.start for link in links), len(text)]
    between = "\n".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    weights = sum(_link_weight(text, link) for link in links)
    return _plain_weight(between) + weights - len("\n") * len(links)


def _link_weight(text: str, link: Link) -> int:
    """Return a link's weight: where X may not link, that of its text, should it be more."""
    if link.is_listed:
        return _X_LINK_LENGTH
    return max(_X_LINK_LENGTH, _plain_weight(text[link.start : link.end]))


def _plain_weight(text: str) -> int:
    without_emoji, emoji = _EMOJI.subn("", text)
    return 2 * emoji + len(without_emoji) + len(_LIGHT.sub("", without_emoji))


def _composed(text: str) -> str:
    """Return the text in NFC, but for endless runs of marks, which take forever to compose."""
    if any(marks.end() - marks.start() > _LONGEST_MARKS for marks in _MARKS.finditer(text)):
        return text
    return unicodedata.normalize("NFC", text)


def _graphemes(text: str) -> int:
    # Flags in a row are paired off first: \X looks back over all of them at each one.
    return sum(1 for _ in _CLUSTER.finditer(_FLAG.sub("x", text)))


def _threads_units(text: str) -> int:
    without_flags, flags = _FLAG.subn("x", text)
    units = flags * (_FLAG_BYTES - len("x"))
    if _EMOJI_SIGN.search(without_flags) is None:
        return units + _graphemes(without_flags)
    return units + sum(
        _utf8_bytes(cluster[0]) if _EMOJI_SIGN.search(cluster[0]) else 1
        for cluster in _CLUSTER.finditer(without_flags)
    )


def _utf8_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
