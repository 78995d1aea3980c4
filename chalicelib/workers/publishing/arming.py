"""What is made ready before its second, holding nothing: a target's first visible call.

The fire worker asks for it when wake messages arrive ahead of their time. Posts are read first,
then their targets, then the accounts, each kind for a whole batch at once: whatever changes one of
them later raises the target's version, and the one write at the second names the version that was
read here.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.domain.engine.admission import CATCHING_UP, suspect
from chalicelib.domain.outcome import Checkpoint, Outcome, Wait
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.workers.media.shared_copies import BeingMadeError, NotPreparedError
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.preflight import Preflight
from chalicelib.workers.publishing.signed_connector import SignedConnector

_MOST_STEPS = 5


class Unarmed(Enum):
    """Why nothing was armed: another way is taken, or the message is out of date."""

    SLOWER_WAY = auto()
    NOTHING_TO_DO = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmedTarget:
    """A target as it was read, and everything that its visible call needs."""

    ref: TargetRef
    post: Post
    target: Target
    checkpoint: Checkpoint
    connector: SignedConnector
    publication: Publication
    server: str

    @property
    def due_at(self) -> datetime:
        """When the call is to be made."""
        return self.publication.due_at


@dataclass(frozen=True, slots=True)
class Found:
    """A target's post and account as they were read, as far as they exist."""

    post: Post | None
    account: Account | None

    def target_of(self, ref: TargetRef) -> Target | None:
        """Return the target as its post had it."""
        return None if self.post is None else self.post.target(ref.target_id)


_NOTHING = Found(None, None)


@dataclass(frozen=True, slots=True)
class Arming:
    """Reads, signs in and makes the request's facts ready; changes nothing."""

    preflight: Preflight

    def find(self, refs: Collection[TargetRef]) -> dict[TargetRef, Found]:
        """Read what targets are armed with: several in three calls for up to a hundred.

        What the tick sent is read at half the price, as it may have been a moment ago: the write at
        the second names the version that was read. Accounts have none, and are read as they are.
        A copy of a message is looked at first by a read that costs half and may be old: nearly
        always its target no longer wants anything. Read wrongly, it waits for the next tick.
        """
        copies = [ref for ref in refs if ref.is_copy]
        wake_times = self.preflight.targets.recent_wake_times(copies) if copies else {}
        left = [ref for ref in refs if ref not in wake_times or self._is_due(ref, wake_times[ref])]
        recent = self._read([ref for ref in left if ref.is_routine], is_consistent=False)
        whole = {ref: found for ref, found in recent.items() if _is_whole(ref, found)}
        again = [ref for ref in left if ref not in whole]
        return dict.fromkeys(wake_times, _NOTHING) | whole | self._read(again)

    def _read(
        self, refs: Collection[TargetRef], *, is_consistent: bool = True
    ) -> dict[TargetRef, Found]:
        if not refs:
            return {}
        post_ids = {ref.post_id for ref in refs}
        posts = self.preflight.posts.several(post_ids, is_consistent=is_consistent)
        account_ids = {ref: _account_id(posts.get(ref.post_id), ref) for ref in refs}
        named = {(ref.workspace_id, one) for ref, one in account_ids.items() if one is not None}
        accounts = self.preflight.accounts.several(named)
        return {
            ref: Found(posts.get(ref.post_id), accounts.get(account_ids[ref] or "")) for ref in refs
        }

    def arm(
        self, ref: TargetRef, switch: SwitchState, found: Found | None = None
    ) -> ArmedTarget | Unarmed:
        """Return the target ready to be fired, or why it is not."""
        found = found or self._read([ref])[ref]
        post, account, target = found.post, found.account, found.target_of(ref)
        if post is None or target is None or not self.is_awake(ref, found):
            return Unarmed.NOTHING_TO_DO
        if not _is_for_arming(post, target, switch, self.preflight.tools.wall()):
            return Unarmed.SLOWER_WAY
        if account is None or self.preflight.refusal(target, account) is not None:
            return Unarmed.SLOWER_WAY
        try:
            return self._arm(ref, post, target, account) or Unarmed.SLOWER_WAY
        except (BeingMadeError, NotPreparedError, PlatformError):
            return Unarmed.SLOWER_WAY

    def is_awake(self, ref: TargetRef, found: Found) -> bool:
        """Tell whether a target still wants what its message woke it for."""
        target = found.target_of(ref)
        return self._is_due(ref, None if target is None else target.progress.wake_at)

    def _is_due(self, ref: TargetRef, wake_at: datetime | None) -> bool:
        return wake_at is not None and wake_at <= max(self.preflight.tools.clock(), ref.wake_at)

    def _arm(
        self, ref: TargetRef, post: Post, target: Target, account: Account
    ) -> ArmedTarget | None:
        media = self._media(post, target, account)
        publication = self.preflight.publication(post, target, account, media)
        connector = self.preflight.signed_connector(account)
        connector.sign_in(publication.now)
        checkpoint = _visible_step(connector, publication, target.progress.checkpoint)
        if checkpoint is None:
            return None
        return ArmedTarget(
            ref=ref,
            post=post,
            target=target,
            checkpoint=checkpoint,
            connector=connector,
            publication=publication,
            server=account.server,
        )

    def _media(self, post: Post, target: Target, account: Account) -> MediaFile | None:
        """Return the file as the run that uploaded it began with it."""
        if post.attachment is None:
            return None
        return self.preflight.preparation.file_for(post, post.attachment, target, account).file


def _account_id(post: Post | None, ref: TargetRef) -> str | None:
    """Return whose account is to be read: nobody's where nothing is to do any more."""
    target = None if post is None else post.target(ref.target_id)
    return None if target is None or target.progress.wake_at is None else target.account_id


def _is_whole(ref: TargetRef, found: Found) -> bool:
    """Tell whether a target and its post were read as one write left them."""
    post, target = found.post, found.target_of(ref)
    return post is not None and target is not None and post.version >= target.post_version


def _is_for_arming(post: Post, target: Target, switch: SwitchState, now: datetime) -> bool:
    """Tell whether the next thing to happen is the target's first visible call, in time."""
    is_ready = target.progress.checkpoint is not None or not post.is_prepared_ahead(target)
    is_in_time = target.due_at is not None and now - target.due_at < CATCHING_UP
    return (
        target.fires_next
        and is_ready
        and is_in_time
        and not suspect(post, target, switch.confirm_since, switch.confirm_until).is_in_doubt
        and post.version >= target.post_version
    )


def _visible_step(
    connector: SignedConnector, publication: Publication, checkpoint: Checkpoint | None
) -> Checkpoint | None:
    """Return the visible step, reached in memory; None when the way to it takes longer."""
    for _ in range(_MOST_STEPS):
        if checkpoint is not None and checkpoint.step in connector.irreversible:
            return checkpoint
        outcome = answer_of(partial(_step, connector, publication, checkpoint))
        if not isinstance(outcome, Wait) or outcome.delay > timedelta(0):
            return None
        checkpoint = outcome.checkpoint
    return None


def _step(
    connector: SignedConnector, publication: Publication, checkpoint: Checkpoint | None
) -> Outcome:
    if checkpoint is None:
        return connector.start(publication)
    return connector.advance(publication, checkpoint)
