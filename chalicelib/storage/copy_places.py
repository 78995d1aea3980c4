"""Where one copy of a file is read from and written to: ranges of S3 objects, never the disk.

Made for each copy by `workers/media/copy_making`. A copy becomes visible whole or not at all;
pieces of an unfinished one lie beside it, under its own key.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.media import Media
from chalicelib.domain.media_types import MediaType
from chalicelib.storage.media_source import MediaUnreadableError, StoredFile
from chalicelib.storage.media_store import S3MediaStore, file_key, prepared_key
from chalicelib.storage.seekable_objects import PatchableObject, SeekableObject


class CopyUnwritableError(Exception):
    """The copy could not be written to the bucket."""


@contextmanager
def _writable() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise CopyUnwritableError from error


class CopyPlaces:
    """The file, the copy and the pieces of one recipe."""

    def __init__(self, store: S3MediaStore, media: Media, recipe: str) -> None:
        self._store = store
        self._media = media
        self._key = prepared_key(media.workspace_id, media.id, recipe)

    def source(self) -> SeekableObject:
        """Return the file, from its beginning. Its reads raise MediaUnreadableError."""
        stored = StoredFile(
            store=self._store,
            key=file_key(self._media.workspace_id, self._media.id),
            mime=self._media.mime,
            filename=self._media.filename,
            size_bytes=self._media.size_bytes,
        )
        return SeekableObject(stored.read, self._media.size_bytes)

    def written(self, write: Callable[[PatchableObject], None]) -> int:
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

    def put(self, data: bytes, mime: MediaType) -> None:
        """Write a small copy at once. Raises CopyUnwritableError."""
        with _writable():
            self._store.put(self._key, data, mime)

    def read_copy(self, offset: int, length: int) -> bytes:
        """Return a range of the copy. Raises MediaUnreadableError."""
        try:
            return self._store.read(self._key, offset, length)
        except (BotoCoreError, ClientError) as error:
            raise MediaUnreadableError from error

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
        """Return how many are there, from the first on without a gap."""
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
        try:
            return self._store.whole(self._at(place))
        except (BotoCoreError, ClientError) as error:
            raise MediaUnreadableError from error

    def drop(self) -> None:
        """Remove them once the copy is whole; what a dead run left goes with the bucket's rule."""
        with _writable():
            self._store.delete_all(f"{self._key}/")

    def _at(self, place: int) -> str:
        return f"{self._key}/{place:04d}"
