"""How a file's record and an unfinished upload become rows of the media table, and back.

`media` and `media_uploads` use it. Both kinds stand under the same key, told apart by `state`; only
a row with `list_workspace` can be posted, and only one with `review_shard` is looked at later.
"""

from datetime import datetime

from chalicelib.domain.media.media import FileState, Media, UnfinishedUpload
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.dynamodb.items import Item, instant, stamp
from chalicelib.storage.dynamodb.tables import media_key

REVIEW_SHARDS = tuple(f"REVIEW#{shard}" for shard in range(4))


def review(media_id: str, at: datetime) -> Item:
    """Return the attributes that put a row on the review index; ids end in random bits."""
    shard = REVIEW_SHARDS[int(media_id[-4:], 16) % len(REVIEW_SHARDS)]
    return {"review_shard": shard, "review_at": stamp(at)}


def media_item(media: Media) -> Item:
    """Return the row of a file; without its file it is on no list."""
    return {
        **media_key(media.id),
        "state": FileState.READY.value,
        "workspace_id": media.workspace_id,
        "list_workspace": None if media.file_removed else media.workspace_id,
        "mime": media.mime.value,
        "filename": media.filename,
        "size_bytes": media.size_bytes,
        "width": media.width,
        "height": media.height,
        "created_at": stamp(media.created_at),
        "duration_ms": thousandths(media.duration_s),
        "fps_thousandths": thousandths(media.fps),
        "video_codec": media.video_codec,
        "audio_codec": media.audio_codec,
        "index_first": media.index_first,
        "has_edits": media.has_edits,
        "file_removed": media.file_removed,
    }


def media_from(item: Item) -> Media:
    """Read the row of a file."""
    return Media(
        id=item["pk"],
        workspace_id=item["workspace_id"],
        mime=MediaType(item["mime"]),
        filename=item["filename"],
        size_bytes=item["size_bytes"],
        width=item["width"],
        height=item["height"],
        created_at=instant(item["created_at"]),
        duration_s=whole(item.get("duration_ms")),
        fps=whole(item.get("fps_thousandths")),
        video_codec=item.get("video_codec"),
        audio_codec=item.get("audio_codec"),
        index_first=item["index_first"],
        has_edits=item["has_edits"],
        file_removed=item["file_removed"],
    )


def upload_item(upload: UnfinishedUpload) -> Item:
    """Return the row of an unfinished upload."""
    return {
        **media_key(upload.id),
        "state": upload.state.value,
        "workspace_id": upload.workspace_id,
        "filename": upload.filename,
        "size_bytes": upload.size_bytes,
        "created_at": stamp(upload.created_at),
        "code": upload.code,
        "message": upload.message,
        "source_url": upload.source_url,
        "reserved_bytes": upload.reserved_bytes,
        "storage_limit": upload.storage_limit,
        "token": upload.token,
    }


def upload_from(item: Item) -> UnfinishedUpload:
    """Read the row of an unfinished upload."""
    return UnfinishedUpload(
        id=item["pk"],
        workspace_id=item["workspace_id"],
        filename=item["filename"],
        state=FileState(item["state"]),
        size_bytes=item.get("size_bytes"),
        created_at=instant(item["created_at"]),
        code=item.get("code"),
        message=item.get("message"),
        source_url=item.get("source_url"),
        reserved_bytes=item.get("reserved_bytes", 0),
        storage_limit=item.get("storage_limit"),
        token=item.get("token"),
    )


def thousandths(number: float | None) -> int | None:
    """Keep a number to three decimals: DynamoDB takes no float."""
    return None if number is None else round(number * 1000)


def whole(kept: int | None) -> float | None:
    """Read what `thousandths` kept."""
    return None if kept is None else kept / 1000
