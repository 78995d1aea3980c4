"""Short-lived addresses at which an owner's browser downloads a part of an export.

On S3 a presigned link, on one machine a random token at our own door.
"""

from datetime import timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.pull_links import PullLink, PullLinks
from chalicelib.storage.media.store import S3MediaStore

LIFETIME: Final = timedelta(minutes=10)
"""A download that has begun continues; an interrupted one needs a new link."""
_ZIP: Final = "application/zip"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportsAtDoor:
    """Addresses below `url`, each over a random row."""

    links: PullLinks
    url: str
    clock: Clock

    def address_of(self, key: str, size_bytes: int, filename: str) -> str:
        """Return an address at our own door."""
        link = PullLink(
            key=key,
            mime=_ZIP,
            filename=filename,
            size_bytes=size_bytes,
            expires_at=self.clock() + LIFETIME,
            is_for_people=True,
        )
        return self.links.address_of(link, self.url)


@dataclass(frozen=True, slots=True)
class ExportsAtS3:
    """Links of S3 itself."""

    store: S3MediaStore

    def address_of(self, key: str, size_bytes: int, filename: str) -> str:
        """Return a presigned link."""
        del size_bytes
        return self.store.link(key, mime=_ZIP, filename=filename, lifetime=LIFETIME)


ExportLinks = ExportsAtDoor | ExportsAtS3
"""What makes addresses of parts of exports that work for some minutes."""
