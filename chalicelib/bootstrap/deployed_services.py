"""The services and connectors of a deployment; its workers are beside them in `deployment`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.bootstrap.adapters import Adapters

if TYPE_CHECKING:
    from chalicelib.connectors.connector import Connector
    from chalicelib.connectors.shared.auth.tokens import TokenKeeper
    from chalicelib.connectors.shared.registry import Connectors
    from chalicelib.domain.platforms.platform import Platform
    from chalicelib.services.analytics import CounterUpdates
    from chalicelib.services.media.direct_uploads import DirectUploads
    from chalicelib.services.media.fetched_uploads import FetchedUploads
    from chalicelib.services.media.library import MediaLibrary, PulledFiles
    from chalicelib.services.posts.checks import PostChecks
    from chalicelib.services.posts.live_posts import LivePosts
    from chalicelib.services.posts.risks import PostRisks
    from chalicelib.services.posts.updates import PostUpdates
    from chalicelib.services.services import Services
    from chalicelib.services.workspace.accounts import Creators
    from chalicelib.services.workspace.choices import AccountChoices
    from chalicelib.storage.media.source import Addresses
    from chalicelib.storage.workspace.token_store import SealedTokenStore


class DeployedServices(Adapters):
    """What requests and operators call, over a deployment's adapters, each built when asked for."""

    # Connectors.

    @cached_property
    def connectors(self) -> Connectors:
        """Every platform this deployment can publish to."""
        from chalicelib.bootstrap.connectors import MadeWhenMet, real_connectors
        from chalicelib.connectors.shared.registry import Connectors
        from chalicelib.connectors.shared.transport.hosts import require_versions

        base_url = self.settings.base_url
        versions = require_versions(self.settings.platform_versions)
        addresses = {**self.settings.platform_urls, **versions}
        real = real_connectors(addresses, self.clock, self.settings.trusted_origins)

        def sandbox(platform: Platform) -> Connector:
            from chalicelib.connectors.sandbox.connector import SandboxConnector

            return SandboxConnector(platform, self.sandbox_store, base_url, rules=real[platform])

        return Connectors(sandbox=MadeWhenMet(sandbox), real=real)

    @cached_property
    def token_store(self) -> SealedTokenStore:
        """The accounts' tokens."""
        from chalicelib.bootstrap.connectors import make_token_store

        return make_token_store(self.directory_table, self.kms, self.settings.tokens_key)

    @cached_property
    def token_keeper(self) -> TokenKeeper:
        """What hands out accounts with a working token."""
        from chalicelib.bootstrap.connectors import make_token_keeper
        from chalicelib.connectors.shared.auth.tokens import WatchedTokens

        watched = WatchedTokens(
            self.token_store,
            broke=lambda account: self.risks.account_broke(account),
            warned=lambda account: self.risks.sign_in_ends(account),
        )
        return make_token_keeper(watched, self.clock)

    # Services.

    @cached_property
    def updates(self) -> PostUpdates:
        """The one way to change a post."""
        from chalicelib.services.posts.updates import PostUpdates

        return PostUpdates(
            posts=self.posts,
            queue=self.publish_queue,
            check_queue=self.prepare_queue,
            clock=self.clock,
        )

    @cached_property
    def services(self) -> Services:
        """Everything a request can call."""
        from chalicelib.bootstrap.request_services import RequestServices

        return RequestServices(self)

    @cached_property
    def choices(self) -> AccountChoices:
        """What asks accounts what they offer."""
        from chalicelib.bootstrap.checks import make_choices

        return make_choices(self)

    @cached_property
    def checks(self) -> PostChecks:
        """What checks posts ahead of their time."""
        from chalicelib.bootstrap.checks import make_checks

        return make_checks(self)

    @cached_property
    def risks(self) -> PostRisks:
        """What tells ahead that scheduled targets are at risk."""
        from chalicelib.bootstrap.checks import make_risks

        return make_risks(self)

    @cached_property
    def creators(self) -> Creators:
        """What asks TikTok for a creator's settings."""
        from chalicelib.services.workspace.accounts import Creators

        return Creators(connectors=self.connectors, tokens=self.token_keeper, clock=self.clock)

    @cached_property
    def live_posts(self) -> LivePosts:
        """Removal of live posts."""
        from chalicelib.services.posts.live_posts import LivePosts

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
        from chalicelib.bootstrap.analytics import make_counter_updates

        return make_counter_updates(self.dynamodb, self.tables, self.clock)

    @cached_property
    def media_library(self) -> MediaLibrary:
        """A workspace's files."""
        from chalicelib.services.media.library import MediaLibrary

        return MediaLibrary(
            files=self.media_files,
            uploads=self.media_uploads,
            store=self.media_store,
            copies=self.prepared_copies,
            clock=self.clock,
            file_went=lambda post_ids: self.risks.file_went(post_ids),
            addresses=self._addresses_of_files,
        )

    @property
    def _addresses_of_files(self) -> Addresses:
        """Where people get files: at S3, or by our own door.

        The storage of a service on one machine has no address that another machine could reach.
        """
        from chalicelib.storage.media.source import OwnDoor, PresignedLinks

        url = self._door
        if url is None:
            return PresignedLinks(self.media_store)
        return OwnDoor(links=self.pull_links, url=url, clock=self.clock)

    @property
    def _door(self) -> str | None:
        """What stands before the paths of our own door, if files go through it for everybody.

        Without a public address they stay paths: whoever answers a request knows where it came to.
        """
        return (self.settings.public_url or "") if self.settings.is_one_machine else None

    @cached_property
    def direct_uploads(self) -> DirectUploads:
        """Uploads of a file by itself: to S3, or on one machine to our own door."""
        from chalicelib.services.media.direct_uploads import DirectUploads

        return DirectUploads(
            uploads=self.media_uploads, store=self.media_store, clock=self.clock, door=self._door
        )

    @cached_property
    def fetched_uploads(self) -> FetchedUploads:
        """Uploads that we fetch from an address."""
        from chalicelib.services.media.fetched_uploads import FetchedUploads
        from chalicelib.storage.media.queues import FetchQueue

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
        from chalicelib.services.media.library import PulledFiles

        return PulledFiles(links=self.pull_links, store=self.media_store, clock=self.clock)
