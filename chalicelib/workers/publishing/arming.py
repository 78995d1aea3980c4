"""Prepares a target's first visible call before its second, without holding a lease.

The fire worker asks for it when wake messages arrive ahead of their time. Posts are read first,
then their targets, then the accounts, each kind for a whole batch at once. Whatever changes one of
them later raises the target's version, and the one write at the second names the version that was
read here.
"""

import threading
from collections.abc import Collection
from concurrent.futures import Future
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.domain.engine.admission import suspect
from chalicelib.domain.engine.holds import Holds
from chalicelib.domain.outcome import Checkpoint, Wait
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import CATCHING_UP
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.workers.media.shared_copies import BeingMadeError, NotPreparedError
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.preflight import Preflight
from chalicelib.workers.publishing.run import Run
from chalicelib.workers.publishing.signed_connector import SignedConnector

ARMS_WITHIN = timedelta(seconds=5)
"""How long arming may always take; a target whose second is further away may take until then."""
_MOST_STEPS = 5


class Unarmed(Enum):
    """Why a target was not armed: it goes by another lane, or its message is out of date."""

    SLOWER_WAY = auto()
    NOTHING_TO_DO = auto()


@dataclass(slots=True, eq=False)
class Arrival:
    """The target of one message while it is armed; `end` tells when nothing is left to do.

    Its post and account are as they were read, None if they do not exist.
    """

    ref: TargetRef
    is_read: bool = False
    post: Post | None = None
    account: Account | None = None
    end: Future[None] = field(default_factory=Future)
    decided: threading.Event = field(default_factory=threading.Event)
    begun_at: datetime | None = None
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def read_as(self, post: Post | None, account: Account | None) -> "Arrival":
        """Note what was read; returns itself."""
        self.post, self.account, self.is_read = post, account, True
        return self

    @property
    def target(self) -> Target | None:
        """The target as its post had it."""
        return None if self.post is None else self.post.target(self.ref.target_id)

    @property
    def server(self) -> str:
        """What answers its calls."""
        return "" if self.account is None else self.account.server

    @property
    def is_whole(self) -> bool:
        """Tell whether the post was read no earlier than the state that the target was read in."""
        post, target = self.post, self.target
        return post is not None and target is not None and post.version >= target.post_version

    def decide(self) -> bool:
        """Decide what becomes of the target; return False if that was decided before."""
        with self._guard:
            is_open = not self.decided.is_set()
            self.decided.set()
            return is_open

    def is_stuck(self, now: datetime) -> bool:
        """Tell whether the time for arming it is over."""
        begun = self.begun_at
        return begun is not None and now >= max(begun + ARMS_WITHIN, self.ref.wake_at)


@dataclass(frozen=True, slots=True)
class Arming:
    """Reads, signs in and makes the request's facts ready; changes nothing."""

    preflight: Preflight

    def find(self, arrivals: Collection[Arrival]) -> None:
        """Read what targets are armed with: several in three calls for up to a hundred.

        For messages of the tick the reads cost half and may be a moment old: the write at the
        second names the version that was read. Accounts have no version, and are read as they are.
        For a copy of a message, the target's row is first read in this way: normally it needs
        nothing any more. If that read was too old, the next tick sends the target.
        """
        copies = [one.ref for one in arrivals if one.ref.kind is MessageKind.COPY]
        wake_times = self.preflight.targets.recent_wake_times(copies) if copies else {}
        left = []
        for one in arrivals:
            if one.ref in wake_times and not self._is_due(one.ref, wake_times[one.ref]):
                one.read_as(None, None)
            else:
                left.append(one)
        recent = [one for one in left if one.ref.kind is MessageKind.TICK]
        self._read(recent, is_consistent=False)
        for one in recent:
            one.is_read = one.is_whole
        self._read([one for one in left if not one.is_read])

    def _read(self, arrivals: Collection[Arrival], *, is_consistent: bool = True) -> None:
        if not arrivals:
            return
        # In an order that is the same in each run, as no set's is.
        post_ids = dict.fromkeys(one.ref.post_id for one in arrivals)
        posts = self.preflight.posts.several(post_ids, is_consistent=is_consistent)
        account_ids = {one: _account_id(posts.get(one.ref.post_id), one.ref) for one in arrivals}
        names = ((one.ref.workspace_id, name) for one, name in account_ids.items() if name)
        accounts = self.preflight.accounts.several(dict.fromkeys(names))
        for one, name in account_ids.items():
            one.read_as(posts.get(one.ref.post_id), accounts.get(name or ""))

    def arm(self, one: Arrival, switch: SwitchState) -> Run | Unarmed:
        """Return a run that is ready for its visible call, or why there is none."""
        if not one.is_read:
            self._read([one])
        post, account, target = one.post, one.account, one.target
        if post is None or target is None or not self.is_awake(one):
            return Unarmed.NOTHING_TO_DO
        if not _is_for_arming(post, target, switch, self.preflight.keeper.wall()):
            return Unarmed.SLOWER_WAY
        if account is None or self.preflight.refusal(target, account) is not None:
            return Unarmed.SLOWER_WAY
        try:
            return self._arm(post, target, account, switch.holds) or Unarmed.SLOWER_WAY
        except (BeingMadeError, NotPreparedError, PlatformError):
            return Unarmed.SLOWER_WAY

    def is_awake(self, one: Arrival) -> bool:
        """Tell whether a target still needs what its message was sent for."""
        return self._is_due(one.ref, None if one.target is None else one.target.progress.wake_at)

    def _is_due(self, ref: TargetRef, wake_at: datetime | None) -> bool:
        return wake_at is not None and wake_at <= max(self.preflight.keeper.clock(), ref.wake_at)

    def _arm(self, post: Post, target: Target, account: Account, holds: Holds) -> Run | None:
        media = self._media(post, target, account)
        run = self.preflight.run_of(post, target, account, media, holds)
        run.connector.sign_in(run.publication.now)
        if run.connector.is_held:
            return None
        checkpoint = _visible_step(run.connector, run.publication, target.progress.checkpoint)
        return None if checkpoint is None else replace(run, checkpoint=checkpoint)

    def _media(self, post: Post, target: Target, account: Account) -> MediaFile | None:
        """Return the file as the run that uploaded it began with it."""
        if post.attachment is None:
            return None
        return self.preflight.preparation.file_for(post, post.attachment, target, account).file


def _account_id(post: Post | None, ref: TargetRef) -> str | None:
    """Return whose account is to be read: nobody's where nothing is to do any more."""
    target = None if post is None else post.target(ref.target_id)
    return None if target is None or target.progress.wake_at is None else target.account_id


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
        if checkpoint is None:
            outcome = answer_of(partial(connector.start, publication))
        else:
            outcome = answer_of(partial(connector.advance, publication, checkpoint))
        if not isinstance(outcome, Wait) or outcome.delay > timedelta(0):
            return None
        checkpoint = outcome.checkpoint
    return None
