"""How long a caption is as each platform counts it, and whether that is too long.

X weighs (a link 23, CJK and emoji 2), Bluesky counts what a reader sees as one character, TikTok
UTF-16 units, Threads the bytes of an emoji, everyone else code points. A megabyte of anything is
judged in well under a second, so that no caption can keep a worker busy.
"""

from typing import Final

from chalicelib.domain.errors import CaptionTooLong
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform

BLUESKY_BYTES: Final = 3_000
_X_LONGEST_TEXT: Final = FACTS[Platform.X].limits.caption // 23 * 4_096 + 280
"""Twelve links of 4,096 characters that weigh 23 each: nothing longer can weigh 280."""


def count(platform: Platform, text: str) -> int:
    """Return the text's length in the platform's own units, the units of `Limits.caption`."""
    match platform:
        case Platform.X | Platform.BLUESKY | Platform.THREADS:
            # Their patterns take long to compile: only a process that counts so pays for them.
            from chalicelib.domain.platforms.caption_units import UNITS  # noqa: PLC0415

            return UNITS[platform](text)
        case Platform.TIKTOK:
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case _:
            return len(text)


def check_caption(platform: Platform, text: str, *, field: str) -> None:
    """Raise CaptionTooLong, naming the field, the length and the limit, if the text is too long."""
    limit, name = FACTS[platform].limits.caption, FACTS[platform].name
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
    if "." not in text:
        return False
    from chalicelib.domain.platforms.caption_units import has_x_link  # noqa: PLC0415 - as `count`

    return has_x_link(text)


def _utf8_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
