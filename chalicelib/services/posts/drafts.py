"""Making, editing, copying and deleting posts.

`api/resources/posts` and the app call it. A new draft takes one round trip of reads (`KnownReads`)
and one transaction; edits go through `PostUpdates`. Where the app saves a post and schedules it at
once, that is one change: both happen or neither does.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from chalicelib.domain.analytics.learning import NOTHING_LEARNED, Learned
from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import refuse
from chalicelib.domain.errors import MediaNotFound, PostNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.platforms.choices import PRIVACY_LEVEL
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import cover_ids
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox_answers import asks_for_answer
from chalicelib.domain.platforms.tiktok import RARE_LEVELS
from chalicelib.domain.posts.charging import counters_for
from chalicelib.domain.posts.drafting import NewPost, NewTarget, copy_of, new_post, without_gone
from chalicelib.domain.posts.editing import Editor, PostChanges, edit, past_times_of_changes
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.verbs import Decide, Facts, Update, delete, in_turn
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.services.counter_updates import CounterUpdates
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.erasures import Erasures
from chalicelib.services.posts.golden_hours import GoldenHours
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.storage.posts.known import KnownReads
from chalicelib.storage.posts.posts import PostRepository, RepeatedRequestError

_TRIES = 3

Ways = Callable[[], Iterable[Decide]]
"""Yields the decisions to try on a post that was just written, as `Scheduling.ways` does."""
_STAYS: Final = (in_turn(),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """What a caller may do with posts before they go out."""

    posts: PostRepository
    reads: KnownReads
    updates: PostUpdates
    golden_hours: GoldenHours
    choices: AccountChoices
    counter_updates: CounterUpdates
    erasures: Erasures
    clock: Clock

    def create(
        self,
        caller: Caller,
        draft: NewPost,
        *,
        idempotency_key: str | None = None,
        then: Ways = lambda: _STAYS,
        post_id: str | None = None,
    ) -> tuple[Post, Making]:
        """Make a draft, and in the same step what `then` says; return it and how it came about.

        A repeated Idempotency-Key returns the post it made before any rule is checked. `post_id` is
        an id that nothing else gets. Raises what `drafting.new_post` and `then` raise, and
        StaleWriteError if there is a post of that id, a deleted one too.
        """
        for _ in range(_TRIES):
            known = self._read_known(caller, draft, idempotency_key)
            if known.made_post_id is not None:
                with suppress(PostNotFound):  # deleted in between: its key is free again
                    return self._find_repeat(caller, draft, known.made_post_id, known.made_of)
            with suppress(RepeatedRequestError):
                made = new_post(caller, draft, known, now=self.clock(), key=idempotency_key)
                if post_id is not None:
                    made = replace(made, after=replace(made.after, id=post_id))
                made_of = None if idempotency_key is None else draft.fingerprint
                return self.updates.add(caller, made, then(), made_of=made_of), Making.NEW
        raise RepeatedRequestError

    def find_made(self, caller: Caller, idempotency_key: str) -> Post | None:
        """Return the post that a request with this key has made in the last 24 hours, if it is."""
        known = self.reads.read(
            caller.workspace_id, account_ids=(), idempotency_key=idempotency_key or None
        )
        with suppress(PostNotFound):
            if known.made_post_id is not None:
                return self.posts.get(caller.workspace_id, known.made_post_id)
        return None

    def _find_repeat(
        self, caller: Caller, draft: NewPost, post_id: str, made_of: str | None
    ) -> tuple[Post, Making]:
        is_as_before = made_of is None or made_of == draft.fingerprint
        post = self.posts.get(caller.workspace_id, post_id)
        return post, Making.REPEATED if is_as_before else Making.ANOTHER_BODY

    def _read_known(self, caller: Caller, draft: NewPost, key: str | None) -> Known:
        wanted = {target.account_id for target in draft.targets} & set(caller.accounts)
        files = (*draft.media_ids, *cover_ids([new.options for new in draft.targets]))
        return self.reads.read(
            caller.workspace_id,
            account_ids=sorted(wanted),
            media_ids=sorted({file_id for file_id in files if is_id(file_id)}),
            idempotency_key=key,
            counters=self._counters(caller, draft.targets),
        )

    def _counters(self, caller: Caller, targets: Iterable[NewTarget]) -> tuple[str, ...]:
        now = self.clock()
        return counters_for(caller, [max(new.scheduled_at or now, now) for new in targets])

    def edit(self, caller: Caller, post_id: str, changes: PostChanges) -> Post:
        """Change a post. Raises what `domain.editing.edit` raises, PlanLimit and FileRemoved."""
        refuse(past_times_of_changes(changes, now=self.clock()))
        if not changes.add and not changes.file_ids:
            decide = self._editing(caller, changes)
            return self.updates.carry_out(caller, post_id, decide)
        post, decide = in_parallel(
            lambda: self.updates.read(caller, post_id), lambda: self._editing(caller, changes)
        )
        return self.updates.carry_out(caller, post, decide)

    def rewrite(self, caller: Caller, post_id: str, changes: PostChanges, then: Ways) -> Post:
        """Change a post and do with it what was asked.

        Raises what `edit` and `then` raise, and nothing is changed then.
        """
        refuse(past_times_of_changes(changes, now=self.clock()))
        edits = (self._editing(caller, changes),) if changes != PostChanges() else ()
        ways = (in_turn(*edits, way) for way in then())
        return self.updates.carry_out(caller, post_id, next(ways), otherwise=ways)

    def _editing(self, caller: Caller, changes: PostChanges) -> Decide:
        """Return the decision to change a post, with all read that it rests on."""
        known, learned = self._read_for(caller, changes)

        def decide(post: Post) -> Update:
            now = self.clock()
            added = {name: account.platform for name, account in known.accounts.items()}
            golden = self.golden_hours.next_of_accounts(caller, added, learned, now)
            accounts = {**known.accounts, **self._doubtful(caller, post, changes)}
            editor = Editor(
                facts=Facts(caller=caller, now=now, golden=golden),
                known=replace(known, accounts=accounts),
                known_choices=self.choices.known_choices,
            )
            return edit(post, changes, editor)

        return decide

    def _read_for(self, caller: Caller, changes: PostChanges) -> tuple[Known, Learned]:
        if not changes.add:
            return self._read_added(caller, changes), NOTHING_LEARNED
        return in_parallel(
            lambda: self._read_added(caller, changes),
            lambda: self.golden_hours.read_learned(caller),
        )

    def _read_added(self, caller: Caller, changes: PostChanges) -> Known:
        wanted = sorted({new.account_id for new in changes.add} & set(caller.accounts))
        return self.reads.read(
            caller.workspace_id,
            account_ids=wanted,
            media_ids=sorted({name for name in changes.file_ids if is_id(name)}),
            counters=self._counters(caller, changes.add) if wanted else (),
        )

    def _doubtful(self, caller: Caller, post: Post, changes: PostChanges) -> Mapping[str, Account]:
        """Read the accounts of targets whose new choice or text not every account takes."""
        chosen = {
            change.id: change.options for change in changes.targets if change.options is not None
        }
        wanted = {
            target.account_id
            for target in post.targets
            if target.id in chosen and _is_rare(target.platform, chosen[target.id])
        }
        texts = [
            changes.caption or post.caption,
            *(one.caption_override for one in changes.targets),
        ]
        if any(asks_for_answer(text or "") for text in texts):
            wanted |= {target.account_id for target in post.targets}
        ids = sorted(wanted & set(caller.accounts))
        return self.reads.read(caller.workspace_id, account_ids=ids).accounts

    def delete(self, caller: Caller, post_id: str) -> None:
        """Delete a post from the service with its words, and stop what has not gone out.

        Raises ScopeMissing or RoleForbids when it is live somewhere and the caller may not.
        """
        kept = self.updates.carry_out(
            caller, post_id, lambda post: delete(post, Facts(caller=caller, now=self.clock()))
        )
        self.erasures.finish_if_possible(post_id)
        if kept.is_live_anywhere:
            self.counter_updates.refresh(caller.workspace_id, caller.timezone, [post_id])

    def duplicate(
        self, caller: Caller, post_id: str, *, idempotency_key: str | None = None
    ) -> tuple[Post, Making]:
        """Make a new draft with the same content and no times; gone accounts are left out.

        A repeated Idempotency-Key returns the draft that it made. Raises PostNotFound,
        AccountRemoved when no account is left, and PlanLimit.
        """
        key = None if idempotency_key is None else f"duplicate/{post_id}/{idempotency_key}"
        source = self.posts.get(caller.workspace_id, post_id)
        draft = copy_of(source, caller)
        for _ in range(_TRIES):
            with suppress(MediaNotFound, RepeatedRequestError):
                # A file that went just now is left out next time; a repeat is found.
                return self._copy(caller, source, draft, key)
        raise MediaNotFound

    def _copy(
        self, caller: Caller, source: Post, draft: NewPost, key: str | None
    ) -> tuple[Post, Making]:
        now, known = self.clock(), self._read_known(caller, draft, key)
        if known.made_post_id is not None:
            with suppress(PostNotFound):  # deleted in between: its key is free again
                return self.posts.get(caller.workspace_id, known.made_post_id), Making.REPEATED
        made = new_post(caller, without_gone(draft, known.media), known, now=now, key=key)
        copied = Facts(caller=caller, now=now).event(Action.DUPLICATED, post_id=made.after.id)
        self.posts.add(made.after, events=made.events, elsewhere=((source.id, copied),))
        self.updates.tell_of_waiting(made.after)
        return made.after, Making.NEW


def _is_rare(platform: Platform, options: Mapping[str, Json]) -> bool:
    """Tell whether options name something that an account of the platform may lack."""
    if FACTS[platform].has_creator:
        return options.get(PRIVACY_LEVEL) in RARE_LEVELS
    return any(options.get(name) for name in FACTS[platform].offered)
