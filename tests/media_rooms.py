"""Everything about media over a real emulator, and sample files, for tests of several rooms.

    rooms = media_rooms(fresh_settings())     # resources of their own, 0.1 s
    media = rooms.library.upload(OWNER, "v.mp4", samples["v1_short.mp4"])

One emulator serves all tests of a run; the samples are made once and kept between runs.
"""

import atexit
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import boto3

from chalicelib.domain.clock import Clock, system_clock
from chalicelib.services.direct_uploads import DirectUploads
from chalicelib.services.media_library import MediaLibrary
from chalicelib.settings import Settings
from chalicelib.storage.media import MediaRepository
from chalicelib.storage.media_store import S3MediaStore, media_client_config
from chalicelib.storage.media_uploads import MediaUploads
from chalicelib.storage.tables import Tables
from tests.emulator import EmulatorProcess, make_resources, start_emulator

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaRooms:
    """What holds a workspace's files, and the clients to look behind it."""

    settings: Settings
    files: MediaRepository
    uploads: MediaUploads
    store: S3MediaStore
    library: MediaLibrary
    direct: DirectUploads
    dynamodb: "DynamoDBClient"
    s3: "S3Client"

    def objects(self) -> list[str]:
        """Return the keys of everything in the bucket."""
        found = self.s3.list_objects_v2(Bucket=self.settings.media_bucket)
        return sorted(one["Key"] for one in found.get("Contents", []))

    def open_parts(self) -> int:
        """Return how many unfinished multipart uploads the bucket holds."""
        found = self.s3.list_multipart_uploads(Bucket=self.settings.media_bucket)
        return len(found.get("Uploads", []))

    def rows(self) -> list[dict[str, Any]]:
        """Return every row of the media table, as the API spells it."""
        return self.dynamodb.scan(TableName=self.settings.media_table)["Items"]


@functools.cache
def emulator() -> EmulatorProcess:
    """Return the emulator of this test run."""
    started = start_emulator()
    atexit.register(started.stop)
    return started


def fresh_settings() -> Settings:
    """Return settings with resources of their own."""
    return make_resources(emulator().endpoint)


def media_rooms(settings: Settings, clock: Clock = system_clock) -> MediaRooms:
    """Wire what `bootstrap` wires for media."""
    session = boto3.Session(region_name=settings.region)
    dynamodb = session.client("dynamodb", endpoint_url=settings.endpoint_url)
    s3 = session.client("s3", endpoint_url=settings.endpoint_url, config=media_client_config())
    tables = Tables(
        posts=settings.posts_table, directory=settings.directory_table, media=settings.media_table
    )
    files, uploads = MediaRepository(dynamodb, tables), MediaUploads(dynamodb, tables)
    store = S3MediaStore(s3, settings.media_bucket)
    return MediaRooms(
        settings=settings,
        files=files,
        uploads=uploads,
        store=store,
        library=MediaLibrary(files=files, uploads=uploads, store=store, clock=clock),
        direct=DirectUploads(uploads=uploads, store=store, clock=clock),
        dynamodb=dynamodb,
        s3=s3,
    )
