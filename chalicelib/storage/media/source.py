"""A stored file as connectors read it: in ranges, at constant memory, or by an address of its own.

The worker hands one to a connector with each publication; connectors never see S3. An address leads
to our own door, or is a presigned link: `bootstrap` chooses one way. The door answers HEAD, lasts
as long as it says and stands under the operator's own domain. A presigned link does none of this:
it ends with the credentials that signed it, and is there for deployments without a front
(docs/adr/0009).
"""

import re
import secrets
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.dynamodb.items import attributes, plain
from chalicelib.storage.dynamodb.records import WHOLE_SECOND, Record
from chalicelib.storage.dynamodb.tables import Tables, pull_key
from chalicelib.storage.media.store import S3MediaStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


_PIECE = 1_048_576


class MediaUnreadableError(Exception):
    """The file could not be read from the bucket."""


class Addresses(Protocol):
    """A way for platforms to get at files by themselves."""

    def address_of(self, stored: "StoredFile", lifetime: timedelta) -> str:
        """Return an address of the file that works for that long."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """One object of the media bucket. Without `addresses` the world cannot open it."""

    store: S3MediaStore
    key: str
    mime: MediaType
    filename: str
    size_bytes: int
    addresses: Addresses | None = None
    # One address serves all of a run: connectors ask at their start and again at the step.
    _given: dict[timedelta, str] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

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

    def is_there(self) -> bool:
        """Tell whether the object is there and as large as it was. Raises MediaUnreadableError."""
        try:
            return self.store.size(self.key) == self.size_bytes
        except (BotoCoreError, ClientError) as error:
            raise MediaUnreadableError from error

    def public_url(self, lifetime: timedelta) -> str | None:
        """Return an address that works for that long, or None where the world cannot open it."""
        if self.addresses is None:
            return None
        if lifetime not in self._given:
            self._given[lifetime] = self.addresses.address_of(self, lifetime)
        return self._given[lifetime]


_TOKEN_BYTES = 16
_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class PullLink:
    """What may be read, under which name, and until when."""

    key: str
    mime: MediaType
    filename: str
    size_bytes: int
    expires_at: datetime
    is_for_people: bool = False


LINK: Final = Record(PullLink, stored={"key": "object_key"}, kinds={"expires_at": WHOLE_SECOND})


class PullLinks:
    """Rows of all addresses that were given out."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.media

    def make(self, link: PullLink) -> str:
        """Keep a link; return the token that opens it."""
        token = secrets.token_hex(_TOKEN_BYTES)
        row = {**pull_key(token), **LINK.item(link)}
        self._client.put_item(TableName=self._table, Item=attributes(row))
        return token

    def find(self, token: str) -> PullLink | None:
        """Return what a token opens, None if there is no such row; it may be over already."""
        if not _TOKEN.fullmatch(token):
            return None
        row = self._client.get_item(
            TableName=self._table, Key=attributes(pull_key(token)), ConsistentRead=True
        ).get("Item")
        return None if row is None else LINK.value(plain(row))


GRACE = timedelta(hours=1)
"""An address lasts so much longer than asked for: clocks differ, and one serves all of a run."""

_LONGEST_STEM = 60
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)
_ENDINGS: Mapping[MediaType, str] = MappingProxyType(
    {
        MediaType.MP4: "mp4",
        MediaType.MOV: "mov",
        MediaType.JPEG: "jpg",
        MediaType.PNG: "png",
        MediaType.WEBP: "webp",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDoor:
    """Addresses below `url` that `api/pulling` serves; each has a random row of its own.

    Those for people and their players take no places from platforms.
    """

    links: PullLinks
    url: str
    clock: Clock
    is_for_people: bool = False

    def address_of(self, stored: StoredFile, lifetime: timedelta) -> str:
        """Return an address that works for that long."""
        link = PullLink(
            key=stored.key,
            mime=stored.mime,
            filename=plain_name(stored.filename, stored.mime),
            size_bytes=stored.size_bytes,
            expires_at=self.clock() + lifetime + GRACE,
            is_for_people=self.is_for_people,
        )
        return f"{self.url}/v1/pulled/{self.links.make(link)}/{link.filename}"


@dataclass(frozen=True, slots=True)
class PresignedLinks:
    """Links of S3 itself, signed with the credentials this process has."""

    store: S3MediaStore

    def address_of(self, stored: StoredFile, lifetime: timedelta) -> str:
        """Return a link that works for that long, if its credentials do."""
        return self.store.link(
            stored.key, mime=stored.mime, filename=stored.filename, lifetime=lifetime
        )


def plain_name(filename: str, mime: MediaType) -> str:
    """Return a file's name in letters that no address needs to encode, with its type's ending."""
    stem = filename.rpartition(".")[0] or filename
    letters = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    plain = _NOT_IN_A_NAME.sub("-", letters).strip("-")[:_LONGEST_STEM]
    return f"{plain or 'file'}.{_ENDINGS[mime]}"
