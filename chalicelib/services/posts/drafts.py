"""Making, editing, copying and deleting posts: nothing here goes out.

`api/resources/posts.py` calls it. A new draft rests on one round trip of reading (`DraftReads`) and
one transaction; edits go through `PostUpdates`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

from chalicelib.domain.analytics.learning import NOTHING_LEARNED, Learned
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import (
    AccountRemoved,
    MediaNotFound,
    PostNotFound,
)
from chalicelib.domain.ids import is_id
from chalicelib.domain.platforms.choices import PRIVACY_LEVEL
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.options import known_options
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.tiktok import RARE_LEVELS
from chalicelib.domain.posts.charging import draft_uses, draft_x_uses, payer_for
from chalicelib.domain.posts.drafting import (
    NewPost,
    NewTarget,
    PostChanges,
    check_sendable,
    past_times,
    past_times_of_changes,
    refuse,
)
from chalicelib.domain.posts.editing import Editor, edit
from chalicelib.domain.posts.history import Action, event_by
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller, Scope, require
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.services.counter_updates import CounterUpdates
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.golden_hours import GoldenHours
from chalicelib.services.posts.new_posts import new_post
from chalicelib.services.posts.updates import Change, Decide, PostUpdates, Update, leave_unchanged
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.storage.posts.draft_reads import DraftFacts, DraftReads
from chalicelib.storage.posts.posts import PostRepository, RepeatedRequestError

_TRIES = 3


class Making(StrEnum):
    """How a post came about that a caller asked to be made."""

    NEW = "new"
    REPEATED = "repeated"
    ANOTHER_BODY = "another body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """What a caller may do with posts before they go out."""

    posts: PostRepository
    reads: DraftReads
    updates: PostUpdates
    golden_hours: GoldenHours
    choices: AccountChoices
    counter_updates: CounterUpdates
    clock: Clock

    def create(
        self,
        caller: Caller,
        draft: NewPost,
        *,
        idempotency_key: str | None = None,
        then: Decide = leave_unchanged,
    ) -> tuple[Post, Making]:
        """Make a draft, and in the same step what `then` decides; return it and how it came about.

        A repeated Idempotency-Key returns the post it made before any rule is checked. Raises
        MediaNotFound, UnknownAccount, DuplicateAccount, CaptionTooLong, TiktokRules, MediaRequired,
        PlanLimit, or InvalidInput for options of a wrong shape.
        """
        for _ in range(_TRIES):
            facts = self._facts(caller, draft, idempotency_key)
            if facts.made_post_id is not None:
                with suppress(PostNotFound):  # deleted in between: its key is free again
                    return self._find_repeat(caller, draft, facts.made_post_id, facts.made_of)
            with suppress(RepeatedRequestError):
                return self._make(caller, draft, facts, idempotency_key, then), Making.NEW
        raise RepeatedRequestError

    def _find_repeat(
        self, caller: Caller, draft: NewPost, post_id: str, made_of: str | None
    ) -> tuple[Post, Making]:
        is_as_before = made_of is None or made_of == draft.fingerprint
        post = self.posts.get(caller.workspace_id, post_id)
        return post, Making.REPEATED if is_as_before else Making.ANOTHER_BODY

    def _make(
        self, caller: Caller, draft: NewPost, facts: DraftFacts, key: str | None, then: Decide
    ) -> Post:
        now = self.clock()
        refuse(past_times(draft.targets, now=now))
        post = new_post(caller, draft, facts, now=now, key=key)
        facts.require_room(draft_uses(post, payer_for(caller), now=post.created_at))
        detail = {"targets": len(post.targets)}
        made = event_by(caller, Action.CREATED, post.created_at, detail)
        made_of = None if key is None else draft.fingerprint
        return self.updates.add(caller, post, made, then, made_of=made_of)

    def _facts(self, caller: Caller, draft: NewPost, key: str | None) -> DraftFacts:
        wanted = {target.account_id for target in draft.targets} & set(caller.accounts)
        return self.reads.read(
            caller.workspace_id,
            account_ids=sorted(wanted),
            media_ids=sorted({media_id for media_id in draft.media_ids if is_id(media_id)}),
            idempotency_key=key,
            counters=self._counters(caller, draft.targets),
        )

    def _counters(self, caller: Caller, targets: Sequence[NewTarget]) -> tuple[str, ...]:
        now = self.clock()
        return payer_for(caller).counters(max(new.scheduled_at or now, now) for new in targets)

    def edit(self, caller: Caller, post_id: str, changes: PostChanges) -> Post:
        """Change a post. Raises what `domain.editing.edit` raises, PlanLimit and FileRemoved."""
        refuse(past_times_of_changes(changes, now=self.clock()))

        change = self.updates.change(caller)
        while change.is_open:
            post, decide = self._read(caller, change, post_id, changes)
            update = decide(post)
            change.save(post, update.after, *update.events)
        return change.saved

    def _read(
        self, caller: Caller, change: Change, post_id: str, changes: PostChanges
    ) -> tuple[Post, Decide]:
        """Read the post, and beside it what its new file and added targets rest on."""
        if not changes.add and not changes.media_ids:
            return change.read(post_id), self.editing(caller, changes)
        return in_parallel(lambda: change.read(post_id), lambda: self.editing(caller, changes))

    def editing(self, caller: Caller, changes: PostChanges) -> Decide:
        """Return the decision to change a post, with all read that it rests on."""
        refuse(past_times_of_changes(changes, now=self.clock()))
        facts, learned = self._read_facts(caller, changes)

        def decide(post: Post) -> Update:
            now = self.clock()
            editor = Editor(
                caller=caller,
                now=now,
                accounts={**facts.accounts, **self._choosers(caller, post, changes)},
                media=facts.media,
                known_choices=self.choices.known_of,
            )
            edited = edit(post, changes, editor)
            after = self._in_motion(caller, post, edited, learned, editor)
            added = [target for target in after.targets if post.target(target.id) is None]
            alone = replace(after, targets=tuple(added))
            facts.require_room(draft_x_uses(alone, payer_for(caller), now=now))
            happened = event_by(caller, Action.EDITED, now, _edit_detail(changes))
            return Update(after=after, events=(happened,))

        return decide

    def _read_facts(self, caller: Caller, changes: PostChanges) -> tuple[DraftFacts, Learned]:
        if not changes.add:
            return self._added_facts(caller, changes), NOTHING_LEARNED
        return in_parallel(
            lambda: self._added_facts(caller, changes), lambda: self.golden_hours.learned(caller)
        )

    def _added_facts(self, caller: Caller, changes: PostChanges) -> DraftFacts:
        wanted = sorted({new.account_id for new in changes.add} & set(caller.accounts))
        return self.reads.read(
            caller.workspace_id,
            account_ids=wanted,
            media_ids=sorted({name for name in changes.media_ids or () if is_id(name)}),
            counters=self._counters(caller, changes.add) if wanted else (),
        )

    def _choosers(self, caller: Caller, post: Post, changes: PostChanges) -> Mapping[str, Account]:
        """Read the accounts of changed targets whose new choice not every account offers."""
        chosen = {
            change.id: change.options for change in changes.targets if change.options is not None
        }
        wanted = {
            target.account_id
            for target in post.targets
            if target.id in chosen and _is_rare(target.platform, chosen[target.id])
        }
        ids = sorted(wanted & set(caller.accounts))
        return self.reads.read(caller.workspace_id, account_ids=ids).accounts

    def _in_motion(
        self, caller: Caller, before: Post, after: Post, learned: Learned, editor: Editor
    ) -> Post:
        """Schedule what was added to a post that is scheduled (docs/api.md "Posts", PATCH add)."""
        if not any(target.status is TargetStatus.SCHEDULED for target in before.targets):
            return after
        added = [target for target in after.targets if before.target(target.id) is None]
        for index, target in enumerate(added):
            choices = editor.choices_of(target)
            check_sendable(after, target, field=f"add[{index}]", choices=choices)
        now = editor.now
        return after.with_targets(
            target.schedule(
                self.golden_hours.own_or_next(caller, target, learned, now=now),
                now=now,
                lead=after.lead(target),
            )
            for target in added
        )

    def delete(self, caller: Caller, post_id: str) -> None:
        """Delete a post from the service, and stop what has not gone out.

        Raises ScopeMissing or RoleForbids when it is live somewhere and the caller may not.
        """
        change = self.updates.change(caller)
        while change.is_open:
            post = change.read(post_id)
            if any(target.status is TargetStatus.PUBLISHED for target in post.targets):
                require(caller, Scope.DELETE_PUBLISHED, why="A live post is part of this.")
            now = self.clock()
            stopped = [target.cancel() for target in post.targets if target.is_cancellable]
            after = replace(post.with_targets(stopped), deleted_at=now)
            change.save(post, after, event_by(caller, Action.DELETED, now))
        if change.saved.is_live_anywhere:
            self.counter_updates.settle(caller.workspace_id, caller.timezone, [post_id])

    def duplicate(self, caller: Caller, post_id: str) -> Post:
        """Make a new draft with the same content and no times; gone accounts are left out.

        Raises PostNotFound, AccountRemoved when no account is left, and PlanLimit.
        """
        source = self.posts.get(caller.workspace_id, post_id)
        kept = [target for target in source.targets if target.account_id in caller.accounts]
        if not kept:
            raise AccountRemoved
        targets = tuple(_copy_target(target) for target in kept)
        draft = NewPost(media_ids=source.media_ids, targets=targets).written_as(source)
        try:
            return self._copy(caller, source, draft)
        except MediaNotFound:
            return self._copy(caller, source, replace(draft, media_ids=()))

    def _copy(self, caller: Caller, source: Post, draft: NewPost) -> Post:
        facts = self._facts(caller, draft, None)
        copy = new_post(caller, draft, facts, now=self.clock())
        facts.require_room(draft_uses(copy, payer_for(caller), now=copy.created_at))
        now = copy.created_at
        made = event_by(caller, Action.CREATED, now, {"targets": len(copy.targets)})
        copied = event_by(caller, Action.DUPLICATED, now, {"post_id": copy.id})
        self.posts.add(copy, events=(made,), elsewhere=((source.id, copied),))
        return copy


def _is_rare(platform: Platform, options: Mapping[str, Json]) -> bool:
    """Tell whether options name something that an account of the platform may lack."""
    if FACTS[platform].has_creator:
        return options.get(PRIVACY_LEVEL) in RARE_LEVELS
    return any(options.get(name) for name in FACTS[platform].offered)


def _copy_target(target: Target) -> NewTarget:
    return NewTarget(
        account_id=target.account_id,
        caption_override=target.caption_override,
        options=known_options(target.platform, target.options),
    )


def _edit_detail(changes: PostChanges) -> dict[str, int | bool]:
    """Say what was edited, without the text itself."""
    return {
        "caption": changes.caption is not None,
        "media": changes.media_ids is not None,
        "targets": len(changes.targets),
        "added": len(changes.add),
        "removed": len(changes.remove),
    }
