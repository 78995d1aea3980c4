"""Two kinds of addresses at which platforms fetch files: our own door, or presigned links.

`bootstrap` chooses one. The door answers HEAD, its addresses last as long as promised and are under
the operator's own domain. A presigned link has none of this: it ends with the credentials that
signed it, and is for deployments without a front (docs/adr/0009).
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType

from chalicelib.domain.clock import Clock
from chalicelib.domain.media.types import MediaType
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.pull_links import PullLink, PullLinks
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.storage.media.stored_file import StoredFile

GRACE = timedelta(hours=1)
"""How much longer an address lasts than asked for: clocks differ, and one run uses one address."""
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
    """Addresses below `url` that `api/doors/platform_files.py` serves, each over a random row.

    Those for people and their video players take no places from platforms.
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
            filename=stored.filename
            if self.is_for_people
            else plain_name(stored.filename, stored.mime),
            size_bytes=stored.size_bytes,
            expires_at=self.clock() + lifetime + GRACE,
            is_for_people=self.is_for_people,
        )
        return self.links.address_of(link, self.url)


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
