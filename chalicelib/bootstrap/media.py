"""Files: where they are kept, how they come in, and who may fetch them."""

from typing import TYPE_CHECKING, Any

from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.services.media.fetched_uploads import FetchedUploads
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.media.pulled_files import PulledFiles
from chalicelib.services.posts.file_descriptions import MediaDescriptions
from chalicelib.storage.media.addresses import OwnDoor, PresignedLinks
from chalicelib.storage.media.conversions import Conversions
from chalicelib.storage.media.lanes import LanePlaces
from chalicelib.storage.media.prepared_copies import PreparedCopies
from chalicelib.storage.media.pull_links import PullLinks
from chalicelib.storage.media.queues import ConvertQueue, FetchQueue
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.storage.media.stored_file import Addresses
from chalicelib.storage.media.uploads import MediaUploads
from chalicelib.storage.tables import fetch_place_key

if TYPE_CHECKING:
    from chalicelib.bootstrap.ground import Ground
    from chalicelib.bootstrap.posts import PostParts
    from chalicelib.bootstrap.workspaces import WorkspaceParts


class MediaParts:
    """Rows and bytes of files, the library over them, and both ways to upload one."""

    def __init__(self, ground: "Ground", workspace: "WorkspaceParts", posting: "PostParts") -> None:
        settings, tables, clock = ground.settings, ground.tables, ground.clock
        dynamodb, s3 = ground.clients.dynamodb, ground.clients.s3
        self._ground = ground
        embedded: Any = s3  # it takes parts itself, where links lead nowhere
        send_part = embedded.send_part if is_embedded(settings.endpoint_url) else None
        self.store = S3MediaStore(s3, settings.media_bucket, send_part=send_part)
        self.files = MediaRepository(dynamodb, tables)
        self.uploads = MediaUploads(dynamodb, tables)
        self.prepared_copies = PreparedCopies(dynamodb, tables, self.store)
        self.conversions = Conversions(dynamodb, tables)
        self.convert_queue = ConvertQueue(ground.clients.sqs, settings.convert_queue)
        self.pull_links = PullLinks(dynamodb, tables)
        self.library: MediaLibrary = MediaLibrary(
            files=self.files,
            uploads=self.uploads,
            store=self.store,
            copies=self.prepared_copies,
            clock=clock,
            file_went=workspace.risk_notices.file_went,
            addresses=self._addresses_for_people(),
        )
        self.direct_uploads: DirectUploads = DirectUploads(
            uploads=self.uploads,
            store=self.store,
            clock=clock,
            door=settings.own_door,
        )
        """Uploads of a file by itself: to S3, or on one machine to our own door."""
        self.fetched_uploads: FetchedUploads = FetchedUploads(
            uploads=self.uploads,
            direct=self.direct_uploads,
            store=self.store,
            queue=FetchQueue(ground.clients.sqs, settings.uploads_queue),
            places=LanePlaces(dynamodb, tables, fetch_place_key),
            trusted=settings.trusted_origins,
            clock=clock,
        )
        """Uploads that we fetch from an address."""
        self.pulled_files = PulledFiles(links=self.pull_links, store=self.store, clock=clock)
        """What platforms fetch at our own door."""
        updates = posting.updates
        self.descriptions = MediaDescriptions(files=self.files, updates=updates, clock=clock)

    @property
    def public_addresses(self) -> Addresses | None:
        """How platforms get at files: by our own door, else by S3 itself, else not at all."""
        settings = self._ground.settings
        if settings.pull_url is not None:
            return self.addresses_at(settings.pull_url)
        return PresignedLinks(self.store) if settings.endpoint_url is None else None

    def _addresses_for_people(self) -> Addresses:
        """Where people get files: at S3, or by our own door."""
        door = self._ground.settings.own_door
        if door is not None:
            return self.addresses_at(door, is_for_people=True)
        return PresignedLinks(self.store)

    def addresses_at(self, url: str, *, is_for_people: bool = False) -> Addresses:
        """Return what makes addresses of our own door."""
        links, clock = self.pull_links, self._ground.clock
        return OwnDoor(links=links, url=url, clock=clock, is_for_people=is_for_people)
