"""A workspace's posts, raw: whether one may still be sent, and erasing whole partitions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Expression, Table, key_of, partition
from chalicelib.storage.owned_rows import TARGETS, linked_keys
from chalicelib.storage.tables import (
    Tables,
    list_statuses,
    lists_deleted,
    post_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_A_PAGE: Final = 10
_MAY_GO_OUT: Final = frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING})
_IN_MOTION: Final = frozenset({TargetStatus.SCHEDULED.value, TargetStatus.PUBLISHING.value})


class PostRemains:
    """Posts, targets, history and marks."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.posts)

    def has_motion(self, workspace_id: str) -> bool:
        """Tell whether any target is scheduled or being sent; the search ends at the first."""
        lists = (*list_statuses(workspace_id, _MAY_GO_OUT), *_being_posted(workspace_id))
        listed = (pk for name in lists for pk in self._list_keys("list_status", name, _A_PAGE))
        return any(
            row.get("status") in _IN_MOTION
            for post_id in listed
            for row in self._table.rows(partition(post_id, TARGETS))
        )

    def list_ids(self, workspace_id: str) -> Iterator[str]:
        """Yield the ids of all listed posts, deleted ones too; some twice."""
        yield from self._list_keys("list_workspace", workspace_id)
        every = list_statuses(workspace_id, frozenset(PostStatus))
        for name in (*lists_deleted(workspace_id), *every, *_being_posted(workspace_id)):
            yield from self._list_keys("list_status", name)

    def _list_keys(self, attribute: str, value: str, page: int | None = None) -> Iterator[str]:
        index = "by_workspace" if attribute == "list_workspace" else "by_status"
        keys = Expression(f"#{attribute} = :value", {"value": value})
        return (str(row["pk"]) for row in self._table.read_index(index, keys, page_size=page))

    def erase(self, workspace_id: str, post_id: str) -> bool:
        """Delete a post with all rows found through it, its own last; tell if it existed."""
        rows = list(self._table.rows(partition(post_id)))
        for row in rows:
            self._erase_marks(workspace_id, row)
        own = post_key(post_id)
        for row in rows:
            if key_of(row) != own:
                self._table.delete(key_of(row))
        return self._table.take(own) is not None

    def _erase_marks(self, workspace_id: str, row: Item) -> None:
        same = Expression("attribute_not_exists(#post_id) OR #post_id = :post", {"post": row["pk"]})
        for key in linked_keys(workspace_id, row):
            self._table.delete(key, same)


def _being_posted(workspace_id: str) -> list[str]:
    return list_statuses(workspace_id, frozenset({PostStatus.PUBLISHING}))
