"""A post: one caption, at most one file, and its targets, whose statuses sum up to its own.

The API and the worker load it whole; `status` is always derived from the targets that were read
(docs/api.md "Post"), and `lead` says how long before its time a target of this post wakes. What a
person writes on one is declared once, in `Written`: drafts, changes and the app's composer have its
fields too, and clients send and read them (`api/resources/post_schemas`).
"""

import hashlib
from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Self

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.facts import FACTS, Cards
from chalicelib.domain.platforms.option import cover_ids
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.domain.posts.target import PREPARE_AHEAD, Target, TargetStatus
from chalicelib.domain.workspace.access import Caller, Scope, may, require
from chalicelib.kit.dataclass import dataclass

_REVISION_LENGTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The words of a post."""

    caption: str = ""

    @property
    def words(self) -> dict[str, str]:
        """Return them by their fields' names."""
        return {each.name: getattr(self, each.name) for each in fields(Written)}

    def with_words_of(self, other: "Written") -> Self:
        """Return this with the words of another."""
        return replace(self, **other.words)

    def rewrite(self, changes: "Rewritten") -> Self:
        """Return this with the words that changed."""
        return replace(self, **changes.new_words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """New words for a post; None leaves a field as it is."""

    caption: str | None = None

    @property
    def new_words(self) -> dict[str, str]:
        """Return what shall change, by its field's name."""
        named = {each.name: getattr(self, each.name) for each in fields(Rewritten)}
        return {name: words for name, words in named.items() if words is not None}

    def rewriting(self, before: Written, after: Written) -> Self:
        """Return this with the words that differ between two."""
        was = before.words
        new = {name: words for name, words in after.words.items() if words != was[name]}
        return replace(self, **new)


class Approval(StrEnum):
    """Whether a post may go out."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


def first_approval(caller: Caller) -> Approval | None:
    """Return the approval that a new post starts with: it waits unless its maker may publish."""
    if not caller.approvals:
        return None
    return Approval.APPROVED if may(caller, Scope.PUBLISH) else Approval.PENDING


def may_reach_scheduled(caller: Caller) -> bool:
    """Tell whether a caller may change a scheduled target, at once or subject to approval."""
    return caller.approvals or may(caller, Scope.PUBLISH)


def after_edit(
    current: Approval | None, caller: Caller, *, reaches_scheduled: bool
) -> Approval | None:
    """Return the approval after an edit: nobody makes words public without the right to publish.

    Without it, an edit waits for approval where the workspace uses that; elsewhere an edit that
    reaches what is scheduled is refused. Raises ScopeMissing or RoleForbids.
    """
    if reaches_scheduled and not may_reach_scheduled(caller):
        require(caller, Scope.PUBLISH, why="This changes what is scheduled.")
    waits = caller.approvals and not may(caller, Scope.PUBLISH)
    return Approval.PENDING if waits or current is Approval.REJECTED else current


class PostStatus(StrEnum):
    """The sum of a post's targets (docs/api.md "Post")."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHING = "publishing"
    PUBLISHED = "published"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


ONWARD: Final = (
    frozenset({PostStatus.DRAFT}),
    frozenset({PostStatus.CANCELLED}),
    frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING}),
    frozenset({PostStatus.FAILED}),
    frozenset({PostStatus.PARTIAL}),
    frozenset({PostStatus.PUBLISHED}),
)
"""The statuses in an order in which posts are scheduled and go out: whoever reads the posts of each
in turn misses none that does so meanwhile, but may miss one that is cancelled or sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What a post keeps of its file, so that no read needs the record.

    Nothing of it ever changes but what is said of it (`describing`).
    """

    id: str
    kind: MediaKind
    mime: str
    filename: str
    size_bytes: int
    width: int
    height: int
    duration_s: float | None = None
    alt_text: str | None = None

    @classmethod
    def of(cls, media: Media) -> Self:
        """Return what a post keeps of a file."""
        return cls(
            id=media.id,
            kind=media.kind,
            mime=media.mime,
            filename=media.filename,
            size_bytes=media.size_bytes,
            width=media.width,
            height=media.height,
            duration_s=media.duration_s,
            alt_text=media.alt_text,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Post(Written):
    """One caption and its targets, in their order.

    `queued_at` is the queue time the post holds, `trial_counted` tells that it counts among the
    trial's posts, `version` grows with every change of the post or of a target's outcome.
    """

    id: str
    workspace_id: str
    attachment: Attachment | None
    approval: Approval | None
    created_at: datetime
    created_by: str
    targets: tuple[Target, ...]
    idempotency_key: str | None = None
    queued_at: datetime | None = None
    trial_counted: bool = False
    deleted_at: datetime | None = None
    version: int = 0

    @classmethod
    def begin(
        cls,
        caller: Caller,
        attachment: Attachment | None,
        targets: tuple[Target, ...],
        *,
        now: datetime,
    ) -> Self:
        """Return a new post of a caller's."""
        return cls(
            id=new_id(now),
            workspace_id=caller.workspace_id,
            attachment=attachment,
            approval=first_approval(caller),
            created_at=now,
            created_by=caller.member_name,
            targets=targets,
        )

    @property
    def status(self) -> PostStatus:
        """Sum up the targets: the first rule of docs/api.md "Post" that fits."""
        return status_of([target.status for target in self.targets])

    @property
    def revision(self) -> str:
        """Return a name of exactly this state of the post; every change of it makes another."""
        versions = [self.version, *(f"{target.id}:{target.version}" for target in self.targets)]
        parts = "/".join(map(str, [self.id, *versions]))
        return hashlib.sha256(parts.encode()).hexdigest()[:_REVISION_LENGTH]

    @property
    def media_ids(self) -> tuple[str, ...]:
        """Return the ids of the files on the post."""
        return () if self.attachment is None else (self.attachment.id,)

    @property
    def file_ids(self) -> tuple[str, ...]:
        """Return the ids of all files that the post uses: its own and its targets' covers."""
        return (*self.media_ids, *cover_ids([target.options for target in self.targets]))

    @property
    def may_go_out(self) -> bool:
        """Tell whether no approval is missing."""
        return self.approval in (None, Approval.APPROVED)

    def is_prepared_ahead(self, target: Target) -> bool:
        """Tell whether something must be sent, or read from other servers, before its second."""
        facts, text = FACTS[target.platform], target.caption(self.caption)
        if self.attachment is not None or facts.prepares_texts:
            return True
        if facts.finds_people and "@" in text:
            return True
        return facts.cards is Cards.SERVICE and link_of(target.options, text) is not None

    def lead(self, target: Target) -> timedelta | None:
        """Return how long before its time a target wakes; None while approval is missing."""
        if not self.may_go_out:
            return None
        return PREPARE_AHEAD if self.is_prepared_ahead(target) else timedelta(0)

    @property
    def is_live_anywhere(self) -> bool:
        """Tell whether any target went out."""
        return any(target.is_live for target in self.targets)

    @property
    def is_fixed(self) -> bool:
        """Tell whether the shared caption can no longer change: live, posting or in doubt."""
        return not all(target.is_editable for target in self.targets)

    def target(self, target_id: str) -> Target | None:
        """Return the target with this id, or None."""
        return next((target for target in self.targets if target.id == target_id), None)

    def with_targets(self, changed: Iterable[Target]) -> "Post":
        """Return the post with these targets in the place of those with the same ids."""
        by_id = {target.id: target for target in changed}
        return replace(self, targets=tuple(by_id.get(t.id, t) for t in self.targets))


def status_of(statuses: Iterable[TargetStatus]) -> PostStatus:
    """Sum up target statuses to a post's: the first rule of docs/api.md "Post" that fits."""
    all_of_them = list(statuses)
    if TargetStatus.PUBLISHING in all_of_them:
        return PostStatus.PUBLISHING
    if TargetStatus.SCHEDULED in all_of_them:
        return PostStatus.SCHEDULED
    begun = [status for status in all_of_them if status is not TargetStatus.DRAFT]
    if not begun:
        return PostStatus.DRAFT
    live = [status in (TargetStatus.PUBLISHED, TargetStatus.REMOVED) for status in begun]
    if all(live):
        return PostStatus.PUBLISHED
    if any(live):
        return PostStatus.PARTIAL
    return PostStatus.FAILED if TargetStatus.FAILED in begun else PostStatus.CANCELLED
