"""Copies a workspace's files, and its test accounts' posts, to the other side.

Files never change, so one that exists there in the same size is complete; nothing is copied twice.
"""

from collections.abc import Iterator

from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.services.operator.moving.side import Side
from chalicelib.storage.media.items import media_from
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.posts.items import target_from
from chalicelib.storage.sandbox import SandboxTable

_PIECE = 8 * 1024 * 1024


def copy_files(source: Side, target: Side, workspace_id: str) -> int:
    """Copy every file that is not there yet; return how many."""
    files = (
        media_from(kept.row) for kept in source.rows.rows.of(workspace_id) if kept.name == "file"
    )
    return sum(_copy_file(source.store, target.store, media) for media in files if media.url)


def _copy_file(source: S3MediaStore, target: S3MediaStore, media: Media) -> bool:
    key = file_key(media.workspace_id, media.id)
    if target.size(key) == media.size_bytes:
        return False
    writer = target.writer(key, media.mime)
    try:
        for offset in range(0, media.size_bytes, _PIECE):
            writer.write(source.read(key, offset, _PIECE))
        writer.finish()
    except BaseException:
        writer.abort()
        raise
    return True


def test_accounts(side: Side, workspace_id: str) -> frozenset[str]:
    """Return the ids of a workspace's test accounts, of those that are gone, too."""
    return frozenset(
        kept.row["sk"].partition("#")[2]
        for kept in side.rows.rows.of_people(workspace_id)
        if kept.kind.owner == "account" and kept.row.get("test")
    )


def copy_test_posts(source: Side, target: Side, workspace_id: str) -> int:
    """Copy what test accounts posted and is not there yet; return how many posts."""
    tests = test_accounts(source, workspace_id)
    copied = 0
    for kept in source.rows.rows.of(workspace_id):
        if kept.name == "target" and kept.row["account_id"] in tests:
            one = target_from(kept.row)
            entries = source.sandbox().find(one.account_id, one.id)
            copied += sum(_copy_entry(source.sandbox(), target.sandbox(), each) for each in entries)
    return copied


def _copy_entry(source: SandboxTable, target: SandboxTable, entry: SandboxEntry) -> bool:
    if target.get(entry.platform, entry.remote_id) is not None:
        return False
    for name in entry.files.values():
        pieces: Iterator[bytes] | None = source.read_file(name)
        if pieces is not None:
            target.keep_file(name, pieces)
    target.take(entry)
    return True
