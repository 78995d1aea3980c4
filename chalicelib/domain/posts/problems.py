"""What is known to go wrong with a target before its time: errors, and warnings of what may.

`services/posts/checks` gathers what a target rests on and answers `POST /v1/posts/{id}/check` with
these; the check ahead of a target's time makes `target.at_risk` of them. The rules are those that
/schedule refuses by (`sendable`), so that one never knows more than the other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field as made_by
from datetime import datetime
from enum import StrEnum
from typing import Final

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import (
    AccountRemoved,
    CaptionTooLong,
    FileRemoved,
    TiktokUnsupported,
)
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.requirements import TooLongError, longest_sent_s, recipe_for
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.choices import NOTHING, Choices
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import ContentKind, lacking
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.sandbox_answers import text_that_counts
from chalicelib.domain.platforms.texts.captions import caption_doubt, check_caption
from chalicelib.domain.posts.covers import lost_cover
from chalicelib.domain.posts.forewarnings import (
    ANIMATION_STILLED,
    CAPTION_DOUBTFUL,
    FOREWARNED,
    Sending,
    forewarnings,
    tell_still,
)
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.sendable import caption_field, not_sendable
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.kit.dataclass import dataclass

UNCHECKED: Final = "unchecked"
NO_PREVIEW: Final = "no_preview"
OPTION_IGNORED: Final = "option_ignored"
_TEXT_CODES: Final = frozenset({FailureCode.CAPTION_REJECTED})
_OPTION_CODES: Final = frozenset({FailureCode.INVALID_OPTIONS})
SIGN_IN_BROKEN: Final = "The account's sign-in no longer works. Reconnect the account."
SIGN_IN_ENDS: Final = (
    "The sign-in ends on {0:%Y-%m-%d %H:%M} UTC, before the post. Reconnect the account."
)
_NO_PREVIEW: Final = (
    "The page at {0} could not be read, so the post goes out without its preview. Check that"
    " everybody can open it, or leave options.link out."
)
_TOO_LONG: Final = (
    "{0} takes videos of at most {1:g} seconds here and this one has {2:g}. "
    'Set options.trim to "start" or "end", or choose a shorter video.'
)
NO_RISK: Final = FOREWARNED | {UNCHECKED, OPTION_IGNORED}
"""What a check says although the post goes out all the same."""


class Level(StrEnum):
    """How sure it is that a problem keeps the target from going out."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem of one target; `code` is what the API or the failed target would say."""

    target_id: str
    level: Level
    code: str
    message: str
    field: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPost:
    """What a check found: nothing that is an error means that the post is ready."""

    problems: tuple[Problem, ...]

    @property
    def is_ready(self) -> bool:
        """Tell whether nothing is known that will keep the post from going out."""
        return all(problem.level is not Level.ERROR for problem in self.problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What a connector says of a post ahead: why it would refuse it, which options it leaves out.

    `surely` tells that it was asked about the very file that would go out.
    """

    refusal: Failed | None = None
    surely: bool = True
    left_out: Mapping[str, str] = made_by(default_factory=dict)


NOTHING_FORESEEN: Final = Foreseen()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a target rests on: its account, its file as it is now, and what its platform says.

    `files` are all of the post's that are there, covers too.
    `choices` is what the account offers, `unchecked` why that could not be asked; `sign_in_ends` is
    when a sign-in that cannot be renewed ends.
    """

    account: Account | None
    media: Media | None
    files: Mapping[str, Media] = made_by(default_factory=dict)
    choices: Choices = NOTHING
    unchecked: str | None = None
    sign_in_ends: datetime | None = None
    foreseen: Foreseen = NOTHING_FORESEEN
    is_audited: bool = True


def problems_of(
    post: Post, target: Target, around: Surroundings, *, now: datetime
) -> Iterator[Problem]:
    """Yield every problem of a target that has yet to go out."""
    field = _field_of(post, target)
    account = around.account
    if account is None:
        yield _error(target, AccountRemoved(field=f"{field}.account_id"))
        return
    refused = list(_refusals(post, target, around, field=field))
    yield from (_error(target, wrong) for wrong in refused)
    yield from _of_length(target, around, field=field)
    doubt = caption_doubt(
        target.platform, text_that_counts(target.caption(post.caption), test=account.test)
    )
    if doubt is not None and not any(isinstance(wrong, CaptionTooLong) for wrong in refused):
        yield _warning(target, CAPTION_DOUBTFUL, doubt, caption_field(target, field))
    lacks = list(_lacking_options(target, field=field))
    yield from lacks
    if not lacks:
        yield from _foreseen_problems(post, target, around, refused=refused, field=field)
    yield from _ignored_options(post, target, around, field=field)
    facts = Sending(media=around.media, choices=around.choices, is_audited=around.is_audited)
    for code, said, name in forewarnings(post, target, facts):
        place = caption_field(target, field) if name is None else f"{field}.options.{name}"
        yield _warning(target, code, said, place)
    still = tell_still(around.media, target.platform)
    if still is not None:
        yield _warning(target, ANIMATION_STILLED, still, "media_ids")
    yield from _unmet(post, target, around.choices, field=field)
    yield from _of_sign_in(target, account, around, field=field, now=now)
    if around.choices.cannot_post is not None:
        yield _warning(
            target, TiktokUnsupported.code, around.choices.cannot_post, f"{field}.account_id"
        )
    if around.unchecked is not None:
        yield _warning(target, UNCHECKED, around.unchecked, f"{field}.options")


def warning_of(post: Post, target: Target, code: str, message: str) -> Problem:
    """Return what is told of a target as a whole: the post goes out all the same."""
    return _warning(target, code, message, _field_of(post, target))


def without_preview(post: Post, target: Target, link: str) -> Problem:
    """Return the problem of a link whose page cannot be read: the post goes out all the same."""
    place = f"{_field_of(post, target)}.options.link"
    return _warning(target, NO_PREVIEW, _NO_PREVIEW.format(link), place)


def _field_of(post: Post, target: Target) -> str:
    return f"targets[{post.targets.index(target)}]"


def _refusals(
    post: Post, target: Target, around: Surroundings, *, field: str
) -> Iterator[ServiceError]:
    """Yield what /schedule or an edit would refuse."""
    if post.attachment is not None and (around.media is None or around.media.file_removed):
        yield FileRemoved(field="media_ids")
    try:
        text = text_that_counts(
            target.caption(post.caption), test=around.account is not None and around.account.test
        )
        check_caption(target.platform, text, field=caption_field(target, field))
    except CaptionTooLong as error:
        yield error
    lost = lost_cover(target, around.files, field=field)
    if lost is not None:
        yield lost
    yield from not_sendable(post, target, field=field, choices=around.choices)


def _of_length(target: Target, around: Surroundings, *, field: str) -> Iterator[Problem]:
    media, longest = around.media, around.choices.longest_video_s
    if media is None or media.file_removed:
        return
    try:
        recipe_for(media, target.platform, target.options, creator_s=longest)
    except TooLongError:
        allowed = longest_sent_s(target.platform, target.options, creator_s=longest)
        message = _TOO_LONG.format(FACTS[target.platform].name, allowed or 0, media.duration_s or 0)
        yield _problem(target, FailureCode.VIDEO_TOO_LONG, message, f"{field}.options.trim")


def _foreseen_problems(
    post: Post,
    target: Target,
    around: Surroundings,
    *,
    refused: list[ServiceError],
    field: str,
) -> Iterator[Problem]:
    """Yield what the connector would refuse, unless the same was said in our own words already."""
    found = around.foreseen.refusal
    if found is None:
        return
    if found.code in _OPTION_CODES:
        place = f"{field}.options"
    elif found.code in _TEXT_CODES:
        place = caption_field(target, field)
    else:
        place = "media_ids" if post.attachment is not None else field
    if any((wrong.field or "").startswith(place) or wrong.field == field for wrong in refused):
        return
    sure = around.foreseen.surely or found.code in _OPTION_CODES | _TEXT_CODES
    yield _problem(
        target, found.code, found.message, place, level=Level.ERROR if sure else Level.WARNING
    )


def _lacking_options(target: Target, *, field: str) -> Iterator[Problem]:
    """Yield the options that nothing goes out without, because of what else was chosen."""
    for way, why in lacking(FACTS[target.platform].options, target.options):
        yield _problem(
            target,
            FailureCode.INVALID_OPTIONS,
            f"On {FACTS[target.platform].name} {why}",
            f"{field}.options.{way}",
        )


def _ignored_options(
    post: Post, target: Target, around: Surroundings, *, field: str
) -> Iterator[Problem]:
    """Yield the options that the post goes out without."""
    carries = ContentKind.TEXT
    if post.attachment is not None:
        is_photo = post.attachment.kind is MediaKind.IMAGE
        carries = ContentKind.PHOTO if is_photo else ContentKind.VIDEO
    sign_in = None if around.account is None else around.account.settings.get("login")
    closed = {name: why for name, why in around.choices.closed.items() if target.options.get(name)}
    taken_away = {**closed, **around.foreseen.left_out}
    for option in FACTS[target.platform].options:
        why = option.why_ignored(carries, target.options, sign_in) or taken_away.get(option.name)
        if why is not None:
            yield _warning(target, OPTION_IGNORED, why, f"{field}.options.{option.name}")


def _unmet(post: Post, target: Target, choices: Choices, *, field: str) -> Iterator[Problem]:
    """Yield what a community demands and the post does not have."""
    text, options = target.caption(post.caption), target.options
    is_text_post = post.attachment is None and not options.get("link")
    for one in choices.demands.unmet(text, options, is_text_post=is_text_post):
        place = caption_field(target, field)
        yield _problem(
            target,
            FailureCode.INVALID_OPTIONS,
            one.message,
            place if one.option is None else f"{field}.options.{one.option}",
            level=Level.ERROR if one.sure else Level.WARNING,
        )


def _of_sign_in(
    target: Target, account: Account, around: Surroundings, *, field: str, now: datetime
) -> Iterator[Problem]:
    at = max(target.scheduled_at or now, now)
    ends = around.sign_in_ends
    if account.health is Health.BROKEN:
        level, message = Level.WARNING, account.health_reason or SIGN_IN_BROKEN
    elif ends is not None and ends <= at:
        level, message = Level.ERROR, SIGN_IN_ENDS.format(ends)
    else:
        return
    yield _problem(target, FailureCode.AUTH_EXPIRED, message, f"{field}.account_id", level=level)


def _problem(
    target: Target, code: str, message: str, field: str, *, level: Level = Level.ERROR
) -> Problem:
    return Problem(target_id=target.id, level=level, code=code, message=message, field=field)


def _warning(target: Target, code: str, message: str, field: str) -> Problem:
    return _problem(target, code, message, field, level=Level.WARNING)


def _error(target: Target, error: ServiceError) -> Problem:
    return Problem(
        target_id=target.id,
        level=Level.ERROR,
        code=error.code,
        message=error.message,
        field=error.field,
    )
