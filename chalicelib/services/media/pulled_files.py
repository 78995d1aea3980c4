"""Files as platforms fetch them: what an address opens, while it does and the file is there.

`api/pulling` asks for every GET and HEAD. An address that is unknown, over or without its file is
the same as none, so that nobody learns anything by trying.
"""

from dataclasses import dataclass

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import PathNotFound
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.source import PullLinks, StoredFile
from chalicelib.storage.media.store import S3MediaStore


@dataclass(frozen=True, slots=True, kw_only=True)
class PulledFile:
    """A file that may be read for some seconds more."""

    stored: StoredFile
    seconds_left: int

    @property
    def mime(self) -> MediaType:
        """What kind of file it is."""
        return self.stored.mime

    @property
    def size_bytes(self) -> int:
        """How large it is."""
        return self.stored.size_bytes


class PulledFiles:
    """What the addresses of `OwnDoor` lead to."""

    def __init__(self, *, links: PullLinks, store: S3MediaStore, clock: Clock) -> None:
        self._links = links
        self._store = store
        self._clock = clock

    def open(self, token: str, filename: str) -> PulledFile:
        """Return what may be read. Raises PathNotFound, MediaUnreadableError."""
        link = self._links.find(token)
        now = self._clock()
        if link is None or link.filename != filename or link.expires_at <= now:
            raise PathNotFound
        stored = StoredFile(
            store=self._store,
            key=link.key,
            mime=link.mime,
            filename=link.filename,
            size_bytes=link.size_bytes,
        )
        if not stored.is_there():
            raise PathNotFound
        return PulledFile(stored=stored, seconds_left=int((link.expires_at - now).total_seconds()))
