"""The services and connectors of a deployment; its workers are beside them in `deployment`."""

from functools import cached_property

from chalicelib.bootstrap.adapters import Adapters
from chalicelib.bootstrap.analytics import make_counter_updates
from chalicelib.bootstrap.checks import make_checks, make_choices, make_risks
from chalicelib.bootstrap.connectors import make_token_keeper, make_token_store, real_connectors
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
from chalicelib.storage.media.fetch_queue import FetchQueue
from chalicelib.storage.posts.draft_reads import DraftReads
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.token_store import SealedTokenStore


class DeployedServices(Adapters):
    """What requests and operators call, over a deployment's adapters, each built when asked for."""

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
            health=Health(WriteProbe(lambda: self.quick_dynamodb, self.tables), self.clock),
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
