"""The only place that constructs adapters and wires services and workers together.

`app.py`, the local stack, the operator's commands and journeys in tests begin here. One boto3
session makes every client, each when it is first needed, so that a function of one trigger does
not pay for the clients of another.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

from chalicelib.bootstrap.adapters import Adapters
from chalicelib.bootstrap.analytics import (
    make_counter_updates,
    make_metrics_worker,
)
from chalicelib.bootstrap.checks import make_checks, make_choices, make_risks
from chalicelib.bootstrap.connectors import (
    make_token_keeper,
    make_token_store,
    real_connectors,
)
from chalicelib.bootstrap.preparation import make_preparation, public_addresses
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.auth.tokens import TokenKeeper
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.connectors.shared.transport.hosts import require_versions
from chalicelib.domain.platforms.platform import Platform
from chalicelib.services.analytics.analytics import Analytics
from chalicelib.services.analytics.counters import CounterUpdates
from chalicelib.services.health import Health
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.services.media.fetched_uploads import FetchedUploads
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.media.pulled_files import PulledFiles
from chalicelib.services.posts.checks import PostChecks
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.golden_hours import GoldenHours
from chalicelib.services.posts.live_posts import LivePosts
from chalicelib.services.posts.queue_slots import QueueSlots
from chalicelib.services.posts.reading import PostsReader
from chalicelib.services.posts.risks import PostRisks
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.services.posts.target_times import TargetTimes
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.services.services import Services
from chalicelib.services.workspace.accounts import Accounts
from chalicelib.services.workspace.authentication import Authentication
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.services.workspace.creators import Creators
from chalicelib.services.workspace.known_choices import known_choices
from chalicelib.services.workspace.watched_tokens import WatchedTokens
from chalicelib.storage.dynamodb.batch_read import BatchRead
from chalicelib.storage.dynamodb.write_probe import WriteProbe
from chalicelib.storage.engine.catch_up import CatchUpRepository
from chalicelib.storage.engine.outcomes import OutcomeRepository
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.storage.engine.targets import TargetRef
from chalicelib.storage.media.fetch_queue import FetchQueue
from chalicelib.storage.posts.draft_reads import DraftReads
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.token_store import SealedTokenStore
from chalicelib.workers.dispatcher import Dispatcher
from chalicelib.workers.media.converting import ConvertWorker
from chalicelib.workers.media.copy_making import CopyMaker
from chalicelib.workers.media.shared_copies import SharedCopies
from chalicelib.workers.metrics.worker import MetricsWorker
from chalicelib.workers.publishing.arming import Arming
from chalicelib.workers.publishing.attempts import Attempts
from chalicelib.workers.publishing.endings import Tools
from chalicelib.workers.publishing.firing import FireWorker
from chalicelib.workers.publishing.leases import LeaseKeeper
from chalicelib.workers.publishing.places import Places
from chalicelib.workers.publishing.preflight import Preflight
from chalicelib.workers.publishing.retry import RetryPolicy
from chalicelib.workers.publishing.worker import PublishWorker
from chalicelib.workers.retention import Retention
from chalicelib.workers.takeover import Takeover
from chalicelib.workers.token_renewal import TokenRenewal
from chalicelib.workers.uploads import UploadWorker

_LONG_CONVERSIONS = 2
"""How many videos of one workspace are converted at once."""
OUTCOME_THREADS = 4
"""Few, so that outcomes leave the processor to calls that are due."""


class Deployment(Adapters):
    """One deployment's services and workers over its adapters, each built when it is asked for."""

    # Connectors.

    @cached_property
    def connectors(self) -> Connectors:
        """Every platform this deployment can publish to."""
        store, base_url = self.sandbox_store, self.settings.base_url
        versions = require_versions(self.settings.platform_versions)
        addresses = {**self.settings.platform_urls, **versions}
        real = real_connectors(addresses, self.clock, self.settings.trusted_origins)
        sandbox = {
            platform: SandboxConnector(platform, store, base_url, rules=real[platform])
            for platform in Platform
        }
        return Connectors(sandbox=sandbox, real=real)

    @cached_property
    def token_store(self) -> SealedTokenStore:
        """The accounts' tokens."""
        return make_token_store(self.directory_table, self.kms, self.settings.tokens_key)

    @cached_property
    def token_keeper(self) -> TokenKeeper:
        """What hands out accounts with a working token."""
        watched = WatchedTokens(self.token_store, self.risks.account_broke)
        return make_token_keeper(watched, self.clock)

    # Services.

    @cached_property
    def updates(self) -> PostUpdates:
        """The one way to change a post."""
        return PostUpdates(
            posts=self.posts,
            queue=self.publish_queue,
            check_queue=self.prepare_queue,
            clock=self.clock,
        )

    @cached_property
    def services(self) -> Services:
        """Everything a request can call."""
        batch = BatchRead(self.dynamodb)
        reads = DraftReads(batch, self.tables)
        times = TargetTimes(slots=self.slots, results=self.result_reads)
        return Services(
            authentication=Authentication(
                keys=ApiKeyRepository(self.directory_table), clock=self.clock
            ),
            accounts=Accounts(accounts=self.accounts, read_creator=self.creators.read),
            media_library=self.media_library,
            direct_uploads=self.direct_uploads,
            fetched_uploads=self.fetched_uploads,
            choices=self.choices,
            checks=self.checks,
            drafts=Drafts(
                posts=self.posts,
                reads=reads,
                updates=self.updates,
                times=times,
                choices=self.choices,
                counter_updates=self.counter_updates,
                clock=self.clock,
            ),
            posts_reader=PostsReader(
                posts=self.posts, lists=PostLists(self.dynamodb, self.tables, batch)
            ),
            scheduling=Scheduling(
                updates=self.updates,
                times=times,
                clock=self.clock,
                known_choices=known_choices(self.choices, reads),
            ),
            live_posts=self.live_posts,
            golden_hours=GoldenHours(results=self.result_reads, clock=self.clock),
            queue_slots=QueueSlots(slots=self.slots, clock=self.clock),
            analytics=Analytics(posts=self.posts, reads=self.result_reads, clock=self.clock),
            health=Health(WriteProbe(self.dynamodb, self.tables), self.clock),
        )

    @cached_property
    def choices(self) -> AccountChoices:
        """What asks accounts what they offer."""
        return make_choices(self)

    @cached_property
    def checks(self) -> PostChecks:
        """What checks posts ahead of their time."""
        return make_checks(self)

    @cached_property
    def risks(self) -> PostRisks:
        """What tells ahead that scheduled targets are at risk."""
        return make_risks(self)

    @cached_property
    def creators(self) -> Creators:
        """What asks TikTok for a creator's settings."""
        return Creators(connectors=self.connectors, tokens=self.token_keeper, clock=self.clock)

    @cached_property
    def live_posts(self) -> LivePosts:
        """Removal of live posts."""
        return LivePosts(
            posts=self.posts,
            accounts=self.accounts,
            connectors=self.connectors,
            tokens=self.token_keeper,
            updates=self.updates,
            counter_updates=self.counter_updates,
            clock=self.clock,
        )

    @cached_property
    def counter_updates(self) -> CounterUpdates:
        """What keeps results in line with posts."""
        return make_counter_updates(self.dynamodb, self.tables, self.clock)

    @cached_property
    def media_library(self) -> MediaLibrary:
        """A workspace's files."""
        return MediaLibrary(
            files=self.media_files,
            uploads=self.media_uploads,
            store=self.media_store,
            copies=self.prepared_copies,
            clock=self.clock,
            file_went=self.risks.file_went,
        )

    @cached_property
    def direct_uploads(self) -> DirectUploads:
        """Uploads that go straight to S3."""
        return DirectUploads(uploads=self.media_uploads, store=self.media_store, clock=self.clock)

    @cached_property
    def fetched_uploads(self) -> FetchedUploads:
        """Uploads that we fetch from an address."""
        return FetchedUploads(
            uploads=self.media_uploads,
            direct=self.direct_uploads,
            store=self.media_store,
            queue=FetchQueue(self.sqs, self.settings.uploads_queue),
            trusted=self.settings.trusted_origins,
            clock=self.clock,
        )

    @cached_property
    def pulled_files(self) -> PulledFiles:
        """What platforms fetch at our own door."""
        return PulledFiles(links=self.pull_links, store=self.media_store, clock=self.clock)

    # Workers.

    @cached_property
    def dispatcher(self) -> Dispatcher:
        """The tick."""
        return Dispatcher(
            self.targets, self.publish_queue, self.clock, slower_queue=self.prepare_queue
        )

    @cached_property
    def upload_worker(self) -> UploadWorker:
        """What takes in files that arrived in S3."""
        return UploadWorker(self.direct_uploads, self.fetched_uploads)

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
    def leases(self) -> LeaseKeeper:
        """What renews the leases of this process."""
        return LeaseKeeper(self.targets, self.clock)

    @cached_property
    def preflight(self) -> Preflight:
        """What is looked at before a target goes out."""
        attempts = Attempts(OutcomeRepository(self.dynamodb, self.tables), self.clock)
        tools = Tools(
            attempts=attempts,
            fire_queue=self.publish_queue,
            prepare_queue=self.prepare_queue,
            retry=RetryPolicy(),
            clock=self.clock,
        )
        return Preflight(
            tools=tools,
            targets=self.targets,
            posts=self.posts,
            accounts=self.accounts,
            catch_up=CatchUpRepository(self.dynamodb, self.tables),
            preparation=make_preparation(
                self.media_files,
                self.shared_copies,
                self.media_store,
                addresses=public_addresses(
                    self.settings, self.pull_links, self.media_store, self.clock
                ),
                read_creator=self.creators.read,
            ),
            connectors=self.connectors,
            tokens=self.token_keeper,
        )

    @cached_property
    def shared_copies(self) -> SharedCopies:
        """What finds copies of files, or asks the convert lane for them."""
        return SharedCopies(
            rows=self.prepared_copies,
            conversions=self.conversions,
            queue=self.convert_queue,
            clock=self.clock,
        )

    @cached_property
    def convert_worker(self) -> ConvertWorker:
        """What works on one message of the convert queue."""
        return ConvertWorker(
            rows=self.conversions,
            queue=self.convert_queue,
            maker=CopyMaker(self.media_store),
            clock=self.clock,
            places=_LONG_CONVERSIONS,
        )

    @cached_property
    def takeover(self) -> Takeover:
        """What ends the leases of dead workers when a local stack starts."""
        return Takeover(self.targets, self.clock)

    @cached_property
    def publish_worker(self) -> PublishWorker:
        """What works on one wake message of the prepare queue."""
        return PublishWorker(
            targets=self.targets,
            queue=self.prepare_queue,
            leases=self.leases,
            preflight=self.preflight,
            clock=self.clock,
        )

    def work_off(self, ref: TargetRef, switch: SwitchState) -> None:
        """Do what one message of the prepare queue asks for."""
        if ref.is_check:
            self.risks.check(ref)
        else:
            self.publish_worker.run(ref, switch)

    @cached_property
    def fire_worker(self) -> FireWorker:
        """What works on wake messages of the publish queue, which come ahead of their second."""

        def slower_way(ref: TargetRef, switch: SwitchState) -> None:
            del switch
            self.prepare_queue.send([ref], now=self.clock())

        threads = self.settings.record_threads
        return FireWorker(
            arming=Arming(self.preflight),
            targets=self.targets,
            leases=self.leases,
            clock=self.clock,
            slower_way=slower_way,
            read_switch=self.engine_switch.read,
            places=Places(
                ThreadPoolExecutor(threads, thread_name_prefix="fire"),
                threads,
                ThreadPoolExecutor(OUTCOME_THREADS, thread_name_prefix="outcome"),
            ),
            armers=ThreadPoolExecutor(threads, thread_name_prefix="arm"),
        )
