"""Records of uploaded files, and which posts use them.

A file that can be posted carries `list_workspace`; the transaction that makes a post requires it
and adds a `USE#<post id>` row. Removal deletes the attribute first and then reads the uses, so a
post made meanwhile is either found here or refused there.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import NEWEST_LISTED, FileState, Media
from chalicelib.domain.media.query import MediaPage, MediaQuery
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.table import (
    BatchRead,
    Expression,
    Table,
    name_of,
    partition,
    setting,
)
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.media.items import NO_REVIEW, REVIEW_SHARDS, media_from, review
from chalicelib.storage.tables import Tables, media_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST_EXAMINED, MOST_ASKED_FOR_USES = 500, 100
_CHUNK = 100
_NEWEST = "g"
_READY = Expression("#state = :ready", {"ready": FileState.READY.value})
_REMOVED_OR_GONE = Expression("attribute_not_exists(#pk) OR #file_removed = :yes", {"yes": True})


class MediaRepository:
    """Files of all workspaces; every method that a request reaches names the workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.media)
        self._name = tables.media
        self._batch = BatchRead(client)

    def get(self, workspace_id: str, media_id: str) -> Media:
        """Return a file of the workspace. Raises MediaNotFound, also before it is ready."""
        media = self.find(media_id) if is_id(media_id) else None
        if media is None or media.workspace_id != workspace_id:
            raise MediaNotFound
        return media

    def find(self, media_id: str) -> Media | None:
        """Return a file of any workspace, removed or not, as it is now."""
        item = self._table.get(media_key(media_id)) or {}
        return media_from(item) if item.get("state") == FileState.READY else None

    def list_newest(self, workspace_id: str, most: int = NEWEST_LISTED) -> Sequence[Media]:
        """Return the workspace's newest files that can still be posted, newest first."""
        return list(self._read(list(islice(self._newest_ids(workspace_id, most=most), most))))

    def find_page(self, workspace_id: str, query: MediaQuery) -> MediaPage:
        """Return the files that fit, newest first, at most `query.limit` of them.

        A page ends early once `MOST_EXAMINED` files were examined, or `MOST_ASKED_FOR_USES` if uses
        must be read for each; the cursor continues there.
        """
        most = MOST_EXAMINED if query.is_used is None else MOST_ASKED_FOR_USES
        found: list[Media] = []
        last_seen: str | None = None
        examined = 0
        for ids, files in self._looked_through(workspace_id, query, most):
            for media, fits in self._judge_all(files, query):
                if fits and len(found) == query.limit:
                    return MediaPage(files=tuple(found), cursor=last_seen)
                last_seen = media.id
                found += [media] * fits
            examined += len(ids)
            if examined >= most:
                return MediaPage(files=tuple(found), cursor=ids[-1])
        return MediaPage(files=tuple(found), cursor=None)

    def _looked_through(
        self, workspace_id: str, query: MediaQuery, most: int
    ) -> Iterator[tuple[Sequence[str], Sequence[Media]]]:
        """Yield ids by the hundred, with those of their files that can still be posted.

        If filters may leave out most files and the first hundred does not suffice, all the others
        of the page are read at once; without filters only the page's own files are read.
        """
        before, count = query.cursor or _NEWEST, _CHUNK if query.is_narrowed else query.limit + 1
        left = most
        while left > 0:
            count = min(count, left)
            rows = self._newest_ids(workspace_id, before=before, most=count)
            ids = list(islice(rows, count))
            chunks = [ids[place : place + _CHUNK] for place in range(0, len(ids), _CHUNK)]
            with HelpedPool(max(len(chunks), 1), name="files") as threads:
                yield from zip(chunks, threads.map(self._read_all, chunks), strict=True)
            left -= len(ids)
            if len(ids) < count:
                return
            before, count = ids[-1], left if query.is_narrowed else query.limit + 1

    def _judge_all(self, files: Sequence[Media], query: MediaQuery) -> list[tuple[Media, bool]]:
        """Return files, each with whether it fits as it is now."""
        likely = [media for media in files if query.fits(media)]
        if query.is_used is None or not likely:
            fitting = {media.id for media in likely}
        else:
            with HelpedPool(len(likely), name="uses") as threads:
                used = threads.map(lambda media: self._is_used(media.id), likely)
                pairs = zip(likely, used, strict=True)
                fitting = {media.id for media, is_used in pairs if is_used is query.is_used}
        return [(media, media.id in fitting) for media in files]

    def _newest_ids(self, workspace_id: str, *, before: str = _NEWEST, most: int) -> Iterator[str]:
        condition = Expression(
            "#list_workspace = :workspace AND #pk < :before",
            {"workspace": workspace_id, "before": before},
        )
        rows = self._table.read_index(
            "by_workspace", condition, is_newest_first=True, page_size=most
        )
        return (row["pk"] for row in rows)

    def _read_all(self, media_ids: Sequence[str]) -> list[Media]:
        return list(self._read(media_ids))

    def _read(self, media_ids: Sequence[str]) -> Iterator[Media]:
        """Yield the files that can still be posted, in the order of their ids."""
        keys = [media_key(media_id) for media_id in media_ids]
        rows = self._batch.read([(self._name, key) for key in keys]) if keys else {}
        items = (rows[name_of(key)] for key in keys if name_of(key) in rows)
        return (media_from(item) for item in items if "list_workspace" in item)

    def _is_used(self, media_id: str) -> bool:
        last = self._table.newest(media_id, "USE#~", 1)
        return bool(last) and str(last[0]["sk"]).startswith("USE#")

    def mark_removed(self, media_id: str, *, review_at: datetime) -> None:
        """Remove the file from every list, so that no post can begin to use it.

        If this stops half way, the review finishes the removal. Raises MediaNotFound.
        """
        removed = {"file_removed": True, "list_workspace": None}
        self._set(media_id, {**removed, **review(media_id, review_at)})

    def describe(self, media: Media) -> None:
        """Keep a file's name and alt text. Raises MediaNotFound."""
        self._set(media.id, {"filename": media.filename, "alt_text": media.alt_text})

    def put_back(self, media: Media, *, marked_for: datetime, review_at: datetime) -> None:
        """Put a file that was marked, but must stay, on its list again.

        One that somebody else removes meanwhile, with another review, stays removed.
        """
        listed = {"file_removed": False, "list_workspace": media.workspace_id}
        same = Expression("#review_at = :marked_for", {"marked_for": stamp(marked_for)})
        back = setting({**listed, **review(media.id, review_at)})
        self._table.update(media_key(media.id), back, same)

    def users(self, media_id: str) -> Sequence[str]:
        """Return the ids of the posts that use a file, as they are now."""
        uses = self._table.rows(partition(media_id, "USE#"))
        return [row["sk"].removeprefix("USE#") for row in uses]

    def keep_as_removed(self, media_id: str) -> None:
        """Keep the record of a removed file for good; there is nothing left to review."""
        self._set(media_id, NO_REVIEW)

    def forget(self, media_id: str) -> None:
        """Delete the record of a removed file that no post uses. Raises StaleWriteError."""
        if not self._table.delete(media_key(media_id), _REMOVED_OR_GONE):
            raise StaleWriteError

    def review_again(self, media_id: str, at: datetime) -> None:
        """Postpone a file's next review."""
        self._set(media_id, review(media_id, at))

    def due_for_review(self, until: datetime) -> Iterator[str]:
        """Yield the ids of rows whose review is due, unfinished uploads too."""
        for shard in REVIEW_SHARDS:
            due = Expression(
                "#review_shard = :shard AND #review_at <= :until",
                {"shard": shard, "until": stamp(until)},
            )
            yield from (row["pk"] for row in self._table.read_index("by_review", due))

    def _set(self, media_id: str, changed: Item) -> None:
        if not self._table.update(media_key(media_id), setting(changed), _READY):
            raise MediaNotFound
