"""What a person is told before a post goes out that goes out all the same: code, sentence, option.

`problems` puts them into a check, each with the place of its option. People who see one text twice
within a day, or two posts of an account within minutes, take it for a mistake: those are told too.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.requirements import reshaping
from chalicelib.domain.platforms.alt_texts import longest_alt_text
from chalicelib.domain.platforms.choices import PRIVACY_LEVEL, Choices
from chalicelib.domain.platforms.facts import FACTS, Counting
from chalicelib.domain.platforms.option import ALT_TEXT
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import count, has_link
from chalicelib.domain.platforms.tiktok_form import CREATOR_LABEL, creator_warnings
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.text import comparable_text
from chalicelib.kit.dataclass import dataclass

PHOTO_RESHAPED: Final = "photo_reshaped"
ANIMATION_STILLED: Final = "animation_stilled"
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
    {
        PHOTO_RESHAPED,
        ANIMATION_STILLED,
        ALT_TEXT_SHORTENED,
        LINK_PRICE,
        CREATOR_LABEL,
        CAPTION_DOUBTFUL,
    }
)
"""What is no risk to a post."""
_STILLED: Final = (
    "The file is animated, and {0} shows photos without movement: one picture of it is seen."
    " Upload the animation as an MP4 video instead."
)
_LONG_ALT = (
    "{0} takes at most {1} characters of alt text, and the file has {2}: it goes out shortened."
    " Set options.alt_text to a shorter one."
)
REPEATED_TEXT: Final = "repeated_text"
CLOSE_TOGETHER: Final = "close_together"
REPEATED_WITHIN: Final = timedelta(hours=24)
_CLOSE: Final = timedelta(minutes=10)
_GOES_OUT: Final = frozenset(
    {TargetStatus.SCHEDULED, TargetStatus.PUBLISHING, TargetStatus.PUBLISHED}
)
_REPEATED: Final = (
    "The same text goes to this account at {0:%Y-%m-%d %H:%M} UTC as well."
    " Change it, or leave one out."
)
_CLOSE_BY: Final = (
    "Another post goes to this account at {0:%Y-%m-%d %H:%M} UTC, less than 10 minutes away."
    " Move one of them."
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


def tell_still(media: Media | None, platform: Platform) -> str | None:
    """Say what becomes of an animated photo; None of any other file."""
    if media is None or not media.is_animated:
        return None
    return _STILLED.format(FACTS[platform].name)


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


def neighbour_warnings(
    post: Post, targets: Iterable[Target], others: Iterable[Post], *, now: datetime
) -> Iterator[tuple[Target, str, str]]:
    """Yield for each target, at most once each, what it repeats and what it comes close to.

    `others` are posts with a time within a day of the targets'; one without a time goes out now.
    """
    neighbours = [
        (other, their, their.published_at or their.scheduled_at)
        for other in others
        if other.id != post.id
        for their in other.targets
        if their.status in _GOES_OUT
    ]
    for target in targets:
        at = max(target.scheduled_at or now, now)
        near = [
            (abs(their_time - at), their_time, _text(other, their))
            for other, their, their_time in neighbours
            if their_time is not None and their.account_id == target.account_id
        ]
        text = _text(post, target)
        repeated = min((one for one in near if text and one[2] == text), default=None)
        if repeated is not None and repeated[0] < REPEATED_WITHIN:
            yield target, REPEATED_TEXT, _REPEATED.format(repeated[1])
        closest = min(near, default=None)
        if closest is not None and closest[0] < _CLOSE:
            yield target, CLOSE_TOGETHER, _CLOSE_BY.format(closest[1])


def _text(post: Post, target: Target) -> str:
    """Return the words as a reader sees them: neither case nor spaces make another text."""
    return " ".join(comparable_text(target.caption(post.caption)).split())
