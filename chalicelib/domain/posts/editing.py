"""Editing a post: which changes are allowed, and what the post is afterwards.

Pure: the service reads accounts and golden hours, and this file decides. Conflicts come before
rules (docs/api.md "Order of checks"), and nothing changes unless everything is allowed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.error_kinds import InvalidInput, refuse
from chalicelib.domain.errors import AlreadyLive, NoPlatforms, UnknownTarget
from chalicelib.domain.platforms.choices import NOTHING, Choices
from chalicelib.domain.platforms.option import cover_ids
from chalicelib.domain.posts.charging import draft_x_uses, payer_for
from chalicelib.domain.posts.covers import cover_of, unfit_cover
from chalicelib.domain.posts.drafting import (
    NewTarget,
    attachment_of,
    check_content,
    check_size,
    new_targets,
    option_mistakes,
    past_times,
)
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Attachment, Post, Rewritten, Written, after_edit
from chalicelib.domain.posts.sendable import check_sendable, past_time
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.posts.verbs import Facts, Update, time_for
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


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

    @property
    def file_ids(self) -> tuple[str, ...]:
        """Return the ids of all files that are named: the post's own and its targets' covers."""
        options = [change.options or {} for change in self.targets]
        return (
            *(self.media_ids or ()),
            *cover_ids((*options, *(new.options for new in self.add))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """Who edits, when, and the accounts and files that can be added or were looked up."""

    facts: Facts
    known: Known
    known_choices: Callable[[Account | None, Target], Choices] = lambda _account, _target: NOTHING

    @property
    def now(self) -> datetime:
        """Return when it is."""
        return self.facts.now

    def account_of(self, target: Target) -> Account | None:
        """Return the account of a changed or added target, if it was looked up."""
        return self.known.accounts.get(target.account_id)

    def choices_of(self, target: Target) -> Choices:
        """Return what is known of what a changed or added target's account offers."""
        return self.known_choices(self.account_of(target), target)


def edit(post: Post, changes: PostChanges, editor: Editor) -> Update:
    """Change a post; if a target of it is scheduled, added ones are scheduled too.

    What changes nothing is no event: programs send what they have again and again. Raises what
    `apply_changes` raises, and PlanLimit for what is added.
    """
    facts = editor.facts
    after = _set_in_motion(post, apply_changes(post, changes, editor), editor)
    added = [target for target in after.targets if post.target(target.id) is None]
    alone = replace(after, targets=tuple(added))
    editor.known.require_room(draft_x_uses(alone, payer_for(facts.caller), now=facts.now))
    if after == post:
        return Update(after=post)
    happened = facts.event(Action.EDITED, **_facts_of_edit(changes))
    return Update(after=after, events=(happened,))


def past_times_of_changes(changes: PostChanges, *, now: datetime) -> Iterator[InvalidInput]:
    """Yield every time of an edit that has passed."""
    for place, change in enumerate(changes.targets):
        loc = ("body", "targets", place, "scheduled_at")
        yield from past_time(change.scheduled_at, now=now, loc=loc)
    yield from past_times(changes.add, now=now, at="add")


def check_allowed(post: Post, changes: PostChanges) -> None:
    """Check that the change names nothing that is live or may be. Raises AlreadyLive."""
    named = {change.id for change in changes.targets} | set(changes.remove)
    fixed = any(target.id in named and not target.is_editable for target in post.targets)
    tells_all = changes.new_words or changes.media_ids is not None
    if fixed or (tells_all and post.is_fixed):
        raise AlreadyLive


def reaches_scheduled(post: Post, changes: PostChanges) -> bool:
    """Tell whether a change names or affects anything that is scheduled.

    All targets share the words and the file, and a target that is added beside a scheduled one is
    scheduled too. A draft target's own words affect only itself.
    """
    scheduled = {one.id for one in post.targets if one.status is TargetStatus.SCHEDULED}
    named = {change.id for change in changes.targets} | set(changes.remove)
    affects_all = changes.new_words or changes.media_ids is not None or changes.add
    return bool(scheduled if affects_all else scheduled & named)


def apply_changes(post: Post, changes: PostChanges, editor: Editor) -> Post:
    """Return the post as the changes make it; added targets are drafts.

    Raises MediaNotFound, ScopeMissing, RoleForbids, AlreadyLive, UnknownTarget, UnknownAccount,
    DuplicateAccount, NoPlatforms, CaptionTooLong, TiktokRules, MediaRequired, or InvalidInput for a
    wrong shape.
    """
    _check_shape(post, changes, editor)
    attachment = _attachment(post, changes, editor)
    reaches = reaches_scheduled(post, changes)
    approval = after_edit(post.approval, editor.facts.caller, reaches_scheduled=reaches)
    check_allowed(post, changes)
    _check_known(post, changes)
    stay = [target for target in post.targets if target.id not in changes.remove]
    added = new_targets(changes.add, editor.known.accounts, now=editor.now, taken=stay, at="add")
    if not stay and not added:
        raise NoPlatforms(field="remove")
    draft = replace(
        post.rewrite(changes),
        attachment=attachment,
        approval=approval,
        targets=(*stay, *added),
    )
    by_id = {change.id: change for change in changes.targets}
    retold = replace(draft, targets=post.targets) != post
    changed = [
        _change_target(draft, target, by_id.get(target.id), editor.now, retold=retold)
        for target in draft.targets
    ]
    after = draft.with_targets(changed)
    _check_content(after, changes, added, editor)
    _check_covers(post, after, editor)
    return after


def _check_covers(post: Post, after: Post, editor: Editor) -> None:
    """Check the covers that are new. Raises MediaNotFound, MediaRequired."""
    for index, target in enumerate(after.targets):
        earlier = post.target(target.id)
        if earlier is None or cover_of(earlier) != cover_of(target):
            problem = unfit_cover(target, editor.known.media, field=f"targets[{index}]")
            if problem is not None:
                raise problem


def _attachment(post: Post, changes: PostChanges, editor: Editor) -> Attachment | None:
    """Return the file of the post as the changes make it; one that stays is kept as it is."""
    if changes.media_ids is None or changes.media_ids == post.media_ids:
        return post.attachment
    return attachment_of(changes.media_ids, editor.known.media)


def _check_shape(post: Post, changes: PostChanges, editor: Editor) -> None:
    """Check what any client could have seen before it asked. Raises InvalidInput."""
    refuse(_option_mistakes(post, changes, editor))
    by_id = {change.id: change for change in changes.targets}
    stay = [_reword(t, by_id.get(t.id)) for t in post.targets if t.id not in changes.remove]
    check_size(post.rewrite(changes), [*stay, *changes.add])


def _option_mistakes(post: Post, changes: PostChanges, editor: Editor) -> Iterator[InvalidInput]:
    for index, change in enumerate(changes.targets):
        target = post.target(change.id)
        if target is not None and change.options is not None:
            yield from option_mistakes(target.platform, change.options, at="targets", place=index)
    for index, new in enumerate(changes.add):
        account = editor.known.accounts.get(new.account_id)
        if account is not None:
            yield from option_mistakes(account.platform, new.options, at="add", place=index)


def _check_known(post: Post, changes: PostChanges) -> None:
    for index, change in enumerate(changes.targets):
        if post.target(change.id) is None:
            raise UnknownTarget(field=f"targets[{index}].id")
    for index, target_id in enumerate(changes.remove):
        if post.target(target_id) is None:
            raise UnknownTarget(field=f"remove[{index}]")


def _reword(target: Target, change: TargetChange | None) -> Target:
    """Return a target with the text and options of its change."""
    if change is None:
        return target
    override = change.caption_override
    return replace(
        target,
        caption_override=target.caption_override if override is None else (override or None),
        options=target.options if change.options is None else dict(change.options),
    )


def _change_target(
    post: Post, target: Target, change: TargetChange | None, now: datetime, *, retold: bool
) -> Target:
    """Return a target with its change; a scheduled one is prepared again, or moved in time.

    `retold` tells whether something changed that all targets share.
    """
    edited = _reword(target, change)
    time = None if change is None else change.scheduled_at
    if edited == target and not retold and time in (None, target.scheduled_at):
        return target
    if time is None:
        return edited.rearm(now=now, lead=post.lead(target))
    if target.status is TargetStatus.SCHEDULED:
        return edited.schedule(time, now=now, lead=post.lead(target))
    return replace(edited, scheduled_at=time)


def _check_content(
    post: Post, changes: PostChanges, added: Sequence[Target], editor: Editor
) -> None:
    """Check every text and setting that may have changed, and what a scheduled target needs."""
    listed = {change.id: f"targets[{i}]" for i, change in enumerate(changes.targets)}
    named = listed | {target.id: f"add[{i}]" for i, target in enumerate(added)}
    for index, target in enumerate(post.targets):
        place = named.get(target.id, f"targets[{index}]")
        if target.is_editable and (changes.caption is not None or target.id in named):
            check_content(target, post.caption, editor.account_of(target), field=place)
        if target.status is TargetStatus.SCHEDULED:
            check_sendable(post, target, field=place, choices=editor.choices_of(target))


def _set_in_motion(before: Post, after: Post, editor: Editor) -> Post:
    """Schedule what was added to a post that is scheduled (docs/api.md "Posts", PATCH add)."""
    if not any(target.status is TargetStatus.SCHEDULED for target in before.targets):
        return after
    added = [target for target in after.targets if before.target(target.id) is None]
    for index, target in enumerate(added):
        choices = editor.choices_of(target)
        check_sendable(after, target, field=f"add[{index}]", choices=choices)
    return after.with_targets(
        target.schedule(time_for(target, editor.facts), now=editor.now, lead=after.lead(target))
        for target in added
    )


def _facts_of_edit(changes: PostChanges) -> dict[str, int | bool]:
    """Return what was edited, without the text itself."""
    return {
        **{name: name in changes.new_words for name in Written().words},
        "media": changes.media_ids is not None,
        "targets": len(changes.targets),
        "added": len(changes.add),
        "removed": len(changes.remove),
    }
