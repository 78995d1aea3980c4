"""The use cases of a deployment: what requests and pages, workers and commands call.

Each is built, and imported, when somebody first asks for it: a request needs few of them, and the
first one of a new process waits for what it needs.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.bootstrap.platforms import Platforms

if TYPE_CHECKING:
    from chalicelib.services.analytics import Analytics
    from chalicelib.services.counter_updates import CounterUpdates
    from chalicelib.services.health import Health
    from chalicelib.services.media.direct_uploads import DirectUploads
    from chalicelib.services.media.fetched_uploads import FetchedUploads
    from chalicelib.services.media.library import MediaLibrary
    from chalicelib.services.media.pulled_files import PulledFiles
    from chalicelib.services.posts.as_sent import AsSent
    from chalicelib.services.posts.checks import PostChecks
    from chalicelib.services.posts.drafts import Drafts
    from chalicelib.services.posts.erasures import Erasures
    from chalicelib.services.posts.file_descriptions import MediaDescriptions
    from chalicelib.services.posts.golden_hours import GoldenHours
    from chalicelib.services.posts.labels import PostLabels
    from chalicelib.services.posts.live_posts import LivePosts
    from chalicelib.services.posts.queue_slots import QueueSlots
    from chalicelib.services.posts.risks import PostRisks
    from chalicelib.services.posts.scheduling import Scheduling
    from chalicelib.services.posts.updates import PostUpdates
    from chalicelib.services.repeats import Repeats
    from chalicelib.services.workspace.activity import ActivityLog
    from chalicelib.services.workspace.authentication import Authentication
    from chalicelib.services.workspace.fair_shares import FairShares
    from chalicelib.storage.moving.marks import Marks


class UseCases(Platforms):
    """What a workspace's callers can do, and what workers do for them."""

    # Workspaces.

    @cached_property
    def activity(self) -> ActivityLog:
        """What was done in workspaces; most requests note nothing."""
        from chalicelib.services.workspace.activity import ActivityLog
        from chalicelib.storage.workspace.activity import ActivityRows

        rows = ActivityRows(self.directory_table.table)
        return ActivityLog(rows=rows, workspaces=self.workspaces, clock=self.clock)

    @cached_property
    def authentication(self) -> Authentication:
        from chalicelib.services.workspace.authentication import Authentication
        from chalicelib.storage.workspace.callers import Callers

        callers = Callers(self.dynamodb, self.tables)
        return Authentication(
            callers=callers,
            clock=self.clock,
            activity=lambda: self.activity,
            marks=lambda: self.marks,
        )

    @cached_property
    def marks(self) -> Marks:
        """Where workspaces move, or moved."""
        from chalicelib.storage.moving.marks import Marks

        return Marks(self.dynamodb, self.tables)

    @cached_property
    def fair_shares(self) -> FairShares | None:
        """What keeps each workspace to its share of requests; None where it may send any."""
        if not self.settings.workspace_rate:
            return None
        from chalicelib.domain.workspace.fair_share import FairShare
        from chalicelib.services.workspace.fair_shares import FairShares
        from chalicelib.storage.workspace.request_counts import RequestCounts

        counts = RequestCounts(self.dynamodb, self.tables)
        return FairShares(counts, self.clock, FairShare(self.settings.workspace_rate))

    @cached_property
    def health(self) -> Health:
        from chalicelib.kit.dynamodb.table import Table
        from chalicelib.services.health import Health
        from chalicelib.storage.engine.switch import TickMark

        table = Table(self.quick_dynamodb, self.tables.directory)
        mark = TickMark(self.quick_dynamodb, self.tables)
        return Health(table, self.clock, mark.read)

    @cached_property
    def repeats(self) -> Repeats:
        """What makes a call that is repeated with its key take effect once."""
        from chalicelib.services.repeats import Repeats
        from chalicelib.storage.repeats import RepeatRepository

        return Repeats(rows=RepeatRepository(self.dynamodb, self.tables), clock=self.clock)

    # Posts.

    @cached_property
    def updates(self) -> PostUpdates:
        """The one way to change a post."""
        from chalicelib.services.posts.updates import PostUpdates

        return PostUpdates(
            posts=self.posts,
            lanes=self.lanes,
            clock=self.clock,
        )

    @cached_property
    def drafts(self) -> Drafts:
        from chalicelib.services.posts.drafts import Drafts

        return Drafts(
            posts=self.posts,
            reads=self.known_reads,
            updates=self.updates,
            golden_hours=self.golden_hours,
            choices=self.choices,
            counter_updates=self.counter_updates,
            erasures=self.erasures,
            clock=self.clock,
        )

    @cached_property
    def erasures(self) -> Erasures:
        """What takes the words from deleted posts."""
        from chalicelib.services.posts.erasures import Erasures
        from chalicelib.storage.posts.erasing import DeletedPosts

        return Erasures(posts=self.posts, deleted=DeletedPosts(self.dynamodb, self.tables))

    @cached_property
    def scheduling(self) -> Scheduling:
        from chalicelib.services.posts.scheduling import Scheduling

        return Scheduling(
            updates=self.updates,
            golden_hours=self.golden_hours,
            queue_slots=self.queue_slots,
            clock=self.clock,
            choices=self.choices,
            reads=self.known_reads,
        )

    @cached_property
    def golden_hours(self) -> GoldenHours:
        from chalicelib.services.posts.golden_hours import GoldenHours

        return GoldenHours(results=self.result_reads, clock=self.clock)

    @cached_property
    def queue_slots(self) -> QueueSlots:
        from chalicelib.services.posts.queue_slots import QueueSlots

        return QueueSlots(slots=self.slots, clock=self.clock)

    @cached_property
    def labels(self) -> PostLabels:
        from chalicelib.services.posts.labels import PostLabels

        return PostLabels(rows=self.label_repository, posts=self.posts, clock=self.clock)

    @cached_property
    def checks(self) -> PostChecks:
        from chalicelib.services.posts.checks import PostChecks

        return PostChecks(
            posts=self.posts,
            lists=self.post_lists,
            reads=self.known_reads,
            choices=self.choices,
            connectors=self.connectors,
            tokens=self.token_store.read,
            files_are_public=self.public_addresses is not None,
            clock=self.clock,
            calls=self.calls_out,
            settings=self.settings.platform_versions,
        )

    @cached_property
    def as_sent(self) -> AsSent:
        """What tells of targets what would leave."""
        from chalicelib.services.posts.as_sent import AsSent

        return AsSent(connectors=self.connectors)

    @cached_property
    def risks(self) -> PostRisks:
        from chalicelib.kit.dynamodb.table import BatchRead
        from chalicelib.services.posts.risks import PostRisks
        from chalicelib.storage.posts.known import KnownReads

        return PostRisks(
            posts=self.posts,
            targets=self.targets,
            reads=self.known_reads,
            recent_reads=KnownReads(BatchRead(self.dynamodb, is_consistent=False), self.tables),
            queue=self.prepare_queue,
            connectors=self.connectors,
            tokens=self.token_keeper,
            checks=self.checks,
            notices=self.risk_notices,
            clock=self.clock,
        )

    @cached_property
    def live_posts(self) -> LivePosts:
        from chalicelib.services.posts.live_posts import LivePosts

        return LivePosts(
            posts=self.posts,
            accounts=self.account_repository,
            connectors=self.connectors,
            tokens=self.token_keeper,
            updates=self.updates,
            counter_updates=self.counter_updates,
            clock=self.clock,
            calls=self.calls_out,
        )

    # Results.

    @cached_property
    def analytics(self) -> Analytics:
        from chalicelib.services.analytics import Analytics

        return Analytics(
            posts=self.posts, lists=self.post_lists, reads=self.result_reads, clock=self.clock
        )

    @cached_property
    def counter_updates(self) -> CounterUpdates:
        """What keeps results and their sums in line with posts."""
        from chalicelib.services.counter_updates import CounterUpdates
        from chalicelib.storage.analytics.counters import CounterRows

        rows = CounterRows(self.dynamodb, self.tables, self.batch_read)
        return CounterUpdates(counter_rows=rows, clock=self.clock)

    # Media.

    @cached_property
    def media_library(self) -> MediaLibrary:
        from chalicelib.services.media.library import MediaLibrary

        return MediaLibrary(
            files=self.media_files,
            uploads=self.media_uploads,
            store=self.media_store,
            copies=self.prepared_copies,
            clock=self.clock,
            file_went=self.risk_notices.file_went,
            addresses=self.addresses_for_people,
        )

    @cached_property
    def media_descriptions(self) -> MediaDescriptions:
        """What names and describes files."""
        from chalicelib.services.posts.file_descriptions import MediaDescriptions

        return MediaDescriptions(files=self.media_files, updates=self.updates, clock=self.clock)

    @cached_property
    def direct_uploads(self) -> DirectUploads:
        """Uploads of a file by itself: to S3, or on one machine to our own door."""
        from chalicelib.services.media.direct_uploads import DirectUploads

        return DirectUploads(
            uploads=self.media_uploads,
            store=self.media_store,
            clock=self.clock,
            door=self.settings.own_door,
        )

    @cached_property
    def fetched_uploads(self) -> FetchedUploads:
        """Uploads that we fetch from an address."""
        from chalicelib.services.media.fetched_uploads import FetchedUploads
        from chalicelib.storage.media.lanes import LanePlaces
        from chalicelib.storage.media.queues import FetchQueue
        from chalicelib.storage.tables import fetch_place_key

        return FetchedUploads(
            uploads=self.media_uploads,
            direct=self.direct_uploads,
            store=self.media_store,
            queue=FetchQueue(self.sqs, self.settings.uploads_queue),
            places=LanePlaces(self.dynamodb, self.tables, fetch_place_key),
            trusted=self.settings.trusted_origins,
            clock=self.clock,
        )

    @cached_property
    def pulled_files(self) -> PulledFiles:
        """What platforms fetch at our own door."""
        from chalicelib.services.media.pulled_files import PulledFiles

        return PulledFiles(links=self.pull_links, store=self.media_store, clock=self.clock)
