"""Where one copy of a file is read from and written to: ranges of S3 objects, never the disk.

Made for each copy by `workers/media/converting`. A copy becomes visible whole or not at all;
pieces of an unfinished one lie beside it, under its own key.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.media.cleaning.patches import Patch
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.store import S3MediaStore, file_key, prepared_key
from chalicelib.storage.media.stored_file import StoredFile, readable, reason_of
from chalicelib.storage.media.writer import PART_BYTES, ObjectWriter


class PatchableObject:
    """Writes an object whose head can be changed until `finish`."""

    def __init__(self, writer: ObjectWriter) -> None:
        self._writer = writer
        self._writer.leave_room_for_head()
        self._head = bytearray()
        self._held = PART_BYTES
        self._at = 0
        self._end = 0

    @property
    def size(self) -> int:
        """Return how many bytes there are."""
        return self._end

    def hold(self, head_bytes: int) -> None:
        """Keep at least this much of the head changeable; called before the first write."""
        self._held = max(self._held, head_bytes)

    def write(self, data: bytes, /) -> int:
        """Write bytes at the position; after the head only at the end."""
        begin, self._at = self._at, self._at + len(data)
        within = data[: max(0, self._held - begin)]
        if within:
            missing = begin + len(within) - len(self._head)
            if missing > 0:
                self._head.extend(bytes(missing))
            self._head[begin : begin + len(within)] = within
        if len(within) < len(data):
            if max(begin, self._held) != max(self._end, self._held):
                raise ValueError("Only the head of an object can be written again.")
            self._writer.write(data[len(within) :])
        self._end = max(self._end, self._at)
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to a position."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._end}[whence]
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def finish(self) -> None:
        """Make the object visible, whole."""
        self._writer.finish(bytes(self._head))

    def abort(self) -> None:
        """Leave nothing behind."""
        self._writer.abort()


class CopyUnwritableError(Exception):
    """The copy could not be written to the bucket; its text says why."""


@contextmanager
def _writable() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise CopyUnwritableError(reason_of(error)) from error


class CopyPlaces:
    """The file, the copy and the pieces of one recipe."""

    def __init__(self, store: S3MediaStore, media: Media, recipe: str) -> None:
        self._store = store
        self._media = media
        self._key = prepared_key(media.workspace_id, media.id, recipe)

    def read(self, offset: int, length: int) -> bytes:
        """Return a range of the file, empty after its end. Raises MediaUnreadableError."""
        if offset >= self._media.size_bytes:
            return b""
        stored = StoredFile.of(self._media, self._store)
        return stored.read(offset, length)

    def write_copy(self, write: Callable[[PatchableObject], None]) -> int:
        """Write the copy, whole or not at all; return its size. Raises CopyUnwritableError."""
        with _writable():
            sink = PatchableObject(self._store.writer(self._key, MediaType.MP4))
            try:
                write(sink)
                sink.finish()
            except BaseException:
                sink.abort()
                raise
            return sink.size

    def write_patched(self, patches: Sequence[Patch], alive: Callable[[], None]) -> None:
        """Write the file as the copy, with these pieces changed. Raises CopyUnwritableError."""
        media = self._media
        source = file_key(media.workspace_id, media.id)
        with _writable():
            copy = self._store.patched_copy(
                source, self._key, media.mime, media.size_bytes, patches
            )
            copy.write(self.read, alive)

    def put(self, data: bytes, mime: MediaType) -> None:
        """Write a small copy at once. Raises CopyUnwritableError."""
        with _writable():
            self._store.put(self._key, data, mime)

    def read_copy(self, offset: int, length: int) -> bytes:
        """Return a range of the copy. Raises MediaUnreadableError."""
        with readable():
            return self._store.read(self._key, offset, length)

    def drop(self) -> None:
        """Delete the copy. Raises CopyUnwritableError."""
        with _writable():
            self._store.delete(self._key)
        self.pieces.drop()

    @property
    def pieces(self) -> "KeptPieces":
        """Return the pieces of the unfinished copy."""
        return KeptPieces(self._store, self._key)


class KeptPieces:
    """Finished pieces of a copy that is not whole yet: objects under its key, numbered."""

    def __init__(self, store: S3MediaStore, key: str) -> None:
        self._store = store
        self._key = key

    def count(self) -> int:
        """Return how many there are, from the first on without a gap.

        Raises MediaUnreadableError.
        """
        with readable():
            there = set(self._store.keys(f"{self._key}/"))
        place = 0
        while self._at(place) in there:
            place += 1
        return place

    def keep(self, place: int, piece: bytes) -> None:
        """Keep one. Raises CopyUnwritableError."""
        with _writable():
            self._store.put(self._at(place), piece, MediaType.MP4)

    def read(self, place: int) -> bytes:
        """Return one. Raises MediaUnreadableError."""
        with readable():
            return self._store.whole(self._at(place))

    def drop(self) -> None:
        """Remove them once the copy is whole; the bucket's rule deletes those of a dead run."""
        with _writable():
            self._store.delete_all(f"{self._key}/")

    def _at(self, place: int) -> str:
        return f"{self._key}/{place:04d}"
