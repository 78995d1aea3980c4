"""How a file's record and an unfinished upload become rows of the media table, and back.

`media` and `media_uploads` use it. Both kinds have the same key and differ in `state`; only a row
with `list_workspace` can be posted, and only one with `review_shard` is reviewed later.
"""

from datetime import datetime
from typing import Final

from chalicelib.domain.media.media import FileState, Media, UnfinishedUpload
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.records import Record
from chalicelib.storage.tables import STORED, media_key

_MEDIA: Final = Record(Media, apart=("id",), stored=STORED)
_UPLOAD: Final = Record(UnfinishedUpload, apart=("id",))
REVIEW_SHARDS = tuple(f"REVIEW#{shard}" for shard in range(4))


def review(media_id: str, at: datetime) -> Item:
    """Return the attributes that put a row on the review index; ids end in random bits."""
    shard = REVIEW_SHARDS[int(media_id[-4:], 16) % len(REVIEW_SHARDS)]
    return {"review_shard": shard, "review_at": stamp(at)}


NO_REVIEW: Final[Item] = {"review_shard": None, "review_at": None}
"""The attributes that take a row off the review index."""


def media_item(media: Media) -> Item:
    """Return the row of a file; without its file it is on no list."""
    return {
        **media_key(media.id),
        "state": FileState.READY,
        "workspace_id": media.workspace_id,
        "list_workspace": None if media.file_removed else media.workspace_id,
        **_MEDIA.item(media),
    }


def media_from(item: Item) -> Media:
    """Read the row of a file."""
    return _MEDIA.value(item, id=item["pk"])


def upload_item(upload: UnfinishedUpload) -> Item:
    """Return the row of an unfinished upload."""
    return {**media_key(upload.id), **_UPLOAD.item(upload)}


def upload_from(item: Item) -> UnfinishedUpload:
    """Read the row of an unfinished upload."""
    return _UPLOAD.value(item, id=item["pk"])
