"""Erases the texts of deleted posts: finds the posts, and rewrites their history and marks.

A deleted post is on a list of the status index until none of its rows has texts or names any more,
and on its workspace's list of deleted posts from then on: after any interruption it is found again.
`services/posts/erasures` decides when; every step here is safe to repeat.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from chalicelib.domain.posts.erasing import (
    attempt_without_words,
    event_without_names,
    target_without_words,
)
from chalicelib.domain.posts.history import History
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dynamodb.items import Item, pack, unpack
from chalicelib.kit.dynamodb.table import BatchRead, Expression, Table, key_of, setting
from chalicelib.kit.dynamodb.transaction import MOST_WRITES, StaleWriteError, Transaction
from chalicelib.storage.posts.items import attempt_item, event_item, target_from, target_item
from chalicelib.storage.tables import (
    ERASING_LISTS,
    Tables,
    list_deleted,
    list_erasing,
    lists_deleted,
    post_key,
    remote_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


_AT_ONCE = MOST_WRITES - 1


class DeletedPosts:
    """The deleted posts of all workspaces."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._table = Table(client, tables.posts)

    def list_unfinished(self) -> Iterator[str]:
        """Yield the ids of deleted posts that may still have texts, of every workspace."""
        return self._list_keys(ERASING_LISTS)

    def of_workspace(self, workspace_id: str) -> Iterator[str]:
        """Yield the ids of a workspace's deleted posts whose texts are erased."""
        return self._list_keys(lists_deleted(workspace_id))

    def _list_keys(self, partitions: Sequence[str]) -> Iterator[str]:
        for one in partitions:
            keys = Expression("#list_status = :list", {"list": one})
            yield from (row["pk"] for row in self._table.read_index("by_status", keys))

    def erase_history(self, post: Post, history: History) -> None:
        """Remove names and texts from the history of an erased post, and complete its erasing.

        Raises StaleWriteError when the post changed meanwhile.
        """
        self._erase_marks(post, history)
        rows = [*_rows_with_names(post, history)]
        while len(rows) > _AT_ONCE:
            transaction = Transaction(self._client)
            self._put(transaction, rows[:_AT_ONCE])
            transaction.commit()
            rows = rows[_AT_ONCE:]
        transaction = Transaction(self._client)
        self._put(transaction, rows)
        transaction.update(
            self._tables.posts,
            post_key(post.id),
            setting({"list_status": list_deleted(post.workspace_id, post.id)}),
            Expression(
                "#version = :version AND #list_status IN (:erasing, :deleted)",
                {
                    "version": post.version,
                    "erasing": list_erasing(post.id),
                    "deleted": list_deleted(post.workspace_id, post.id),
                },
            ),
        )
        transaction.commit()

    def _put(self, transaction: Transaction, rows: Sequence[Item]) -> None:
        for row in rows:
            transaction.put(self._tables.posts, row)

    def _erase_marks(self, post: Post, history: History) -> None:
        """Remove texts from the marks of live posts that were found, in case they are another's."""
        found = {one.target_id for one in history.attempts if one.ok and one.found is not None}
        keys = [
            remote_key(target.platform, target.remote_id)
            for target in post.targets
            if target.id in found and target.remote_id is not None
        ]
        rows = BatchRead(self._client).read([(self._tables.posts, key) for key in keys])
        for row in rows.values():
            doubted = unpack(row.get("doubted"))
            if doubted is None or row["post_id"] != post.id:
                continue
            bare = target_without_words(target_from(doubted))
            kept = pack(target_item(post.id, post.workspace_id, bare))
            same = Expression("#doubted = :before", {"before": row["doubted"]})
            change = Expression("SET #doubted = :kept", {"kept": kept})
            if not self._table.update(key_of(row), change, same):
                raise StaleWriteError


def _rows_with_names(post: Post, history: History) -> Iterator[Item]:
    """Yield the rows of a history that must change."""
    for event in history.events:
        if (bare := event_without_names(event)) != event:
            yield event_item(post.id, bare)
    for attempt in history.attempts:
        if (left := attempt_without_words(attempt)) != attempt:
            yield attempt_item(post.id, left)
