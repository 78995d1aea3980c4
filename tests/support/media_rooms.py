"""Everything about media over a real emulator, for tests of several rooms.

rooms = media_rooms(make_resources(emulator.endpoint))
media = rooms.library.upload(a_caller(), "v.mp4", samples()["index_last.mp4"].data)
"""

import functools
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.workspace.access import Caller, Plan, Role, Scope
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.services.media.fetched_uploads import FetchedUploads
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.media.pulled_files import PulledFiles
from chalicelib.services.repeats import Repeats
from chalicelib.settings import Settings
from chalicelib.storage.media.addresses import PresignedLinks
from chalicelib.storage.media.conversions import Conversions
from chalicelib.storage.media.lanes import LanePlaces
from chalicelib.storage.media.prepared_copies import PreparedCopies
from chalicelib.storage.media.pull_links import PullLinks
from chalicelib.storage.media.queues import FetchQueue
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.store import S3MediaStore, media_client_config
from chalicelib.storage.media.uploads import MediaUploads
from chalicelib.storage.repeats import RepeatRepository
from chalicelib.storage.tables import Tables, fetch_place_key
from tests.support.clients import a_client

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient


WORKSPACE = "1" * 32


def a_caller(workspace_id: str = WORKSPACE) -> Caller:
    """Return an owner of the workspace."""
    return Caller(
        workspace_id=workspace_id,
        member_id="2" * 32,
        member_name="Ada",
        role=Role.OWNER,
        scopes=frozenset(Scope),
        key_id="3" * 32,
        plan=Plan.STUDIO,
        trial_ends_at=None,
        workspace_created_at=datetime(2026, 1, 1, tzinfo=UTC),
        timezone="UTC",
        member_timezone="UTC",
        approvals=False,
        accounts={},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaRooms:
    """What holds a workspace's files, and the clients to look behind it."""

    settings: Settings
    files: MediaRepository
    uploads: MediaUploads
    store: S3MediaStore
    copies: PreparedCopies
    conversions: Conversions
    library: MediaLibrary
    direct: DirectUploads
    fetched: FetchedUploads
    links: PullLinks
    repeats: Repeats
    pulled: PulledFiles
    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    sqs: "SQSClient"

    def messages(self) -> list[str]:
        """Take what waits in the uploads queue but for S3's own test message."""
        url = self.sqs.get_queue_url(QueueName=self.settings.uploads_queue)["QueueUrl"]
        found = self.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)
        bodies = [message["Body"] for message in found.get("Messages", [])]
        return [body for body in bodies if "s3:TestEvent" not in body]

    def objects(self) -> list[str]:
        """Return the keys of everything in the bucket."""
        found = self.s3.list_objects_v2(Bucket=self.settings.media_bucket)
        return sorted(one["Key"] for one in found.get("Contents", []))

    def open_parts(self) -> int:
        """Return how many unfinished multipart uploads the bucket holds."""
        found = self.s3.list_multipart_uploads(Bucket=self.settings.media_bucket)
        return len(found.get("Uploads", []))

    def is_empty(self) -> bool:
        """Tell that nothing of any file is left: no object, no parts, no row, no byte counted."""
        left = [row for row in self.rows() if row.get("used_bytes") != {"N": "0"}]
        return not self.objects() and not self.open_parts() and not left

    def rows(self) -> list[dict[str, Any]]:
        """Return every row of the media table, as the API spells it."""
        return self.dynamodb.scan(TableName=self.settings.media_table)["Items"]


def media_rooms(
    settings: Settings,
    clock: Clock = system_clock,
    *,
    trusted: frozenset[str] = frozenset(),
    door: str | None = None,
) -> MediaRooms:
    """Wire what `bootstrap` wires for media; `door` is where direct uploads go instead of S3."""
    dynamodb, s3, sqs = _clients(settings.endpoint_url, settings.dynamodb_url)
    tables = Tables(
        posts=settings.posts_table,
        directory=settings.directory_table,
        media=settings.media_table,
    )
    files, uploads = MediaRepository(dynamodb, tables), MediaUploads(dynamodb, tables)
    send_part = getattr(s3, "send_part", None)  # boto3's has none: parts go by links there
    store = S3MediaStore(s3, settings.media_bucket, send_part=send_part)
    copies = PreparedCopies(dynamodb, tables, store)
    links = PullLinks(dynamodb, tables)
    direct = DirectUploads(uploads=uploads, store=store, clock=clock, door=door)
    return MediaRooms(
        settings=settings,
        files=files,
        uploads=uploads,
        store=store,
        copies=copies,
        conversions=Conversions(dynamodb, tables),
        library=MediaLibrary(
            files=files,
            uploads=uploads,
            store=store,
            copies=copies,
            clock=clock,
            addresses=PresignedLinks(store),
        ),
        direct=direct,
        fetched=FetchedUploads(
            uploads=uploads,
            direct=direct,
            store=store,
            queue=FetchQueue(sqs, settings.uploads_queue),
            places=LanePlaces(dynamodb, tables, fetch_place_key),
            trusted=trusted,
            clock=clock,
        ),
        links=links,
        repeats=Repeats(rows=RepeatRepository(dynamodb, tables), clock=clock),
        pulled=PulledFiles(links=links, store=store, clock=clock),
        dynamodb=dynamodb,
        s3=s3,
        sqs=sqs,
    )


@functools.cache
def _clients(
    endpoint_url: str | None, dynamodb_url: str | None
) -> "tuple[DynamoDBClient, S3Client, SQSClient]":
    """Return the clients of an emulator; making them takes longer than most tests."""
    s3 = a_client("s3", endpoint_url, media_client_config(endpoint_url))
    return a_client("dynamodb", dynamodb_url), s3, a_client("sqs", endpoint_url)
