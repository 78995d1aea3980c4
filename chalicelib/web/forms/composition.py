"""The composer's content: a text, a file, a time, and for each account the differences.

It is read from a form or from a post, and becomes a new draft, the changes to a post, or an unsaved
post, for previews and checks. A field with the same value as the page showed is no change, so that
the form of a post that is live somewhere changes only what was typed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget, attachment_of
from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.post import Attachment, Post, Written
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.web.forms.option_fields import read_options
from chalicelib.web.forms.times import read_time, typed_time
from chalicelib.web.messages import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What is written for one account; an empty text or time is the shared one."""

    account_id: str
    platform: Platform
    handle: str
    text: str = ""
    at: str = ""
    options: Mapping[str, Json] = field(default_factory=dict)
    target: Target | None = None

    @property
    def is_fixed(self) -> bool:
        """Tell whether it was sent, or may have been: it can no longer be changed."""
        return self.target is not None and not self.target.is_editable


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition(Written):
    """Everything that the composer's form holds."""

    media_id: str = ""
    at: str = ""
    parts: tuple[Part, ...] = ()

    def with_file(self, media_id: str) -> "Composition":
        """Return it with another file."""
        return replace(self, media_id=media_id)

    def unchanged_failures(self, post: Post | None) -> list[Part]:
        """Return the failed parts whose text, options and file are unchanged."""
        if post is None or self.media_id != next(iter(post.media_ids), ""):
            return []
        return [
            part
            for part in self.parts
            if part.target is not None
            and part.target.status is TargetStatus.FAILED
            and (part.text or self.caption) == part.target.caption(post.caption)
            and part.options == part.target.options
        ]

    def times(self, zone: ZoneInfo) -> list[datetime]:
        """Return the times of the parts that are not sent yet. Raises InvalidInput."""
        found = [read_time(part.at or self.at, zone) for part in self.parts if not part.is_fixed]
        return [at for at in found if at is not None]


PICK = "pick"
"""The choice that uses the typed time; another choice is a time itself, or a verb."""
SHOWN = "accounts_shown"
"""The field that says that the form had every account, so that an unticked one is removed."""


def field_of(account_id: str) -> str:
    """Return the prefix of the names of an account's fields."""
    return f"a.{account_id}."


def of_post(post: Post, zone: ZoneInfo) -> Composition:
    """Return a post's content; one time for all targets is the shared one."""
    times = {t.scheduled_at for t in post.targets if t.is_editable}
    shared = next(iter(times)) if len(times) == 1 else None
    parts = tuple(
        Part(
            account_id=target.account_id,
            platform=target.platform,
            handle=target.handle,
            text=target.caption_override or "",
            at="" if target.scheduled_at == shared else typed_time(target.scheduled_at, zone),
            options=target.options,
            target=target,
        )
        for target in post.targets
    )
    media_id = next(iter(post.media_ids), "")
    held = Composition(media_id=media_id, at=typed_time(shared, zone), parts=parts)
    return held.with_words_of(post)


def read_composition(
    form: Form, accounts: Sequence[Account], zone: ZoneInfo, post: Post | None = None
) -> Composition:
    """Return the form's content; a fixed target stays, whatever the form says."""
    chosen = set(form.all("account"))
    if post is not None and SHOWN not in form:
        chosen |= {target.account_id for target in post.targets}
    targets = {} if post is None else {target.account_id: target for target in post.targets}
    known = {one.id: (one.platform, one.handle) for one in accounts}
    known |= {one.account_id: (one.platform, one.handle) for one in targets.values()}
    order = dict.fromkeys([*targets, *(one for one in form.all("account") if one in known)])
    parts = [
        _part(form, account_id, known[account_id], targets.get(account_id))
        for account_id in order
        if account_id in chosen or (account_id in targets and not targets[account_id].is_editable)
    ]
    media, at = form.all("media"), asked_time(form)
    kept_media = "" if post is None else next(iter(post.media_ids), "")
    kept = Written() if post is None else post
    return Composition(
        **{name: form.get(name, words) for name, words in kept.words.items()},
        media_id=media[-1] if media else kept_media,
        at=at,
        parts=tuple(_for_all(part, at, post, zone) for part in parts),
    )


def asked_time(form: Form) -> str:
    """Return the time for all: the typed one, or that of the chosen button."""
    way = form["way"]
    if way in ("", PICK):
        return form["at"]
    return way if way[:1].isdigit() else ""


def _for_all(part: Part, at: str, post: Post | None, zone: ZoneInfo) -> Part:
    """Return a part that follows a new time for all, unless its own was typed too."""
    if part.target is None or post is None or not at:
        return part
    times = {target.scheduled_at for target in post.targets if target.is_editable}
    is_own_as_shown = len(times) > 1 and part.at == typed_time(part.target.scheduled_at, zone)
    return replace(part, at="") if is_own_as_shown else part


def _part(form: Form, account_id: str, known: tuple[Platform, str], target: Target | None) -> Part:
    (platform, handle), start = known, field_of(account_id)
    before: Mapping[str, Json] = {} if target is None else target.options
    kept = "" if target is None else target.caption_override or ""
    return Part(
        account_id=account_id,
        platform=platform,
        handle=handle,
        text=form.get(f"{start}text", kept),
        at=form[f"{start}at"],
        options=read_options(platform, before, form, f"{start}o."),
        target=target,
    )


def as_new_post(written: Composition, zone: ZoneInfo) -> NewPost:
    """Return the draft that was written. Raises InvalidInput for no account, or a wrong time."""
    if not written.parts:
        raise InvalidInput("Choose at least one account.", loc=("body", "account"))
    draft = NewPost(
        media_ids=(written.media_id,) if written.media_id else (),
        targets=tuple(_new_target(part, written, zone) for part in written.parts),
    )
    return draft.with_words_of(written)


def as_changes(written: Composition, post: Post, zone: ZoneInfo) -> PostChanges:
    """Return the changes to a post. Raises InvalidInput for a wrong time."""
    media_ids = (written.media_id,) if written.media_id else ()
    stays = {part.account_id for part in written.parts}
    changed = [
        _change(part, part.target, written, zone)
        for part in written.parts
        if part.target is not None and not part.is_fixed
    ]
    changes = PostChanges(
        media_ids=None if media_ids == post.media_ids else media_ids,
        targets=tuple(change for change in changed if change != TargetChange(id=change.id)),
        add=tuple(_new_target(p, written, zone) for p in written.parts if p.target is None),
        remove=tuple(t.id for t in post.targets if t.account_id not in stays),
    )
    return changes.rewriting(post, written)


def _new_target(part: Part, written: Composition, zone: ZoneInfo) -> NewTarget:
    return NewTarget(
        account_id=part.account_id,
        caption_override=part.text or None,
        options=part.options,
        scheduled_at=read_time(part.at or written.at, zone),
    )


def _change(part: Part, target: Target, written: Composition, zone: ZoneInfo) -> TargetChange:
    typed = part.at or written.at
    is_same_time = typed == typed_time(target.scheduled_at, zone)
    return TargetChange(
        id=target.id,
        caption_override=None if part.text == (target.caption_override or "") else part.text,
        options=None if dict(part.options) == dict(target.options) else part.options,
        scheduled_at=None if is_same_time else read_time(typed, zone),
    )


def as_post(
    written: Composition,
    media: Media | None,
    caller: Caller,
    *,
    post: Post | None,
    now: datetime,
) -> Post:
    """Return it as an unsaved post, for previews and checks."""
    zone = ZoneInfo(caller.timezone)
    attachment = _attachment(media, written, post)
    targets = tuple(
        _shown_target(part, written, zone, place) for place, part in enumerate(written.parts)
    )
    if post is not None:
        return replace(post.with_words_of(written), attachment=attachment, targets=targets)
    return Post.begin(caller, attachment, targets, now=now).with_words_of(written)


def _attachment(media: Media | None, written: Composition, post: Post | None) -> Attachment | None:
    if media is not None:
        return attachment_of((media.id,), {media.id: media})
    is_kept = post is not None and written.media_id in post.media_ids
    return post.attachment if post is not None and is_kept else None


def _shown_target(part: Part, written: Composition, zone: ZoneInfo, place: int) -> Target:
    if part.target is not None and part.is_fixed:
        return part.target
    try:
        at = read_time(part.at or written.at, zone)
    except InvalidInput:
        at = None
    kept = part.target or Target(
        id=part.account_id,
        account_id=part.account_id,
        platform=part.platform,
        handle=part.handle,
        place=place,
    )
    return replace(
        kept,
        caption_override=part.text or None,
        options=part.options,
        scheduled_at=None if at is None else at.astimezone(UTC),
    )
