"""Every row that belongs to one workspace, by the table of row kinds, from the first to the last.

Nothing is scanned: a row is found through the workspace, or through the post, file or key that it
belongs to. Their order: posts before files, and a file's uses before the file, so that no reader of
a half-copied workspace takes a file for unused.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chalicelib.domain.media.media import FileState
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Expression, Table, key_of, partition
from chalicelib.storage.owned_rows import TARGETS, linked_keys, partitions_of
from chalicelib.storage.posts.erasing import DeletedPosts
from chalicelib.storage.posts.items import post_from
from chalicelib.storage.row_kinds import ROW_KINDS, RowKind, Store
from chalicelib.storage.tables import (
    Key,
    Tables,
    workspace_pk,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row and its kind."""

    name: str
    row: Item

    @property
    def kind(self) -> RowKind:
        """Return its kind's declaration."""
        return ROW_KINDS[self.name]

    @property
    def key(self) -> Key:
        """Return the row's key."""
        return key_of(self.row)


class WorkspaceRows:
    """The rows of one deployment's tables, workspace by workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._posts = Table(client, tables.posts)
        self._directory = Table(client, tables.directory)
        self._media = Table(client, tables.media)
        self._deleted = DeletedPosts(client, tables)

    def of(self, workspace_id: str) -> Iterator[KeptRow]:
        """Yield every row of a workspace, as it is when it is reached."""
        yield from self.of_people(workspace_id)
        files: dict[str, None] = {}
        for post_id in self._post_ids(workspace_id):
            yield from self._of_post(workspace_id, post_id, files)
        for pk in partitions_of(workspace_id, Store.POSTS):
            yield from self._partition(Store.POSTS, self._posts, pk)
        for media_id in self._media_ids(workspace_id, files):
            yield from self._of_file(media_id)
        for pk in partitions_of(workspace_id, Store.MEDIA):
            yield from self._partition(Store.MEDIA, self._media, pk)

    def _of_post(
        self, workspace_id: str, post_id: str, files: dict[str, None]
    ) -> Iterator[KeptRow]:
        """Yield a post's rows and its marks; note the files that it uses."""
        rows = list(self._posts.rows(partition(post_id)))
        own = next((row for row in rows if row["sk"] == "POST"), None)
        if own is None or own["workspace_id"] != workspace_id:
            return
        post = post_from(own, *(row for row in rows if row["sk"].startswith(TARGETS)))
        for row in rows:
            yield KeptRow(_name(Store.POSTS, row), row)
        for key in (key for row in rows for key in linked_keys(workspace_id, row)):
            for kept in self._one(Store.POSTS, self._posts, key):
                if kept.row["post_id"] == post_id:
                    yield kept
        files.update(dict.fromkeys(post.file_ids))

    def of_people(self, workspace_id: str) -> Iterator[KeptRow]:
        """Yield the rows of the workspace's own partition, its keys, and its activity."""
        for kept in self._partition(Store.DIRECTORY, self._directory, workspace_pk(workspace_id)):
            yield kept
            for key in linked_keys(workspace_id, kept.row):
                yield from self._one(Store.DIRECTORY, self._directory, key)
        for pk in partitions_of(workspace_id, Store.DIRECTORY):
            yield from self._partition(Store.DIRECTORY, self._directory, pk)

    def _post_ids(self, workspace_id: str) -> Iterator[str]:
        """Yield the ids of the workspace's posts, and of all posts that are being erased."""
        listed = Expression("#list_workspace = :workspace", {"workspace": workspace_id})
        yield from (row["pk"] for row in self._posts.read_index("by_workspace", listed))
        yield from self._deleted.of_workspace(workspace_id)
        yield from self._deleted.list_unfinished()

    def _media_ids(self, workspace_id: str, used: dict[str, None]) -> Iterator[str]:
        """Yield the ids of files that posts use, removed ones too, and of those that can be."""
        yield from used
        listed = Expression("#list_workspace = :workspace", {"workspace": workspace_id})
        found = (row["pk"] for row in self._media.read_index("by_workspace", listed))
        yield from (media_id for media_id in found if media_id not in used)

    def _of_file(self, media_id: str) -> Iterator[KeptRow]:
        """Yield a file's uses and then its record; an upload that is no file yet has none."""
        rows = list(self._media.rows(partition(media_id)))
        own = next((row for row in rows if row["sk"] == "MEDIA"), None)
        if own is not None and own["state"] == FileState.READY:
            yield from (KeptRow(_name(Store.MEDIA, row), row) for row in reversed(rows))

    def _partition(self, store: Store, table: Table, pk: str) -> Iterator[KeptRow]:
        return (KeptRow(_name(store, row), row) for row in table.rows(partition(pk)))

    def _one(self, store: Store, table: Table, key: Key) -> Iterator[KeptRow]:
        row = table.get(key)
        if row is not None:
            yield KeptRow(_name(store, row), row)


def _name(store: Store, row: Item) -> str:
    """Return the name of a row's kind. Raises LookupError: no row may be silently left behind."""
    for name, kind in ROW_KINDS.items():
        if kind.fits(store, row["pk"], row["sk"]):
            return name
    raise LookupError(f"A row of no kind: {row['pk']} {row['sk']}")
