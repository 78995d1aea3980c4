"""The length of a caption in each platform's units, and whether that is too long.

X weighs (a link is 23, CJK and emoji 2), Bluesky counts what a reader sees as one character, TikTok
UTF-16 units, Threads the bytes of an emoji, all others code points. A megabyte of anything is
counted in well under a second, so that no caption can keep a worker busy.
"""

from chalicelib.domain.errors import CaptionTooLong
from chalicelib.domain.platforms.facts import FACTS, Counting
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.text import with_line_feeds


def count(platform: Platform, text: str) -> int:
    """Return the text's length in the platform's own units, the units of `Limits.caption`."""
    text = with_line_feeds(text)
    match FACTS[platform].limits.counted:
        case Counting.CHARACTERS:
            return len(text)
        case Counting.UTF_16:
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case counted:
            # Their patterns take long to compile: only a process that counts so pays for them.
            from chalicelib.domain.platforms.texts.caption_units import UNITS  # noqa: PLC0415

            return UNITS[counted](text)


def check_caption(platform: Platform, text: str, *, field: str) -> None:
    """Check a caption's length. Raises CaptionTooLong with the field, the length and the limit."""
    limits, name = FACTS[platform].limits, FACTS[platform].name
    limit, text = limits.caption, with_line_feeds(text)
    if limits.most_characters is not None and len(text) > limits.most_characters:
        raise CaptionTooLong(
            f"The caption has {len(text):,} characters; {name} allows {limit:,}.", field=field
        )
    if limits.most_bytes is not None and (size := _utf8_bytes(text)) > limits.most_bytes:
        raise CaptionTooLong(
            f"The caption takes {size:,} bytes; {name} allows {limits.most_bytes:,} (UTF-8).",
            field=field,
        )
    if (length := count(platform, text)) > limit:
        raise CaptionTooLong(
            f"The caption has {length:,} characters as {name} counts them; it allows {limit:,}.",
            field=field,
        )


def caption_doubt(platform: Platform, text: str) -> str | None:
    """Return why a text within the platform's limit may still be refused, None without doubt."""
    limits, name = FACTS[platform].limits, FACTS[platform].name
    size = _utf8_bytes(with_line_feeds(text))
    if limits.doubtful_bytes is None or size <= limits.doubtful_bytes:
        return None
    return (
        f"The caption takes {size:,} bytes (UTF-8). {name} documents {limits.caption:,} "
        f"characters, but has refused texts of more than {limits.doubtful_bytes:,} bytes: curly "
        "quotes, accents and other scripts take two to four each."
    )


def has_link(platform: Platform, text: str) -> bool:
    """Tell whether X would make any part of the text a link: such a post counts as 10."""
    if "." not in text:
        return False
    from chalicelib.domain.platforms.texts.caption_units import has_x_link  # noqa: PLC0415 - as captions

    return has_x_link(text[: FACTS[platform].limits.most_characters])  # longer ones are refused


def _utf8_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
