"""A stored file as connectors read it: in ranges, at constant memory, or by a link of its own.

The worker hands one to a connector with each publication; connectors never see S3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.media_types import MediaType
from chalicelib.storage.media_store import S3MediaStore

_PIECE = 1_048_576


class MediaUnreadableError(Exception):
    """The file could not be read from the bucket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """One object of the media bucket. `reachable` tells that platforms can open its links."""

    store: S3MediaStore
    key: str
    mime: MediaType
    filename: str
    reachable: bool

    def read(self, offset: int, length: int) -> bytes:
        """Return bytes from `offset` on. Raises MediaUnreadableError."""
        try:
            return self.store.read(self.key, offset, length)
        except (BotoCoreError, ClientError) as error:
            raise MediaUnreadableError from error

    def stream(self, offset: int = 0) -> Iterator[bytes]:
        """Yield the bytes from `offset` to the end. Raises MediaUnreadableError."""
        while piece := self.read(offset, _PIECE):
            yield piece
            offset += len(piece)

    def public_url(self, lifetime: timedelta) -> str | None:
        """Return a link that works for that long, or None where the world cannot open it."""
        if not self.reachable:
            return None
        return self.store.link(self.key, mime=self.mime, filename=self.filename, lifetime=lifetime)
