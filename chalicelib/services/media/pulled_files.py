"""The files that platforms fetch at our own door, each by an address that was made for it."""

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import PathNotFound
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.pull_links import PullLinks
from chalicelib.storage.media.store import S3MediaStore, owner_of
from chalicelib.storage.media.stored_file import StoredObject


@dataclass(frozen=True, slots=True, kw_only=True)
class PulledFile:
    """A file that may be read for some seconds more."""

    stored: StoredObject
    mime: str
    seconds_left: int
    is_for_people: bool = False

    @property
    def owner(self) -> str:
        """Return whose file it is."""
        return owner_of(self.stored.key)

    @property
    def size_bytes(self) -> int:
        """How large it is."""
        return self.stored.size_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PulledFiles:
    """What the addresses of `OwnDoor` lead to."""

    links: PullLinks
    store: S3MediaStore
    clock: Clock

    def open(self, token: str, filename: str) -> PulledFile:
        """Return what may be read. Raises PathNotFound, MediaUnreadableError."""
        link = self.links.find(token)
        now = self.clock()
        if link is None or link.filename != filename or link.expires_at <= now:
            raise PathNotFound
        stored = StoredObject(store=self.store, key=link.key, size_bytes=link.size_bytes)
        if not stored.is_there():
            raise PathNotFound
        return PulledFile(
            stored=stored,
            mime=link.mime,
            seconds_left=int((link.expires_at - now).total_seconds()),
            is_for_people=link.is_for_people,
        )
