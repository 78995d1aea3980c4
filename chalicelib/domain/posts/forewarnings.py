"""What a person is told before a post goes out that goes out all the same: code, sentence, option.

`problems` puts them into a check, each with the place of its option.
"""

from collections.abc import Iterator
from typing import Final

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.requirements import reshaping
from chalicelib.domain.platforms.alt_texts import longest_alt_text
from chalicelib.domain.platforms.choices import PRIVACY_LEVEL, Choices
from chalicelib.domain.platforms.facts import FACTS, Counting
from chalicelib.domain.platforms.option import ALT_TEXT
from chalicelib.domain.platforms.texts.captions import count, has_link
from chalicelib.domain.platforms.tiktok_form import CREATOR_LABEL, creator_warnings
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass

PHOTO_RESHAPED: Final = "photo_reshaped"
CAPTION_DOUBTFUL: Final = "caption_doubtful"
ALT_TEXT_SHORTENED: Final = "alt_text_shortened"
LINK_PRICE: Final = "link_price"
PERHAPS_TOO_LONG: Final = "perhaps_too_long"
_JOINER = "\u200d"
_OLDER_COUNTER = (
    "{0} may count newer emoji by their parts: the text would then have {1} characters, and {2} are"
    " allowed."
)
FOREWARNED: Final = frozenset(
    {PHOTO_RESHAPED, ALT_TEXT_SHORTENED, LINK_PRICE, CREATOR_LABEL, CAPTION_DOUBTFUL}
)
"""What is no risk to a post."""
_LONG_ALT = (
    "{0} takes at most {1} characters of alt text, and the file has {2}: it goes out shortened."
    " Set options.alt_text to a shorter one."
)
Told = tuple[str, str, str | None]
"""Code, sentence, and the option that it is about: None for the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """What goes out, what the account offers, and whether its application was audited."""

    media: Media | None
    choices: Choices
    is_audited: bool


def forewarnings(post: Post, target: Target, sending: Sending) -> Iterator[Told]:
    """Yield everything that is told beforehand: code, sentence and the option that it is about."""
    reshaped = None
    if sending.media is not None:
        reshaped = reshaping(sending.media, target.platform, target.options)
    if reshaped is not None:
        yield PHOTO_RESHAPED, reshaped, "fit"
    yield from _long_alt_text(post, target)
    price, text = FACTS[target.platform].link_price, target.caption(post.caption)
    if price is not None and has_link(target.platform, text):
        yield LINK_PRICE, price, None
    yield from _doubtful_length(target, text)
    if FACTS[target.platform].has_creator:
        offered = sending.choices.offered.get(PRIVACY_LEVEL, ())
        levels = {choice.id for choice in offered}
        yield from creator_warnings(target.options, levels, audited=sending.is_audited)


def _doubtful_length(target: Target, text: str) -> Iterator[Told]:
    """Yield that a text with newer pictures may be too long, by a counter that is older."""
    limits, name = FACTS[target.platform].limits, FACTS[target.platform].name
    if limits.counted is not Counting.WEIGHED or _JOINER not in text:
        return
    from chalicelib.domain.platforms.texts.caption_units import older_x_weight  # noqa: PLC0415 - as captions

    older = older_x_weight(text[: limits.most_characters])
    if older > limits.caption >= count(target.platform, text):
        yield PERHAPS_TOO_LONG, _OLDER_COUNTER.format(name, older, limits.caption), None


def _long_alt_text(post: Post, target: Target) -> Iterator[Told]:
    """Yield what becomes of a file's alt text that is longer than the platform takes."""
    text = None if post.attachment is None else post.attachment.alt_text
    longest = longest_alt_text(target.platform)
    if text is None or longest is None or target.options.get(ALT_TEXT) or len(text) <= longest:
        return
    message = _LONG_ALT.format(FACTS[target.platform].name, longest, len(text))
    yield ALT_TEXT_SHORTENED, message, ALT_TEXT
