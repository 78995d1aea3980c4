"""A workspace's files, raw: their rows, those of their copies, and every object in the bucket."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.table import Expression, Table, key_of, partition
from chalicelib.storage.media.store import (
    S3MediaStore,
    export_key,
    file_key,
    incoming_key,
    prepared_prefix,
)
from chalicelib.storage.tables import Tables, media_key, prepared_row_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class FileRemains:
    """Files, uploads, copies and the marks of posts that use them."""

    def __init__(self, client: "DynamoDBClient", tables: Tables, store: S3MediaStore) -> None:
        self._table = Table(client, tables.media)
        self._store = store

    def list_ids(self, workspace_id: str) -> Iterator[str]:
        """Yield the ids of the files that can be posted."""
        keys = Expression("#list_workspace = :workspace", {"workspace": workspace_id})
        return (str(row["pk"]) for row in self._table.read_index("by_workspace", keys))

    def erase(self, media_id: str) -> bool:
        """Delete every row of a file, its own last; tell whether there was one."""
        own = media_key(media_id)
        for pk in (prepared_row_key(media_id, "")["pk"], media_id):
            for row in list(self._table.rows(partition(pk))):
                key = key_of(row)
                if key != own:
                    self._table.delete(key)
        return self._table.take(own) is not None

    def erase_objects(self, workspace_id: str) -> None:
        """Delete every object of a workspace, and end its uploads."""
        for key in (file_key, incoming_key, export_key):
            self._store.empty(key(workspace_id, ""))
        self._store.empty(prepared_prefix(workspace_id))
