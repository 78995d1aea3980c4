"""One file on its way in: sniffed at its first bytes, streamed to S3, probed, and only then a file.

`MediaLibrary.open_upload` hands it to both doors (`front`, and the Chalice route for what fits);
`DirectUploads.open_arriving` hands out the plainer one, of a file that is probed once it is in.
Whoever holds either calls `finish` or `abort`; should the process die, retention cleans up.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import FileMissing, FileTooLarge, PlanLimit, UnsupportedMedia
from chalicelib.domain.media.media import (
    KEPT_AFTER_DONE,
    LARGEST_FILE_BYTES,
    FileState,
    Media,
    Probed,
    UnfinishedUpload,
)
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.types import SNIFF_BYTES, refusal_sentence, sniff
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.workspace.plans import storage_message
from chalicelib.services.repeats import Marking, no_mark
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.media.uploads import MediaUploads, StorageFullError
from chalicelib.storage.media.writer import ObjectWriter

GIVEN_UP_AFTER = timedelta(days=1)
"""As long as the bucket keeps the parts of an unfinished upload (`infra/resources.json`)."""

_HEAD_BYTES = 256 * 1024


class Upload:
    """Takes one file's bytes, in pieces of any size, from one caller at a time."""

    def __init__(
        self,
        upload: UnfinishedUpload,
        *,
        uploads: MediaUploads,
        store: S3MediaStore,
        clock: Clock,
    ) -> None:
        self._upload = upload
        self._uploads = uploads
        self._store = store
        self._clock = clock
        self._key = file_key(upload.workspace_id, upload.id)
        self._head = bytearray()
        self._size = 0
        self._writer: ObjectWriter | None = None
        self._stored = False

    def has_room(self, size_bytes: int) -> bool:
        """Tell whether writing so many bytes only buffers them, without waiting for storage."""
        return self._writer is not None and self._writer.has_room(size_bytes)

    def write_all(self, pieces: Iterable[bytes | bytearray]) -> None:
        """Take more bytes, in order; raises what `write` does."""
        for piece in pieces:
            self.write(piece)

    def write(self, data: bytes | bytearray) -> None:
        """Take more bytes.

        Raises FileTooLarge beyond 1 GB, UnsupportedMedia once the first bytes show no type we take,
        PlanLimit when the workspace has no room for what was announced.
        """
        self._size += len(data)
        if self._size > LARGEST_FILE_BYTES:
            raise FileTooLarge
        if len(self._head) < _HEAD_BYTES:
            self._head += data[: _HEAD_BYTES - len(self._head)]
        if self._writer is not None:
            self._writer.write(data)
        elif self._size >= SNIFF_BYTES:
            self._begin(data)

    def finish(self, mark: Marking = no_mark) -> Media:
        """Make the file one that can be posted; may be called again after KeyTakenError.

        Raises UnsupportedMedia when it cannot be read, PlanLimit when there is no room for it,
        KeyTakenError of the mark.
        """
        if not self._stored:
            writer = self._writer or self._begin(b"")
            writer.finish()
            self._stored = True
        media = as_media(self._upload, probe(self._read, self._size), self._size)
        with storage_told(self._uploads, self._upload):
            self._uploads.complete(
                media, self._upload, review_at=first_review(media), mark=mark(media.id)
            )
        return media

    def abort(self) -> None:
        """Leave nothing behind; a file whose record was kept stays, though the answer was lost."""
        if self._writer is None:
            return
        self._writer.abort()
        if self._stored:
            found = self._uploads.find(self._upload.id)
            if found is not None and found.state is FileState.READY:
                return
            self._store.delete(self._key)
        self._uploads.forget(self._upload)

    def _begin(self, data: bytes | bytearray) -> ObjectWriter:
        """Start storing, with what was held back for sniffing."""
        head = bytes(self._head[:SNIFF_BYTES])
        mime = sniff(head)
        if mime is None:
            raise UnsupportedMedia(refusal_sentence(head))
        with storage_told(self._uploads, self._upload):
            self._uploads.begin(self._upload, review_at=self._clock() + GIVEN_UP_AFTER)
        self._writer = self._store.writer(self._key, mime)
        held_back = self._size - len(data)
        self._writer.write(bytes(self._head[:held_back]))
        self._writer.write(data)
        return self._writer

    def _read(self, offset: int, length: int) -> bytes:
        """Read a range of what was stored; its beginning is still at hand."""
        end = min(offset + length, self._size)
        if end <= len(self._head):
            return bytes(self._head[offset:end])
        return self._store.read(self._key, offset, length)


class ArrivingFile:
    """Takes the bytes of an upload at our own door, exactly as many as were announced."""

    def __init__(self, writer: ObjectWriter, announced_bytes: int) -> None:
        self._writer = writer
        self._announced = announced_bytes
        self._size = 0

    def has_room(self, size_bytes: int) -> bool:
        """Tell whether writing so many bytes only buffers them, without waiting for storage."""
        return self._writer.has_room(size_bytes)

    def write_all(self, pieces: Iterable[bytes | bytearray]) -> None:
        """Take more bytes, in order. Raises FileMissing beyond what was announced."""
        for piece in pieces:
            self._size += len(piece)
            if self._size > self._announced:
                raise FileMissing(wrong_size(self._announced))
            self._writer.write(piece)

    def finish(self) -> None:
        """Make the file visible, whole, to what finishes uploads. Raises FileMissing."""
        if self._size != self._announced:
            raise FileMissing(wrong_size(self._announced))
        self._writer.finish()

    def abort(self) -> None:
        """Leave nothing behind."""
        self._writer.abort()


def wrong_size(announced_bytes: int) -> str:
    """Return what to do about a file that is not as large as was announced."""
    return (
        f"This upload was announced with {announced_bytes:,} bytes. "
        "Send exactly that many, or start a new upload."
    )


@contextmanager
def storage_told(uploads: MediaUploads, upload: UnfinishedUpload) -> Iterator[None]:
    """Say what there is no room for, how much there is and which plan has more."""
    try:
        yield
    except StorageFullError as full:
        used = uploads.used_bytes(upload.workspace_id)
        raise PlanLimit(storage_message(upload.storage_limit or 0, used, full.more)) from full


def as_media(upload: UnfinishedUpload, probed: Probed, size_bytes: int) -> Media:
    """Return the file that a probed upload has become."""
    return Media(
        id=upload.id,
        workspace_id=upload.workspace_id,
        filename=upload.filename,
        created_at=upload.created_at,
        size_bytes=size_bytes,
        mime=probed.mime,
        width=probed.width,
        height=probed.height,
        duration_s=probed.duration_s,
        video_codec=probed.video_codec,
        audio_codec=probed.audio_codec,
        fps=probed.fps,
        index_first=probed.index_first,
        has_edits=probed.has_edits,
        is_clean=probed.is_clean,
        coding=probed.coding,
        for_print=probed.for_print,
        is_animated=probed.is_animated,
    )


def first_review(media: Media) -> datetime | None:
    """Return when retention first looks at a file; photos stay for good.

    A file leaves 90 days after its posts are done, so a look every 90 days is never too late.
    """
    return media.created_at + KEPT_AFTER_DONE if media.kind is MediaKind.VIDEO else None
