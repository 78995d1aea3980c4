"""The only place that constructs adapters and wires services and workers together.

`app.py`, the local stack, the operator's commands and journeys in tests begin here. One boto3
session makes every client, each when it is first needed, so that a function of one trigger does
not pay for the clients of another.
"""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from chalicelib.bootstrap_connectors import (
    make_token_keeper,
    make_token_store,
    real_connectors,
)
from chalicelib.bootstrap_preparation import make_preparation
from chalicelib.bootstrap_results import (
    make_bookkeeping,
    make_metrics_worker,
    make_result_reads,
)
from chalicelib.connectors.registry import Connectors
from chalicelib.connectors.sandbox import SandboxConnector
from chalicelib.connectors.sandbox_store import SandboxStore
from chalicelib.connectors.tokens import TokenKeeper
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.platforms import Platform
from chalicelib.services.accounts import Accounts
from chalicelib.services.authentication import Authentication
from chalicelib.services.bookkeeping import Bookkeeping
from chalicelib.services.direct_uploads import DirectUploads
from chalicelib.services.drafts import Drafts
from chalicelib.services.golden_hours import GoldenHours
from chalicelib.services.live_posts import LivePosts
from chalicelib.services.media_library import MediaLibrary
from chalicelib.services.post_updates import PostUpdates
from chalicelib.services.posts_reader import PostsReader
from chalicelib.services.queue_slots import QueueSlots
from chalicelib.services.results import Results
from chalicelib.services.scheduling import Scheduling
from chalicelib.services.services import Services
from chalicelib.services.target_times import TargetTimes
from chalicelib.settings import Settings
from chalicelib.storage.accounts import AccountRepository
from chalicelib.storage.api_keys import ApiKeyRepository
from chalicelib.storage.batch_read import BatchRead
from chalicelib.storage.directory import DirectoryTable
from chalicelib.storage.draft_reads import DraftReads
from chalicelib.storage.engine_switch import EngineSwitch
from chalicelib.storage.media import MediaRepository
from chalicelib.storage.media_store import S3MediaStore, media_client_config
from chalicelib.storage.media_uploads import MediaUploads
from chalicelib.storage.outcomes import OutcomeRepository
from chalicelib.storage.pace import PaceRepository
from chalicelib.storage.post_lists import PostLists
from chalicelib.storage.posts import PostRepository
from chalicelib.storage.prepared_copies import PreparedCopies
from chalicelib.storage.publish_queue import PublishQueue
from chalicelib.storage.queue_slots import QueueSlotRepository
from chalicelib.storage.result_reads import ResultReads
from chalicelib.storage.sandbox_file import SqliteSandboxStore
from chalicelib.storage.sandbox_table import SandboxTable
from chalicelib.storage.tables import Tables
from chalicelib.storage.targets import TargetRepository
from chalicelib.storage.token_store import SealedTokenStore
from chalicelib.workers.attempts import Attempts
from chalicelib.workers.dispatcher import Dispatcher
from chalicelib.workers.leases import LeaseKeeper
from chalicelib.workers.metrics import MetricsWorker
from chalicelib.workers.preflight import Preflight
from chalicelib.workers.publish import PublishWorker
from chalicelib.workers.retention import Retention
from chalicelib.workers.retry import RetryPolicy
from chalicelib.workers.run import Tools
from chalicelib.workers.token_renewal import TokenRenewal
from chalicelib.workers.uploads import UploadWorker

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

_CONNECTIONS = 96


class Deployment:
    """One deployment's adapters, services and workers, each built when it is first asked for."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock = system_clock,
        session: boto3.Session | None = None,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self._session = session or boto3.Session(region_name=settings.region)
        self.tables = Tables(
            posts=settings.posts_table,
            directory=settings.directory_table,
            media=settings.media_table,
        )

    # Clients: botocore's are safe to share between threads.

    @cached_property
    def dynamodb(self) -> "DynamoDBClient":
        """The client of every table."""
        config = Config(max_pool_connections=_CONNECTIONS, retries={"mode": "standard"})
        return self._session.client(
            "dynamodb", endpoint_url=self.settings.endpoint_url, config=config
        )

    @cached_property
    def sqs(self) -> "SQSClient":
        """The client of the queues."""
        config = Config(max_pool_connections=_CONNECTIONS)
        return self._session.client("sqs", endpoint_url=self.settings.endpoint_url, config=config)

    @cached_property
    def s3(self) -> "S3Client":
        """The client of the media bucket."""
        return self._session.client(
            "s3", endpoint_url=self.settings.endpoint_url, config=media_client_config()
        )

    @cached_property
    def kms(self) -> "KMSClient":
        """The client of the key that wraps tokens."""
        return self._session.client("kms", endpoint_url=self.settings.endpoint_url)

    # Storage.

    @cached_property
    def directory_table(self) -> DirectoryTable:
        """Workspaces, members, keys and accounts."""
        return DirectoryTable(self.dynamodb, self.tables)

    @cached_property
    def accounts(self) -> AccountRepository:
        """Connected accounts."""
        return AccountRepository(self.directory_table)

    @cached_property
    def posts(self) -> PostRepository:
        """Posts with their targets."""
        return PostRepository(self.dynamodb, self.tables)

    @cached_property
    def targets(self) -> TargetRepository:
        """Targets in motion."""
        return TargetRepository(self.dynamodb, self.tables)

    @cached_property
    def publish_queue(self) -> PublishQueue:
        """Hints for the publish worker."""
        return PublishQueue(self.sqs, self.settings.publish_queue, self.settings.publish_dead_queue)

    @cached_property
    def media_store(self) -> S3MediaStore:
        """The files themselves."""
        return S3MediaStore(self.s3, self.settings.media_bucket)

    @cached_property
    def media_files(self) -> MediaRepository:
        """Records of files."""
        return MediaRepository(self.dynamodb, self.tables)

    @cached_property
    def prepared_copies(self) -> PreparedCopies:
        """Copies of files as platforms take them."""
        return PreparedCopies(self.dynamodb, self.tables, self.media_store)

    @cached_property
    def media_uploads(self) -> MediaUploads:
        """Uploads that have not ended."""
        return MediaUploads(self.dynamodb, self.tables)

    @cached_property
    def engine_switch(self) -> EngineSwitch:
        """The operator's switch."""
        return EngineSwitch(self.dynamodb, self.tables)

    @cached_property
    def slots(self) -> QueueSlotRepository:
        """Queue times."""
        return QueueSlotRepository(self.dynamodb, self.tables)

    @cached_property
    def result_reads(self) -> ResultReads:
        """Results as they are read."""
        return make_result_reads(self.dynamodb, self.tables)

    # Connectors.

    @cached_property
    def sandbox_store(self) -> SandboxStore:
        """What test accounts published: a file beside a local stack, a table in AWS."""
        if self.settings.data_dir is not None:
            return SqliteSandboxStore(Path(self.settings.data_dir) / "sandbox.db")
        return SandboxTable(self.dynamodb, self.settings.sandbox_table)

    @cached_property
    def connectors(self) -> Connectors:
        """Every platform this deployment can publish to."""
        base_url = self.settings.base_url
        sandbox = {
            platform: SandboxConnector(platform, self.sandbox_store, base_url)
            for platform in Platform
        }
        return Connectors(
            sandbox=sandbox, real=real_connectors(self.settings.platform_urls, self.clock)
        )

    @cached_property
    def token_store(self) -> SealedTokenStore:
        """The accounts' tokens."""
        return make_token_store(self.directory_table, self.kms, self.settings.tokens_key)

    @cached_property
    def token_keeper(self) -> TokenKeeper:
        """What hands out accounts with a working token."""
        return make_token_keeper(self.token_store, self.clock)

    # Services.

    @cached_property
    def updates(self) -> PostUpdates:
        """The one way to change a post."""
        return PostUpdates(posts=self.posts, queue=self.publish_queue, clock=self.clock)

    @cached_property
    def services(self) -> Services:
        """Everything a request can call."""
        batch = BatchRead(self.dynamodb)
        times = TargetTimes(slots=self.slots, results=self.result_reads)
        return Services(
            authentication=Authentication(
                keys=ApiKeyRepository(self.directory_table), clock=self.clock
            ),
            accounts=Accounts(accounts=self.accounts),
            media_library=self.media_library,
            direct_uploads=self.direct_uploads,
            drafts=Drafts(
                posts=self.posts,
                reads=DraftReads(batch, self.tables),
                updates=self.updates,
                times=times,
                bookkeeping=self.bookkeeping,
                clock=self.clock,
            ),
            posts_reader=PostsReader(
                posts=self.posts, lists=PostLists(self.dynamodb, self.tables, batch)
            ),
            scheduling=Scheduling(updates=self.updates, times=times, clock=self.clock),
            live_posts=self.live_posts,
            golden_hours=GoldenHours(results=self.result_reads, clock=self.clock),
            queue_slots=QueueSlots(slots=self.slots, clock=self.clock),
            results=Results(posts=self.posts, reads=self.result_reads, clock=self.clock),
        )

    @cached_property
    def live_posts(self) -> LivePosts:
        """Removal of live posts."""
        return LivePosts(
            posts=self.posts,
            accounts=self.accounts,
            connectors=self.connectors,
            tokens=self.token_keeper,
            updates=self.updates,
            bookkeeping=self.bookkeeping,
            clock=self.clock,
        )

    @cached_property
    def bookkeeping(self) -> Bookkeeping:
        """What keeps results in line with posts."""
        return make_bookkeeping(self.dynamodb, self.tables, self.clock)

    @cached_property
    def media_library(self) -> MediaLibrary:
        """A workspace's files."""
        return MediaLibrary(
            files=self.media_files,
            uploads=self.media_uploads,
            store=self.media_store,
            copies=self.prepared_copies,
            clock=self.clock,
        )

    @cached_property
    def direct_uploads(self) -> DirectUploads:
        """Uploads that go straight to S3."""
        return DirectUploads(uploads=self.media_uploads, store=self.media_store, clock=self.clock)

    # Workers.

    @cached_property
    def dispatcher(self) -> Dispatcher:
        """The tick."""
        return Dispatcher(self.targets, self.publish_queue, self.clock)

    @cached_property
    def upload_worker(self) -> UploadWorker:
        """What takes in files that arrived in S3."""
        return UploadWorker(self.direct_uploads)

    @cached_property
    def retention(self) -> Retention:
        """What lets files go when their time is over."""
        return Retention(
            files=self.media_files,
            uploads=self.media_uploads,
            posts=self.posts,
            library=self.media_library,
            direct_uploads=self.direct_uploads,
            clock=self.clock,
        )

    @cached_property
    def metrics_worker(self) -> MetricsWorker:
        """What asks platforms how live posts do."""
        return make_metrics_worker(
            self.directory_table, self.live_posts, self.connectors, self.token_keeper, self.clock
        )

    @cached_property
    def token_renewal(self) -> TokenRenewal:
        """What keeps unused sign-ins alive."""
        return TokenRenewal(
            rows=self.token_store.rows,
            accounts=self.accounts,
            connectors=self.connectors,
            keeper=self.token_keeper,
            clock=self.clock,
        )

    @cached_property
    def publish_worker(self) -> PublishWorker:
        """What works on one hint of the publish queue."""
        attempts = Attempts(OutcomeRepository(self.dynamodb, self.tables), self.clock)
        tools = Tools(
            attempts=attempts, queue=self.publish_queue, retry=RetryPolicy(), clock=self.clock
        )
        preflight = Preflight(
            tools=tools,
            posts=self.posts,
            accounts=self.accounts,
            pace=PaceRepository(self.dynamodb, self.tables),
            preparation=make_preparation(
                self.media_files,
                self.prepared_copies,
                self.media_store,
                self.clock,
                reachable=self.settings.endpoint_url is None,
            ),
            connectors=self.connectors,
            tokens=self.token_keeper,
        )
        return PublishWorker(
            targets=self.targets,
            queue=self.publish_queue,
            leases=LeaseKeeper(self.targets, self.clock),
            preflight=preflight,
            clock=self.clock,
        )
