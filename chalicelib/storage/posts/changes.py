"""The difference between two states of a post, as writes of one transaction.

`posts.py` calls it. Every target that changed is guarded by its version; when the shared caption
changes, so does the version of every other target that waits, so that no worker can send the old
text meanwhile (docs/architecture.md "A post's second").
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import FileRemoved, MediaNotFound
from chalicelib.domain.posts.erasing import is_under_way
from chalicelib.domain.posts.history import Event
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.plans import Use
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import epoch
from chalicelib.kit.dynamodb.table import ABSENT, Expression, unless_changed
from chalicelib.kit.dynamodb.transaction import MOST_WRITES, Transaction
from chalicelib.storage.posts.allowances import add_uses
from chalicelib.storage.posts.items import event_item, post_item, target_item
from chalicelib.storage.tables import (
    Tables,
    idempotency_key,
    media_key,
    media_use_key,
    queued_key,
    taken_key,
    target_key,
)

_MARK_LIFETIME = timedelta(days=2)
TOO_MUCH = "This changes too many targets and times at once. Change fewer of them in one request."


class QueueTimeTakenError(Exception):
    """Another post took the queue time first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChange:
    """Two states of a post, with the events, uses and queue time of the change."""

    before: Post
    after: Post
    events: tuple[Event, ...]
    uses: tuple[Use, ...]


def write_change(transaction: Transaction, tables: Tables, change: PostChange) -> Post:
    """Put a change's writes into the transaction; return the post as it will be kept."""
    before, after = change.before, _with_queue_time(change.after)
    kept = replace(
        after,
        version=before.version + 1,
        targets=tuple(_next_version(target, before, after) for target in after.targets),
    )
    _writer_of(transaction, kept)(tables.posts, post_item(kept), unless_changed(before.version))
    _write_targets(transaction, tables, before, kept)
    write_times(transaction, tables, before, kept)
    _write_files(transaction, tables, before, kept)
    if kept.deleted_at is not None and before.deleted_at is None:
        _let_go(transaction, tables, before, kept)
    for event in change.events:
        transaction.put(tables.posts, event_item(kept.id, event))
    add_uses(transaction, tables, kept.workspace_id, change.uses)
    if len(transaction) > MOST_WRITES:
        raise InvalidInput(TOO_MUCH, loc=("body",))
    return kept


def _writer_of(transaction: Transaction, post: Post) -> Callable[..., None]:
    """Return a writer of a post's rows: attributes of a later release may contain texts."""
    return transaction.rewrite if post.deleted_at is None else transaction.put


def _write_files(transaction: Transaction, tables: Tables, before: Post, after: Post) -> None:
    """Replace the uses of the former files by those of the present ones, which must exist."""
    earlier, now = set(before.file_ids), after.file_ids
    for gone in sorted(earlier - set(now)):
        transaction.delete(tables.media, media_use_key(gone, after.id))
    for file_id in now:
        is_other = file_id not in earlier
        if is_other or _schedules(before, after):
            lacks = MediaNotFound() if is_other else FileRemoved()
            check_postable(transaction, tables, after, file_id, lacks)
        if is_other:
            use_file(transaction, tables, after, file_id)


def check_postable(
    transaction: Transaction, tables: Tables, post: Post, file_id: str, lacks: Exception
) -> None:
    """Require that the post's workspace can post the file."""
    postable = Expression("#list_workspace = :workspace", {"workspace": post.workspace_id})
    transaction.check(tables.media, media_key(file_id), postable, lacks)


def use_file(transaction: Transaction, tables: Tables, post: Post, file_id: str) -> None:
    """Keep that a post uses a file."""
    use = {**media_use_key(file_id, post.id), "workspace_id": post.workspace_id}
    transaction.put(tables.media, use)


def _with_queue_time(post: Post) -> Post:
    """Remove the queue time once no target is scheduled at it any more."""
    return post if post.queued_at in _times(post) else replace(post, queued_at=None)


def _next_version(target: Target, before: Post, after: Post) -> Target:
    """Return a target as it is kept: requests that were built from it before are out of date.

    A worker fires on exactly the version that it read, so all that a request is built from raises
    the version of every target that waits; and the row names its post's version, so that a reader
    that sees half of this transaction notices it.
    """
    is_retold = _is_scheduled(target) and _goes_out_as(before) != _goes_out_as(after)
    if before.target(target.id) == target and not is_retold:
        return target
    return replace(target, version=target.version + 1, post_version=before.version + 1)


def _goes_out_as(post: Post) -> tuple[object, ...]:
    return post.caption, post.attachment, post.approval


def _write_targets(transaction: Transaction, tables: Tables, before: Post, after: Post) -> None:
    for target in after.targets:
        earlier = before.target(target.id)
        item = target_item(after.id, after.workspace_id, target)
        if earlier is None:
            transaction.put(tables.posts, item, ABSENT)
        elif earlier != target:
            _writer_of(transaction, after)(tables.posts, item, unless_changed(earlier.version))
    for gone in before.targets:
        if after.target(gone.id) is None:
            key = target_key(after.id, gone.id)
            transaction.delete(tables.posts, key, unless_changed(gone.version))


def _times(post: Post) -> set[datetime]:
    times = (target.scheduled_at for target in post.targets if _is_scheduled(target))
    return {at for at in times if at is not None}


def write_times(transaction: Transaction, tables: Tables, before: Post, after: Post) -> None:
    """Mark the times at which the post is scheduled, and hold or release its queue time."""
    workspace = after.workspace_id
    for at in sorted(_times(after) - _times(before)):
        mark = {**taken_key(workspace, at, after.id), "expires_at": epoch(at + _MARK_LIFETIME)}
        transaction.put(tables.directory, mark)
    for at in sorted(_times(before) - _times(after)):
        transaction.delete(tables.directory, taken_key(workspace, at, after.id))
    if after.queued_at == before.queued_at:
        return
    if before.queued_at is not None:
        ours = Expression("attribute_not_exists(#pk) OR #post_id = :post", {"post": after.id})
        transaction.delete(tables.directory, queued_key(workspace, before.queued_at), ours)
    if after.queued_at is not None:
        until = epoch(after.queued_at + _MARK_LIFETIME)
        held = {**queued_key(workspace, after.queued_at), "post_id": after.id, "expires_at": until}
        transaction.put(tables.directory, held, ABSENT, QueueTimeTakenError())


def _schedules(before: Post, after: Post) -> bool:
    """Tell whether this change schedules a target."""
    due_before = {target.id: target.due_at for target in before.targets if _is_scheduled(target)}
    return any(
        _is_scheduled(target) and due_before.get(target.id) != target.due_at
        for target in after.targets
    )


def _is_scheduled(target: Target) -> bool:
    return target.status is TargetStatus.SCHEDULED


def _let_go(transaction: Transaction, tables: Tables, before: Post, post: Post) -> None:
    """Free what a deleted post holds: its Idempotency-Key, and its file unless still posting."""
    if before.idempotency_key is not None:
        ours = Expression("attribute_not_exists(#pk) OR #post_id = :post", {"post": post.id})
        key = idempotency_key(post.workspace_id, before.idempotency_key)
        transaction.delete(tables.posts, key, ours)
    for file_id in () if is_under_way(post) else post.file_ids:
        transaction.delete(tables.media, media_use_key(file_id, post.id))
