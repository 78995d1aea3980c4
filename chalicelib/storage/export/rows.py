"""A workspace's rows in an order that can be continued: source by source, key by key."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Expression, Table, partition
from chalicelib.storage.row_kinds import Store
from chalicelib.storage.tables import Tables, analytics_pk, media_key, workspace_pk
from chalicelib.storage.workspace.activity import activity_pk

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class Source(StrEnum):
    """The sources of rows, in their order."""

    DIRECTORY = "directory"
    ACTIVITY = "activity"
    RESULTS = "results"
    POSTS = "posts"
    FILES = "files"


@dataclass(frozen=True, slots=True)
class Found:
    """The rows under one key, and the key after which to continue."""

    store: Store
    rows: tuple[Item, ...]
    after: str


class ExportRows:
    """The rows of any workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._posts = Table(client, tables.posts)
        self._directory = Table(client, tables.directory)
        self._media = Table(client, tables.media)

    def after(self, workspace_id: str, source: Source, after: str) -> Iterator[Found]:
        """Yield a source's rows after a key; the empty key is before all."""
        match source:
            case Source.DIRECTORY:
                return self._of(self._directory, Store.DIRECTORY, workspace_pk(workspace_id), after)
            case Source.ACTIVITY:
                return self._of(self._directory, Store.DIRECTORY, activity_pk(workspace_id), after)
            case Source.RESULTS:
                return self._of(self._posts, Store.POSTS, analytics_pk(workspace_id), after)
            case Source.POSTS:
                return self._whole_posts(workspace_id, after)
            case Source.FILES:
                return self._files(workspace_id, after)

    def _of(self, table: Table, store: Store, pk: str, after: str) -> Iterator[Found]:
        keys = Expression("#pk = :pk AND #sk > :after", {"pk": pk, "after": after or " "})
        return (Found(store, (row,), str(row["sk"])) for row in table.rows(keys))

    def _whole_posts(self, workspace_id: str, after: str) -> Iterator[Found]:
        for post_id in self._list_keys(self._posts, workspace_id, after):
            yield Found(Store.POSTS, tuple(self._posts.rows(partition(post_id))), post_id)

    def _files(self, workspace_id: str, after: str) -> Iterator[Found]:
        for media_id in self._list_keys(self._media, workspace_id, after):
            row = self._media.get(media_key(media_id))
            if row is not None:
                yield Found(Store.MEDIA, (row,), media_id)

    def _list_keys(self, table: Table, workspace_id: str, after: str) -> Iterator[str]:
        keys = Expression(
            "#list_workspace = :workspace AND #pk > :after",
            {"workspace": workspace_id, "after": after or " "},
        )
        return (str(row["pk"]) for row in table.read_index("by_workspace", keys))
