"""What a target needs to go out: a time to come, a file, a text and options that its account has.

It is checked at schedule, queue, publish-now and at a PATCH of a scheduled target, and `problems`
tells the same ahead; drafts may lack anything. A time in the past is refused, because a wrong year
must not go out at once; up to a minute counts as now, because clocks differ and requests take time.
"""

import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput, RuleViolation
from chalicelib.domain.errors import MediaRequired, OptionRequired, OptionUnknown
from chalicelib.domain.platforms.choices import (
    NOTHING,
    PRIVACY_LEVEL,
    Choices,
    demanded_message,
    unknown_message,
)
from chalicelib.domain.platforms.crop_frame import crop_frame
from chalicelib.domain.platforms.facts import FACTS, Limits
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.tiktok import KNOWN_LEVELS, not_ready
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target

TIME_IN_PAST: Final = "time_in_past"
COUNTS_AS_NOW: Final = timedelta(seconds=60)

_BEYOND_PHOTO: Final = (
    "The crop reaches beyond the photo: left + width and top + height are at most 100 percent."
)
_SHOW_NOTHING: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
"""Fillers and joiners that are letters or marks to Unicode, and Braille's empty cell."""
_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})

Loc = tuple[str | int, ...]


def past_time(at: datetime | None, *, now: datetime, loc: Loc) -> Iterator[InvalidInput]:
    """Yield the mistake if a time that was sent has passed by more than a minute."""
    if at is not None and at < now - COUNTS_AS_NOW:
        message = f"{at.isoformat()} is in the past; it is {now.isoformat(timespec='seconds')} now"
        yield InvalidInput(message, loc=loc, kind=TIME_IN_PAST)


def check_time(at: datetime | None, *, now: datetime, loc: Loc) -> None:
    """Check that a time that was sent has not passed. Raises InvalidInput."""
    for mistake in past_time(at, now=now, loc=loc):
        raise mistake


def caption_field(target: Target, field: str) -> str:
    """Return where the text of a target stands; `field` is where the target does."""
    return f"{field}.{'caption' if target.caption_override is None else 'caption_override'}"


def check_sendable(
    post: Post, target: Target, *, field: str | None = None, choices: Choices = NOTHING
) -> None:
    """Check that a target has all it needs to go out; `field` is where the request names it.

    `choices` is what its account is known to offer. Raises MediaRequired, TiktokRules,
    OptionRequired or OptionUnknown.
    """
    place = field or f"targets[{post.targets.index(target)}]"
    for wrong in not_sendable(post, target, field=place, choices=choices):
        raise wrong


def not_sendable(
    post: Post, target: Target, *, field: str, choices: Choices = NOTHING
) -> Iterator[RuleViolation]:
    """Yield everything for which a target is not sent: each is a 422 of /schedule and the like."""
    platform, options = target.platform, target.options
    kind = None if post.attachment is None else post.attachment.kind
    text = target.caption(post.caption)
    yield from unfit_media(platform, caption=text or _said_alone(target), kind=kind, field=field)
    place = f"{field}.options"
    if FACTS[platform].has_creator:
        levels = {choice.id for choice in choices.offered.get(PRIVACY_LEVEL, ())}
        known = PRIVACY_LEVEL in choices.complete
        yield from not_ready(options, field=place, offered=levels if known else KNOWN_LEVELS)
    for name in FACTS[platform].required:
        if name != PRIVACY_LEVEL and not options.get(name):
            yield OptionRequired(demanded_message(platform, name), field=f"{place}.{name}")
    crop = crop_frame(options) if kind is MediaKind.IMAGE else None
    if crop is not None and not crop.is_within:
        yield OptionUnknown(_BEYOND_PHOTO, field=f"{place}.crop")
    for name in named_choices(target):
        if choices.lacks(name, options[name]):
            message = unknown_message(platform, name, choices)
            yield OptionUnknown(message, field=f"{place}.{name}")


def unfit_media(
    platform: Platform, *, caption: str, kind: MediaKind | None, field: str
) -> Iterator[MediaRequired]:
    """Yield why the platform cannot post this caption with this kind of file, None for no file.

    No file where one is needed, a kind it does not take, or neither a file nor a caption in which
    there is anything to see; each names `field`.
    """
    limits, name = FACTS[platform].limits, FACTS[platform].name
    if kind is None and limits.needs_media:
        yield MediaRequired(f"{name} needs {_wanted_kinds(limits)}.", field=field)
    elif kind is None and shows_nothing(caption):
        yield MediaRequired("A post needs a caption, a photo or a video.", field=field)
    elif kind is not None and not limits.takes(kind):
        yield MediaRequired(
            f"{name} takes no {_word(kind)}s, only {_wanted_kinds(limits)}.", field=field
        )


def shows_nothing(text: str) -> bool:
    """Tell whether a reader would see nothing: spaces and signs of no width alone."""
    return all(
        sign in _SHOW_NOTHING
        or unicodedata.category(sign) in _CATEGORIES
        or "\ufe00" <= sign <= "\ufe0f"
        or "\U000e0100" <= sign <= "\U000e01ef"
        for sign in text
    )


def _wanted_kinds(limits: Limits) -> str:
    taken = [f"a {_word(kind)}" for kind in reversed(MediaKind) if limits.takes(kind)]
    return " or ".join(taken)


def _word(kind: MediaKind) -> str:
    return "video" if kind is MediaKind.VIDEO else "photo"


def _said_alone(target: Target) -> str:
    """Return what a post without a caption says by its options: the title above a link."""
    options, says = target.options, FACTS[target.platform].links_alone
    title = options.get("title") if says and options.get("link") else None
    return title if isinstance(title, str) else ""


def named_choices(target: Target) -> list[str]:
    """Return the options by which a target names something that its account may not have."""
    offered = FACTS[target.platform].offered
    return [name for name in offered if name != PRIVACY_LEVEL and target.options.get(name)]
