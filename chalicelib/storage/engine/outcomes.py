"""Saves the end of an attempt: target, list status, history, allowance and remote id together.

It is one transaction, conditional on the worker's lease and on the version of the post, so that the
status in lists is always the sum of all targets; workers of one post that finish together take
turns. A target that went live gets a mark, from which its results begin.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.analytics.counters import WentLive
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.charging import trial_count
from chalicelib.domain.posts.history import Attempt, Event
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.plans import Use
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import backoff_s, is_passing
from chalicelib.kit.dynamodb.items import pack, unpack
from chalicelib.kit.dynamodb.table import (
    BatchRead,
    ContentionError,
    Expression,
    Table,
    name_of,
    unless_changed,
)
from chalicelib.kit.dynamodb.transaction import StaleWriteError, Transaction
from chalicelib.storage.analytics.items import fresh_item
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef, as_saved, still_held
from chalicelib.storage.posts.allowances import add_uses
from chalicelib.storage.posts.items import attempt_item, event_item, target_from, target_item
from chalicelib.storage.posts.posts import read_post
from chalicelib.storage.tables import (
    Tables,
    fresh_key,
    list_status,
    post_key,
    remote_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TRIES = 60
_SOON_AGAIN = 4
"""The longest wait between tries: workers of one post take turns within milliseconds."""


class StorageUnavailableError(Exception):
    """The table did not answer; the write may or may not have been made."""


class AlreadyAdoptedError(Exception):
    """The live post that was found belongs to another target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an attempt ended: the target as it is now, and all that is saved with it.

    Without an attempt nothing was tried: its author was reminded. `doubted` is the target as it was
    in doubt, if a reconciliation found its post: if another target's answer later names that post,
    this one is in doubt again. `first_poll` is as in Done.
    """

    target: Target
    attempt: Attempt | None
    events: tuple[Event, ...] = ()
    uses: tuple[Use, ...] = ()
    doubted: Target | None = None
    first_poll: timedelta | None = None


EndingOn = Callable[[Post], Ending]
"""Returns how an attempt ended, by the post as it is when that is kept."""


@contextmanager
def _unavailable_for_now() -> Iterator[None]:
    """Raise StorageUnavailableError for whatever may work later."""
    try:
        yield
    except (ContentionError, StaleWriteError) as error:
        raise StorageUnavailableError from error
    except (ClientError, BotoCoreError) as error:
        if is_passing(error):
            raise StorageUnavailableError from error
        raise


class OutcomeRepository:
    """Ends of attempts, over the posts table."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._tables = tables

    @_unavailable_for_now()
    def finish(
        self, ref: TargetRef, token: str, ending_on: EndingOn, *, known: Post
    ) -> tuple[Ending, Post]:
        """Save how an attempt ended; `ending_on` decides it from the post as it is then.

        `known` is the post as the worker read it: with a single target it has probably not changed,
        and is read again only if it has. Raises LeaseLostError when the target is no longer held
        under the token, AlreadyAdoptedError when its remote id already belongs to another target,
        and StorageUnavailableError when the same may work later.
        """
        for attempted in range(_TRIES):
            is_likely_fresh = attempted == 0 and len(known.targets) == 1
            post = known if is_likely_fresh else self._read(ref)
            if post is None:
                raise LeaseLostError
            ending = ending_on(post)
            transaction = self._write_ending(ref, token, ending, post)
            try:
                transaction.commit()
            except LeaseLostError:
                if self._is_kept(ref, ending.target):
                    return ending, post
                raise
            except StaleWriteError:
                time.sleep(backoff_s(min(attempted, _SOON_AGAIN)))
            else:
                return ending, post
        raise StaleWriteError

    def owners(self, platform: Platform, remote_ids: Sequence[str]) -> dict[str, str]:
        """Return which target each live post belongs to, of those that belong to any."""
        keys = {one: remote_key(platform, one) for one in remote_ids}
        read = BatchRead(self._client)
        rows = read.read([(self._tables.posts, key) for key in keys.values()])
        found = {one: rows.get(name_of(key)) for one, key in keys.items()}
        return {one: row["target_id"] for one, row in found.items() if row is not None}

    @_unavailable_for_now()
    def take_over(self, ref: TargetRef, token: str, ending: Ending, *, now: datetime) -> TargetRef:
        """Save that a target is live by the platform's answer, as a post that another one adopted.

        The other one is in doubt again, to be reconciled at once, or failed if its post was
        deleted: without its words it cannot be found. Returns its ids. Raises what `finish` raises,
        and AlreadyAdoptedError if the other one has the post by an answer too.
        """
        post = self._read(ref)
        if post is None:
            raise LeaseLostError
        twins_post, twin, doubted = self._twin(ending.target)
        if twins_post.id == post.id:
            raise AlreadyAdoptedError
        again = replace(doubted.doubt_again(twin, now=now), post_version=twins_post.version + 1)
        if twins_post.deleted_at is not None:
            again = again.fail(FailureCode.OUTCOME_UNKNOWN, "", now=now)
        transaction = self._write_ending(ref, token, ending, post, twin)
        its_own = TargetRef(twins_post.id, twin.id, twins_post.workspace_id, now)
        transaction.rewrite(
            self._tables.posts,
            target_item(its_own.post_id, its_own.workspace_id, again),
            unless_changed(twin.version),
        )
        mark = fresh_key(twins_post.workspace_id, twins_post.id, twin.id)
        transaction.delete(self._tables.posts, mark)
        self._update_post(transaction, twins_post.with_targets([again]))
        transaction.commit()
        return its_own

    def _twin(self, target: Target) -> tuple[Post, Target, Target]:
        """Return who adopted the post: the target's post, the target, and it as it was in doubt."""
        table = Table(self._client, self._tables.posts)
        row = table.get(remote_key(target.platform, target.remote_id or "")) or {}
        doubted = unpack(row.get("doubted"))
        post = None
        if doubted is not None:
            post = read_post(self._client, self._tables, row["post_id"])
        twin = None if post is None else post.target(row["target_id"])
        if doubted is None or post is None or twin is None or twin.remote_id != target.remote_id:
            raise AlreadyAdoptedError
        return post, twin, target_from(doubted)

    def is_deleted(self, ref: TargetRef) -> bool:
        """Tell whether the post was deleted, so that nothing of it is to be sent any more."""
        post = self._read(ref)
        return post is None or post.deleted_at is not None

    def _write_ending(
        self, ref: TargetRef, token: str, ending: Ending, post: Post, twin: Target | None = None
    ) -> Transaction:
        """Return everything that an ending changes, as one transaction.

        `twin` is the target that had the remote post until now.
        """
        transaction = Transaction(self._client)
        saved = replace(as_saved(ending.target), post_version=post.version + 1)
        transaction.rewrite(
            self._tables.posts,
            target_item(ref.post_id, ref.workspace_id, saved),
            still_held(token, ending.target.version),
            LeaseLostError(),
        )
        if ending.target.remote_id is not None:
            self._adopt(transaction, ref, ending, twin)
        self._mark_live(transaction, post, ending)
        after = post.with_targets([ending.target])
        counted, trial_uses = trial_count(after)
        self._update_post(transaction, replace(after, trial_counted=counted))
        if ending.attempt is not None:
            transaction.put(self._tables.posts, attempt_item(post.id, ending.attempt))
        for event in ending.events:
            transaction.put(self._tables.posts, event_item(post.id, event))
        add_uses(transaction, self._tables, post.workspace_id, (*ending.uses, *trial_uses))
        return transaction

    def _is_kept(self, ref: TargetRef, target: Target) -> bool:
        """Tell whether this very ending was kept by a call whose answer was lost."""
        post = self._read(ref)
        found = None if post is None else post.target(ref.target_id)
        return found is not None and found == replace(
            as_saved(target), post_version=found.post_version
        )

    def _read(self, ref: TargetRef) -> Post | None:
        return read_post(self._client, self._tables, ref.post_id)

    def _adopt(
        self, transaction: Transaction, ref: TargetRef, ending: Ending, twin: Target | None
    ) -> None:
        """Write which target has the remote post; no other one may have it."""
        target, doubted = ending.target, ending.doubted
        row: dict[str, str | None] = {
            **remote_key(target.platform, target.remote_id or ""),
            "target_id": target.id,
            "post_id": ref.post_id,
            "doubted": None,
        }
        if doubted is not None:
            row["doubted"] = pack(target_item(ref.post_id, ref.workspace_id, doubted))
        ours = Expression(
            "attribute_not_exists(#pk) OR #target_id = :target",
            {"target": target.id if twin is None else twin.id},
        )
        transaction.put(self._tables.posts, row, ours, AlreadyAdoptedError())

    def _mark_live(self, transaction: Transaction, post: Post, ending: Ending) -> None:
        """Begin a live target's results; `post` is as it was before."""
        target = ending.target
        if target.published_at is None or post.deleted_at is not None:
            return
        fresh = WentLive(
            post_id=post.id,
            target_id=target.id,
            platform=target.platform,
            at=target.published_at,
            first=not post.is_live_anywhere,
        )
        transaction.put(self._tables.posts, fresh_item(post.workspace_id, fresh, ending.first_poll))

    def _update_post(self, transaction: Transaction, post: Post) -> None:
        changes = "SET #trial_counted = :counted"
        values: dict[str, str | int | bool] = {"counted": post.trial_counted, "one": 1}
        if post.deleted_at is None:
            changes += ", #list_status = :list_status"
            values["list_status"] = list_status(post.workspace_id, post.status, post.id)
        transaction.update(
            self._tables.posts,
            post_key(post.id),
            Expression(f"{changes} ADD #version :one", values),
            unless_changed(post.version),
        )
