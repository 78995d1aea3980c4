"""What a deployment stands on: AWS clients and the storage over them, each built when needed.

`bootstrap` wires services and workers over these; nothing else constructs an adapter. One session
makes every client, so that a function of one trigger does not pay for the clients of another.
"""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.session import Session

from chalicelib.bootstrap.clients import MadeWhenCalled, a_session
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.settings import Settings
from chalicelib.storage.dynamodb.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

    from chalicelib.connectors.sandbox.connector import SandboxStore
    from chalicelib.storage.analytics.reads import AnalyticsReads
    from chalicelib.storage.engine.switch import EngineSwitch
    from chalicelib.storage.engine.targets import TargetRepository
    from chalicelib.storage.engine.wake_queue import PublishQueue
    from chalicelib.storage.media.conversions import Conversions
    from chalicelib.storage.media.prepared_copies import PreparedCopies
    from chalicelib.storage.media.queues import ConvertQueue
    from chalicelib.storage.media.records import MediaRepository
    from chalicelib.storage.media.source import PullLinks
    from chalicelib.storage.media.store import S3MediaStore
    from chalicelib.storage.media.uploads import MediaUploads
    from chalicelib.storage.posts.posts import PostRepository
    from chalicelib.storage.posts.queue_slots import QueueSlotRepository
    from chalicelib.storage.workspace.accounts import AccountRepository
    from chalicelib.storage.workspace.changes import WorkspaceTable

_CONNECTIONS = 160
_USER_AGENT = "goldenhour"
"""Given, botocore need not put one together for each call; nor need it check ours a second time."""
_CONNECT_S = 1
_READ_S = 4
"""A lease is renewed every 20 s: a call that hangs must end well within that."""
_QUICK_READ_S = 1.5


class Adapters:
    """Clients and storage of one deployment."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock = system_clock,
        session: Session | None = None,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self._session = session or a_session()
        self._making = Lock()
        self.tables = Tables(
            posts=settings.posts_table,
            directory=settings.directory_table,
            media=settings.media_table,
        )

    # Clients: botocore's are safe to share between threads, its session is not.

    @cached_property
    def dynamodb(self) -> DynamoDBClient:
        """The client of every table."""
        return self._dynamodb(
            Config(
                max_pool_connections=_CONNECTIONS,
                read_timeout=_READ_S,
                retries={"mode": "standard"},
                parameter_validation=False,
            )
        )

    @cached_property
    def quick_dynamodb(self) -> DynamoDBClient:
        """The client of what must know soon whether the tables answer."""
        return self._dynamodb(
            Config(
                read_timeout=_QUICK_READ_S,
                retries={"mode": "standard", "total_max_attempts": 2},
            )
        )

    @cached_property
    def sqs(self) -> SQSClient:
        """The client of the queues."""
        config = Config(max_pool_connections=_CONNECTIONS)
        return cast("SQSClient", self._client("sqs", config, self.settings.endpoint_url))

    @cached_property
    def s3(self) -> S3Client:
        """The client of the media bucket."""
        from chalicelib.storage.media.store import media_client_config

        url = self.settings.endpoint_url
        return cast("S3Client", self._client("s3", media_client_config(url), url))

    @cached_property
    def kms(self) -> KMSClient:
        """The client of the key that wraps tokens."""
        config = Config(connect_timeout=_CONNECT_S, read_timeout=_READ_S)
        return cast("KMSClient", self._client("kms", config, self.settings.endpoint_url))

    def _dynamodb(self, patience: Config) -> DynamoDBClient:
        shared = Config(connect_timeout=_CONNECT_S, user_agent=_USER_AGENT)
        client = self._client("dynamodb", shared.merge(patience), self.settings.dynamodb_url)
        return cast("DynamoDBClient", client)

    def _client(self, service: str, config: Config | None, url: str | None) -> MadeWhenCalled:
        make = partial(
            self._session.create_client,
            service,
            region_name=self.settings.region,
            endpoint_url=url,
            config=config,
        )
        return MadeWhenCalled(make, self._making)

    # Storage.

    @cached_property
    def directory_table(self) -> WorkspaceTable:
        """Workspaces, members, keys and accounts."""
        from chalicelib.storage.workspace.changes import WorkspaceTable

        return WorkspaceTable(self.dynamodb, self.tables)

    @cached_property
    def accounts(self) -> AccountRepository:
        """Connected accounts."""
        from chalicelib.storage.workspace.accounts import AccountRepository

        return AccountRepository(self.directory_table)

    @cached_property
    def posts(self) -> PostRepository:
        """Posts with their targets."""
        from chalicelib.storage.posts.posts import PostRepository

        return PostRepository(self.dynamodb, self.tables)

    @cached_property
    def targets(self) -> TargetRepository:
        """Targets in motion."""
        from chalicelib.storage.engine.targets import TargetRepository

        return TargetRepository(self.dynamodb, self.tables)

    @cached_property
    def publish_queue(self) -> PublishQueue:
        """Wake messages that arrive ahead of their second, for the fire worker."""
        from chalicelib.storage.engine.wake_queue import ARM_AHEAD, PublishQueue

        dead = self.settings.publish_dead_queue
        return PublishQueue(self.sqs, self.settings.publish_queue, dead, ahead=ARM_AHEAD)

    @cached_property
    def prepare_queue(self) -> PublishQueue:
        """Wake messages for the publish worker, which goes the slower way."""
        from chalicelib.storage.engine.wake_queue import PublishQueue

        dead = self.settings.publish_dead_queue
        return PublishQueue(self.sqs, self.settings.prepare_queue, dead)

    @cached_property
    def media_store(self) -> S3MediaStore:
        """The files themselves."""
        from chalicelib.storage.media.store import S3MediaStore

        return S3MediaStore(self.s3, self.settings.media_bucket)

    @cached_property
    def media_files(self) -> MediaRepository:
        """Records of files."""
        from chalicelib.storage.media.records import MediaRepository

        return MediaRepository(self.dynamodb, self.tables)

    @cached_property
    def prepared_copies(self) -> PreparedCopies:
        """Copies of files as platforms take them."""
        from chalicelib.storage.media.prepared_copies import PreparedCopies

        return PreparedCopies(self.dynamodb, self.tables, self.media_store)

    @cached_property
    def conversions(self) -> Conversions:
        """Conversions that were asked for."""
        from chalicelib.storage.media.conversions import Conversions

        return Conversions(self.dynamodb, self.tables)

    @cached_property
    def convert_queue(self) -> ConvertQueue:
        """Messages that a copy is wanted, for the convert lane."""
        from chalicelib.storage.media.queues import ConvertQueue

        return ConvertQueue(self.sqs, self.settings.convert_queue)

    @cached_property
    def pull_links(self) -> PullLinks:
        """What the addresses open that platforms fetch files at."""
        from chalicelib.storage.media.source import PullLinks

        return PullLinks(self.dynamodb, self.tables)

    @cached_property
    def media_uploads(self) -> MediaUploads:
        """Uploads that have not ended."""
        from chalicelib.storage.media.uploads import MediaUploads

        return MediaUploads(self.dynamodb, self.tables)

    @cached_property
    def engine_switch(self) -> EngineSwitch:
        """The operator's switch."""
        from chalicelib.storage.engine.switch import EngineSwitch

        return EngineSwitch(self.dynamodb, self.tables)

    @cached_property
    def slots(self) -> QueueSlotRepository:
        """Queue times."""
        from chalicelib.storage.posts.queue_slots import QueueSlotRepository

        return QueueSlotRepository(self.dynamodb, self.tables)

    @cached_property
    def result_reads(self) -> AnalyticsReads:
        """Results as they are read."""
        from chalicelib.bootstrap.analytics import make_analytics_reads

        return make_analytics_reads(self.dynamodb, self.tables)

    @cached_property
    def sandbox_store(self) -> SandboxStore:
        """What test accounts published: a file beside a local stack, a table in AWS."""
        from chalicelib.storage.sandbox.file import SqliteSandboxStore
        from chalicelib.storage.sandbox.table import SandboxTable

        if self.settings.data_dir is not None:
            return SqliteSandboxStore(Path(self.settings.data_dir) / "sandbox.db")
        return SandboxTable(self.dynamodb, self.settings.sandbox_table)
