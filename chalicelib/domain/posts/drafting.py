"""A draft as it is requested, and the post it becomes: its file, its targets, and their rules.

`services/posts/drafts` calls it for drafts and copies, with what it read; edits share the rules.
The rules raise docs/api.md's errors with the field at fault.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from hashlib import sha256

from chalicelib.domain.error_kinds import InvalidInput, refuse
from chalicelib.domain.errors import (
    AccountRemoved,
    DuplicateAccount,
    MediaNotFound,
    MediaRequired,
    OptionUnknown,
    UnknownAccount,
)
from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import COVER, UNKNOWN_OPTION
from chalicelib.domain.platforms.options import known_options, option_problems
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox_answers import text_that_counts
from chalicelib.domain.platforms.texts.captions import check_caption
from chalicelib.domain.platforms.tiktok import check_options, levels_of
from chalicelib.domain.posts.charging import draft_uses, payer_for
from chalicelib.domain.posts.covers import unfit_cover
from chalicelib.domain.posts.history import Action, event_by
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Attachment, Post, Written
from chalicelib.domain.posts.sendable import caption_field, past_time
from chalicelib.domain.posts.target import Target
from chalicelib.domain.posts.verbs import Update
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
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


def new_post(
    caller: Caller, draft: NewPost, known: Known, *, now: datetime, key: str | None = None
) -> Update:
    """Return the post that a draft makes; `key` is its Idempotency-Key.

    Raises InvalidInput for a time that has passed or options of a wrong shape, MediaNotFound,
    MediaRequired, UnknownAccount, DuplicateAccount, CaptionTooLong, TiktokRules, and PlanLimit when
    it could not go out.
    """
    if mistakes := [*past_times(draft.targets, now=now)] or [*_option_mistakes(draft, known)]:
        refuse(mistakes)
    attachment = attachment_of(draft.media_ids, known.media)
    targets = new_targets(draft.targets, known.accounts, now=now)
    for index, target in enumerate(targets):
        account = known.accounts.get(target.account_id)
        check_content(target, draft.caption, account, field=f"targets[{index}]")
    check_covers(targets, known.media)
    begun = Post.begin(caller, attachment, targets, now=now)
    post = replace(begun.with_words_of(draft), idempotency_key=key)
    known.require_room(draft_uses(post, payer_for(caller), now=now))
    made = event_by(caller, Action.CREATED, now, {"targets": len(targets)})
    return Update(after=post, events=(made,))


def copy_of(source: Post, caller: Caller) -> NewPost:
    """Return a post as a draft to be made: no times, and no targets of accounts that are gone.

    Raises AccountRemoved when none is left.
    """
    kept = [target for target in source.targets if target.account_id in caller.accounts]
    if not kept:
        raise AccountRemoved
    targets = tuple(
        NewTarget(
            account_id=target.account_id,
            caption_override=target.caption_override,
            options=known_options(target.platform, target.options),
        )
        for target in kept
    )
    return NewPost(media_ids=source.media_ids, targets=targets).with_words_of(source)


def without_gone(draft: NewPost, media: Mapping[str, Media]) -> NewPost:
    """Return a draft without files and covers that were removed."""
    kept = (*draft.media_ids,) if all(one in media for one in draft.media_ids) else ()
    targets = tuple(
        replace(
            new,
            options={
                name: value
                for name, value in new.options.items()
                if name != COVER or value in media
            },
        )
        for new in draft.targets
    )
    return replace(draft, media_ids=kept, targets=targets)


def new_targets(
    wanted: Sequence[NewTarget],
    accounts: Mapping[str, Account],
    *,
    now: datetime,
    taken: Sequence[Target] = (),
    at: str = "targets",
) -> tuple[Target, ...]:
    """Return draft targets for the accounts; `at` names the list of the body they stand in.

    Raises UnknownAccount or DuplicateAccount, with the field.
    """
    seen = {target.account_id for target in taken}
    first_place = max((target.place + 1 for target in taken), default=0)
    targets = []
    for index, new in enumerate(wanted):
        account = accounts.get(new.account_id)
        if account is None:
            raise UnknownAccount(field=f"{at}[{index}].account_id")
        if new.account_id in seen:
            raise DuplicateAccount(field=f"{at}[{index}].account_id")
        seen.add(new.account_id)
        targets.append(
            Target(
                id=new_id(now),
                account_id=account.id,
                platform=account.platform,
                handle=account.handle,
                place=first_place + index,
                caption_override=new.caption_override or None,
                options=dict(new.options),
                scheduled_at=new.scheduled_at,
            )
        )
    return tuple(targets)


_ONE_FILE = (
    "A post takes one video or one photo, so at most one id in media_ids; several pictures in one "
    "post (carousels) are not supported yet. Make one post per file."
)


def attachment_of(media_ids: Sequence[str], found: Mapping[str, Media]) -> Attachment | None:
    """Return what a post keeps of the file that was named. Raises MediaNotFound, MediaRequired."""
    for place, media_id in enumerate(media_ids):
        if media_id not in found:
            raise MediaNotFound(field=f"media_ids[{place}]")
    if len(media_ids) > 1:
        raise MediaRequired(_ONE_FILE, field="media_ids")
    if not media_ids:
        return None
    return Attachment.of(found[media_ids[0]])


def check_covers(targets: Iterable[Target], media: Mapping[str, Media]) -> None:
    """Check that each cover is a photo that is there. Raises MediaNotFound, MediaRequired."""
    for index, target in enumerate(targets):
        problem = unfit_cover(target, media, field=f"targets[{index}]")
        if problem is not None:
            raise problem


def option_mistakes(
    platform: Platform, options: Mapping[str, Json], *, at: str, place: int
) -> Iterator[InvalidInput]:
    """Yield what is wrong with the shape of a target's options.

    `at` names the body's list, `place` the item in it. Raises OptionUnknown for a cover on a
    platform that takes none: that is no misspelt name.
    """
    for problem in option_problems(platform, options):
        if problem.loc == (COVER,) and problem.type == UNKNOWN_OPTION:
            message = f"{FACTS[platform].name} takes no cover of one's own."
            raise OptionUnknown(message, field=f"{at}[{place}].options.{COVER}")
        loc = ("body", at, place, "options", *problem.loc)
        yield InvalidInput(problem.msg, loc=loc, kind=problem.type)


def check_content(target: Target, caption: str, account: Account | None, *, field: str) -> None:
    """Check a target's text and settings; `field` is where it stands, e.g. `targets[0]`.

    Raises CaptionTooLong or TiktokRules.
    """
    is_test = account is not None and account.test
    text = text_that_counts(target.caption(caption), test=is_test)
    check_caption(target.platform, text, field=caption_field(target, field))
    if FACTS[target.platform].has_creator:
        offered = levels_of(test=is_test)
        check_options(target.options, field=f"{field}.options", offered=offered)


def check_size(written: Written, targets: Sequence[Target | NewTarget]) -> None:
    """Check how much a post would hold in all. Raises InvalidInput beyond 30 targets or 1 MB."""
    if len(targets) > MOST_TARGETS:
        raise InvalidInput(
            f"A post can have at most {MOST_TARGETS} targets", loc=("body", "add"), kind="too_long"
        )
    words = "".join(written.words.values())
    held = len(words.encode()) + sum(_size_of(target) for target in targets)
    if held > MOST_CONTENT_BYTES:
        raise InvalidInput("Captions and options of a post can hold 1 MB in all", loc=("body",))


def _size_of(target: Target | NewTarget) -> int:
    override = target.caption_override or ""
    options = json.dumps(dict(target.options), ensure_ascii=False, separators=(",", ":"))
    return len(override.encode()) + len(options.encode())


def past_times(
    new: Iterable[NewTarget], *, now: datetime, at: str = "targets"
) -> Iterator[InvalidInput]:
    """Yield every time of new targets that has passed; `at` names the body's list of them."""
    for place, target in enumerate(new):
        if target.scheduled_at is not None:
            loc = ("body", at, place, "scheduled_at")
            yield from past_time(target.scheduled_at, now=now, loc=loc)


def _option_mistakes(draft: NewPost, known: Known) -> Iterator[InvalidInput]:
    for index, new in enumerate(draft.targets):
        account = known.accounts.get(new.account_id)
        if account is not None:
            yield from option_mistakes(account.platform, new.options, at="targets", place=index)
