"""What a client may ask to make or change of a post, as plain values, and the rules of it.

Services turn these into posts and targets; the rules raise docs/api.md's errors with the field at
fault. A time that has passed is refused, since a wrong year must not go out at once; up to a minute
counts as now, because clocks differ and requests take time.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput, RuleViolation
from chalicelib.domain.errors import MediaNotFound, MediaRequired, OptionRequired, OptionUnknown
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.requirements import unfit_media
from chalicelib.domain.platforms.choices import (
    NOTHING,
    PRIVACY_LEVEL,
    Choices,
    demanded_message,
    unknown_message,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.options import option_problems
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import check_caption
from chalicelib.domain.platforms.tiktok import KNOWN_LEVELS, check_options, not_ready
from chalicelib.domain.posts.post import Attachment, Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.posts.written import Rewritten, Written
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

MOST_TARGETS = 30
MOST_CONTENT_BYTES = 1_048_576


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTarget:
    """An account that a post shall go to."""

    account_id: str
    caption_override: str | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    scheduled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPost(Written):
    """A draft to be made."""

    media_ids: tuple[str, ...]
    targets: tuple[NewTarget, ...]

    @property
    def fingerprint(self) -> str:
        """A short text that tells one draft from another, whatever the order of its options."""
        content = [
            *self.words.values(),
            self.media_ids,
            [
                (
                    each.account_id,
                    each.caption_override,
                    dict(each.options),
                    each.scheduled_at and each.scheduled_at.timestamp(),
                )
                for each in self.targets
            ],
        ]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetChange:
    """What shall change on one target; None leaves a field, an empty override clears it."""

    id: str
    caption_override: str | None = None
    options: Mapping[str, Json] | None = None
    scheduled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChanges(Rewritten):
    """What shall change on a post; None leaves the words or the file as they are."""

    media_ids: tuple[str, ...] | None = None
    targets: tuple[TargetChange, ...] = ()
    add: tuple[NewTarget, ...] = ()
    remove: tuple[str, ...] = ()


_ONE_FILE = (
    "A post takes one video or one photo, so at most one id in media_ids; several pictures in one "
    "post (carousels) are not supported yet. Make one post per file."
)


def attachment_of(media_ids: Sequence[str], found: Mapping[str, Media]) -> Attachment | None:
    """Return what a post keeps of the file that was named. Raises MediaNotFound, MediaRequired."""
    if any(media_id not in found for media_id in media_ids):
        raise MediaNotFound
    if len(media_ids) > 1:
        raise MediaRequired(_ONE_FILE, field="media_ids")
    if not media_ids:
        return None
    return Attachment.of(found[media_ids[0]])


def option_mistakes(
    platform: Platform, options: Mapping[str, Json], *, at: str, place: int
) -> Iterator[InvalidInput]:
    """Yield what is wrong with the shape of a target's options.

    `at` names the body's list, `place` the item in it.
    """
    for problem in option_problems(platform, options):
        loc = ("body", at, place, "options", *problem.loc)
        yield InvalidInput(problem.msg, loc=loc, kind=problem.type)


def refuse(mistakes: Iterable[InvalidInput]) -> None:
    """Raise all mistakes as one InvalidInput, which answers 422 `detail`, if there are any."""
    found = list(mistakes)
    if found:
        first, *others = found
        raise InvalidInput(first.message, loc=first.loc, kind=first.kind, others=others)


def check_content(
    target: Target, caption: str, *, field: str, offered: Collection[str] = KNOWN_LEVELS
) -> None:
    """Check a target's text and settings; `field` is where it stands, e.g. `targets[0]`.

    `offered` are the privacy levels of its TikTok creator. Raises CaptionTooLong or TiktokRules.
    """
    text = target.caption(caption)
    check_caption(target.platform, text, field=caption_field(target, field))
    if FACTS[target.platform].has_creator:
        check_options(target.options, field=f"{field}.options", offered=offered)


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
    for name in named_choices(target):
        if choices.lacks(name, options[name]):
            message = unknown_message(platform, name, choices)
            yield OptionUnknown(message, field=f"{place}.{name}")


def _said_alone(target: Target) -> str:
    """Return what a post without a caption says by its options: the title above a link."""
    options, says = target.options, FACTS[target.platform].links_alone
    title = options.get("title") if says and options.get("link") else None
    return title if isinstance(title, str) else ""


def named_choices(target: Target) -> list[str]:
    """Return the options by which a target names something that its account may not have."""
    offered = FACTS[target.platform].offered
    return [name for name in offered if name != PRIVACY_LEVEL and target.options.get(name)]


def check_size(caption: str, targets: Sequence[Target | NewTarget]) -> None:
    """Check how much a post would hold in all. Raises InvalidInput beyond 30 targets or 1 MB."""
    if len(targets) > MOST_TARGETS:
        raise InvalidInput(
            f"A post can have at most {MOST_TARGETS} targets", loc=("body", "add"), kind="too_long"
        )
    held = len(caption.encode()) + sum(_size_of(target) for target in targets)
    if held > MOST_CONTENT_BYTES:
        raise InvalidInput("Captions and options of a post can hold 1 MB in all", loc=("body",))


def _size_of(target: Target | NewTarget) -> int:
    override = target.caption_override or ""
    options = json.dumps(dict(target.options), ensure_ascii=False, separators=(",", ":"))
    return len(override.encode()) + len(options.encode())


TIME_IN_PAST: Final = "time_in_past"
COUNTS_AS_NOW: Final = timedelta(seconds=60)

Loc = tuple[str | int, ...]


def past_time(at: datetime | None, *, now: datetime, loc: Loc) -> Iterator[InvalidInput]:
    """Yield the mistake if a time that was sent has passed by more than a minute."""
    if at is not None and at < now - COUNTS_AS_NOW:
        message = f"{at.isoformat()} is in the past; it is {now.isoformat(timespec='seconds')} now"
        yield InvalidInput(message, loc=loc, kind=TIME_IN_PAST)


def past_times(
    new: Iterable[NewTarget], *, now: datetime, at: str = "targets"
) -> Iterator[InvalidInput]:
    """Yield every time of new targets that has passed; `at` names the body's list of them."""
    for place, target in enumerate(new):
        loc = ("body", at, place, "scheduled_at")
        yield from past_time(target.scheduled_at, now=now, loc=loc)


def past_times_of_changes(changes: PostChanges, *, now: datetime) -> Iterator[InvalidInput]:
    """Yield every time of an edit that has passed."""
    for place, change in enumerate(changes.targets):
        loc = ("body", "targets", place, "scheduled_at")
        yield from past_time(change.scheduled_at, now=now, loc=loc)
    yield from past_times(changes.add, now=now, at="add")
