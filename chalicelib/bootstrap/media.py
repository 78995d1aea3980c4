"""The parts for files: their storage, uploads, and the addresses at which they can be fetched.

Sending posts needs only their rows and bytes; the other parts are imported when first used.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.storage.media.addresses import OwnDoor, PresignedLinks
from chalicelib.storage.media.conversions import Conversions
from chalicelib.storage.media.lanes import LanePlaces
from chalicelib.storage.media.prepared_copies import PreparedCopies
from chalicelib.storage.media.pull_links import PullLinks
from chalicelib.storage.media.queues import ConvertQueue, FetchQueue
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.storage.media.stored_file import Addresses
from chalicelib.storage.tables import fetch_place_key

if TYPE_CHECKING:
    from chalicelib.bootstrap.ground import Ground
    from chalicelib.bootstrap.posts import PostParts
    from chalicelib.bootstrap.workspaces import WorkspaceParts
    from chalicelib.services.media.direct_uploads import DirectUploads
    from chalicelib.services.media.fetched_uploads import FetchedUploads
    from chalicelib.services.media.library import MediaLibrary
    from chalicelib.services.media.pulled_files import PulledFiles
    from chalicelib.services.posts.file_descriptions import MediaDescriptions
    from chalicelib.storage.media.uploads import MediaUploads


class MediaParts:
    """Rows and bytes of files, the library, and the ways to upload."""

    def __init__(self, ground: "Ground", workspace: "WorkspaceParts", posting: "PostParts") -> None:
        settings, tables = ground.settings, ground.tables
        dynamodb, s3 = ground.clients.dynamodb, ground.clients.s3
        self._ground, self._workspace, self._posting = ground, workspace, posting
        embedded: Any = s3  # the embedded engine has no addresses for parts, so it takes them here
        send_part = embedded.send_part if is_embedded(settings.endpoint_url) else None
        self.store = S3MediaStore(s3, settings.media_bucket, send_part=send_part)
        self.files = MediaRepository(dynamodb, tables)
        self.prepared_copies = PreparedCopies(dynamodb, tables, self.store)
        self.conversions = Conversions(dynamodb, tables)
        self.convert_queue = ConvertQueue(ground.clients.sqs, settings.convert_queue)
        self.pull_links = PullLinks(dynamodb, tables)

    @cached_property
    def pulled_files(self) -> "PulledFiles":
        """Files that platforms fetch from this service."""
        from chalicelib.services.media.pulled_files import PulledFiles

        return PulledFiles(links=self.pull_links, store=self.store, clock=self._ground.clock)

    @cached_property
    def uploads(self) -> "MediaUploads":
        from chalicelib.storage.media.uploads import MediaUploads

        return MediaUploads(self._ground.clients.dynamodb, self._ground.tables)

    @cached_property
    def library(self) -> "MediaLibrary":
        from chalicelib.services.media.library import MediaLibrary

        return MediaLibrary(
            files=self.files,
            uploads=self.uploads,
            store=self.store,
            copies=self.prepared_copies,
            clock=self._ground.clock,
            file_went=self._workspace.risk_notices.file_went,
            addresses=self._addresses_for_people(),
        )

    @cached_property
    def descriptions(self) -> "MediaDescriptions":
        from chalicelib.services.posts.file_descriptions import MediaDescriptions

        return MediaDescriptions(
            files=self.files, updates=self._posting.updates, clock=self._ground.clock
        )

    @cached_property
    def direct_uploads(self) -> "DirectUploads":
        """Uploads that send only the file: to S3, or on one machine to this service."""
        from chalicelib.services.media.direct_uploads import DirectUploads

        return DirectUploads(
            uploads=self.uploads,
            store=self.store,
            clock=self._ground.clock,
            door=self._ground.settings.own_door,
        )

    @cached_property
    def fetched_uploads(self) -> "FetchedUploads":
        """Uploads that this service fetches from an address."""
        from chalicelib.services.media.fetched_uploads import FetchedUploads

        settings, clients = self._ground.settings, self._ground.clients
        return FetchedUploads(
            uploads=self.uploads,
            direct=self.direct_uploads,
            store=self.store,
            queue=FetchQueue(clients.sqs, settings.uploads_queue),
            places=LanePlaces(clients.dynamodb, self._ground.tables, fetch_place_key),
            trusted=settings.trusted_origins,
            clock=self._ground.clock,
        )

    @property
    def public_addresses(self) -> Addresses | None:
        """How platforms fetch files: from this service, or from S3; None if they cannot."""
        settings = self._ground.settings
        if settings.pull_url is not None:
            return self.addresses_at(settings.pull_url)
        return PresignedLinks(self.store) if settings.endpoint_url is None else None

    def _addresses_for_people(self) -> Addresses:
        """How people fetch files: from this service, or from S3."""
        door = self._ground.settings.own_door
        if door is not None:
            return self.addresses_at(door, is_for_people=True)
        return PresignedLinks(self.store)

    def addresses_at(self, url: str, *, is_for_people: bool = False) -> Addresses:
        """Return what makes addresses of files at this service, whose own address is `url`."""
        links, clock = self.pull_links, self._ground.clock
        return OwnDoor(links=links, url=url, clock=clock, is_for_people=is_for_people)
