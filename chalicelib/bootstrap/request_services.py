"""What one request after another asks for, built when the first of them does.

`DeployedServices.services` is the one of a deployment; it satisfies `services/services.py`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployed_services import DeployedServices
    from chalicelib.services.analytics import Analytics
    from chalicelib.services.health import Health
    from chalicelib.services.media.direct_uploads import DirectUploads
    from chalicelib.services.media.fetched_uploads import FetchedUploads
    from chalicelib.services.media.library import MediaLibrary
    from chalicelib.services.posts.checks import PostChecks
    from chalicelib.services.posts.drafts import Drafts
    from chalicelib.services.posts.live_posts import LivePosts
    from chalicelib.services.posts.reading import PostsReader
    from chalicelib.services.posts.scheduling import Scheduling
    from chalicelib.services.posts.times import GoldenHours, QueueSlots, TargetTimes
    from chalicelib.services.workspace.accounts import Accounts
    from chalicelib.services.workspace.authentication import Authentication
    from chalicelib.services.workspace.choices import AccountChoices
    from chalicelib.storage.dynamodb.transaction import BatchRead
    from chalicelib.storage.posts.draft_reads import DraftReads


class RequestServices:
    """The use cases of the API over one deployment."""

    def __init__(self, deployment: DeployedServices) -> None:
        self._deployment = deployment

    # Also called by workers and operators.

    @property
    def media_library(self) -> MediaLibrary:
        """A workspace's files."""
        return self._deployment.media_library

    @property
    def direct_uploads(self) -> DirectUploads:
        """Uploads that go straight to S3."""
        return self._deployment.direct_uploads

    @property
    def fetched_uploads(self) -> FetchedUploads:
        """Uploads that we fetch from an address."""
        return self._deployment.fetched_uploads

    @property
    def choices(self) -> AccountChoices:
        """What accounts offer."""
        return self._deployment.choices

    @property
    def checks(self) -> PostChecks:
        """Checks of posts ahead of their time."""
        return self._deployment.checks

    @property
    def live_posts(self) -> LivePosts:
        """Removal of live posts."""
        return self._deployment.live_posts

    # Called by requests alone.

    @cached_property
    def authentication(self) -> Authentication:
        """Who calls."""
        from chalicelib.services.workspace.authentication import Authentication
        from chalicelib.storage.workspace.api_keys import ApiKeyRepository

        keys = ApiKeyRepository(self._deployment.directory_table)
        return Authentication(keys=keys, clock=self._deployment.clock)

    @cached_property
    def accounts(self) -> Accounts:
        """Connected accounts."""
        from chalicelib.services.workspace.accounts import Accounts

        return Accounts(
            accounts=self._deployment.accounts,
            read_creator=lambda account: self._deployment.creators.read(account),
        )

    @cached_property
    def drafts(self) -> Drafts:
        """Posts as they are written."""
        from chalicelib.services.posts.drafts import Drafts

        return Drafts(
            posts=self._deployment.posts,
            reads=self._reads,
            updates=self._deployment.updates,
            times=self._times,
            choices=self._deployment.choices,
            counter_updates=self._deployment.counter_updates,
            clock=self._deployment.clock,
        )

    @cached_property
    def posts_reader(self) -> PostsReader:
        """Posts as they are read."""
        from chalicelib.services.posts.reading import PostsReader
        from chalicelib.storage.posts.lists import PostLists

        lists = PostLists(self._deployment.dynamodb, self._deployment.tables, self._batch)
        return PostsReader(posts=self._deployment.posts, lists=lists)

    @cached_property
    def scheduling(self) -> Scheduling:
        """When posts go out."""
        from chalicelib.services.posts.scheduling import Scheduling
        from chalicelib.services.workspace.choices import known_choices

        return Scheduling(
            updates=self._deployment.updates,
            times=self._times,
            clock=self._deployment.clock,
            known_choices=known_choices(self._deployment.choices, self._reads),
        )

    @cached_property
    def golden_hours(self) -> GoldenHours:
        """The best hours."""
        from chalicelib.services.posts.times import GoldenHours

        return GoldenHours(results=self._deployment.result_reads, clock=self._deployment.clock)

    @cached_property
    def queue_slots(self) -> QueueSlots:
        """Queue times."""
        from chalicelib.services.posts.times import QueueSlots

        return QueueSlots(slots=self._deployment.slots, clock=self._deployment.clock)

    @cached_property
    def analytics(self) -> Analytics:
        """Results."""
        from chalicelib.services.analytics import Analytics

        return Analytics(
            posts=self._deployment.posts,
            reads=self._deployment.result_reads,
            clock=self._deployment.clock,
        )

    @cached_property
    def health(self) -> Health:
        """Whether the service can keep what it is told."""
        from chalicelib.services.health import Health
        from chalicelib.storage.dynamodb.failures import WriteProbe

        probe = WriteProbe(self._deployment.quick_dynamodb, self._deployment.tables)
        return Health(probe, self._deployment.clock)

    # What several of them share.

    @cached_property
    def _batch(self) -> BatchRead:
        from chalicelib.storage.dynamodb.transaction import BatchRead

        return BatchRead(self._deployment.dynamodb)

    @cached_property
    def _reads(self) -> DraftReads:
        from chalicelib.storage.posts.draft_reads import DraftReads

        return DraftReads(self._batch, self._deployment.tables)

    @cached_property
    def _times(self) -> TargetTimes:
        from chalicelib.services.posts.times import TargetTimes

        return TargetTimes(slots=self._deployment.slots, results=self._deployment.result_reads)
