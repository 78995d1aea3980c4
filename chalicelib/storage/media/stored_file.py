"""A stored file as connectors read it: in ranges, at constant memory, or by an address of its own.

The worker hands one to a connector with each publication; connectors never see S3.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from datetime import timedelta
from typing import Protocol

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.store import S3MediaStore, file_key

_PIECE = 1_048_576


class MediaUnreadableError(Exception):
    """The file could not be read from the bucket; its text says why."""


@contextmanager
def readable() -> Iterator[None]:
    """Raise MediaUnreadableError for every failure of the bucket within the block."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise MediaUnreadableError(reason_of(error)) from error


def reason_of(error: BotoCoreError | ClientError) -> str:
    """Return S3's error code, or the kind of failure: the error's text may have a signed link."""
    if isinstance(error, ClientError):
        return str(error.response["Error"]["Code"])
    return type(error).__name__


class Addresses(Protocol):
    """Makes addresses at which platforms fetch files."""

    def address_of(self, stored: "StoredFile", lifetime: timedelta) -> str:
        """Return an address of the file that works for that long."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredObject:
    """One object of the media bucket, of whatever type."""

    store: S3MediaStore
    key: str
    size_bytes: int

    def read(self, offset: int, length: int) -> bytes:
        """Return bytes from `offset` on. Raises MediaUnreadableError."""
        with readable():
            return self.store.read(self.key, offset, length)

    def stream(self, offset: int = 0) -> Iterator[bytes]:
        """Yield the bytes from `offset` to the end. Raises MediaUnreadableError."""
        while piece := self.read(offset, _PIECE):
            yield piece
            offset += len(piece)

    def is_there(self) -> bool:
        """Tell whether the object is there and as large as it was. Raises MediaUnreadableError."""
        with readable():
            return self.store.size(self.key) == self.size_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile(StoredObject):
    """A file. Without `addresses` no public address can be made."""

    mime: MediaType
    filename: str
    addresses: Addresses | None = None
    # One run uses one address: connectors ask at their start and again at the step.
    _given: dict[timedelta, str] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, media: Media, store: S3MediaStore) -> "StoredFile":
        """Return the file of a record, which platforms get no address of."""
        return cls(
            store=store,
            key=file_key(media.workspace_id, media.id),
            mime=media.mime,
            filename=media.filename,
            size_bytes=media.size_bytes,
        )

    def public_url(self, lifetime: timedelta) -> str | None:
        """Return an address that works for that long, or None if no public one can be made."""
        if self.addresses is None:
            return None
        if lifetime not in self._given:
            self._given[lifetime] = self.addresses.address_of(self, lifetime)
        return self._given[lifetime]
