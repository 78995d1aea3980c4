"""The services with which callers write, schedule and repeat posts.

Sending posts needs only `erasures`; the others are imported when they are first used.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.services.posts.erasures import Erasures

if TYPE_CHECKING:
    from chalicelib.bootstrap.stores import Stores
    from chalicelib.bootstrap.workspaces import WorkspaceParts
    from chalicelib.domain.clock import Clock
    from chalicelib.services.counter_updates import CounterUpdates
    from chalicelib.services.posts.comments import PostComments
    from chalicelib.services.posts.drafts import Drafts
    from chalicelib.services.posts.golden_hours import GoldenHours
    from chalicelib.services.posts.labels import PostLabels
    from chalicelib.services.posts.queue_slots import QueueSlots
    from chalicelib.services.posts.scheduling import Scheduling
    from chalicelib.services.posts.series import PostSeries
    from chalicelib.services.posts.updates import PostUpdates
    from chalicelib.services.posts.words import SavedWords


class PostParts:
    """The services of posts; all changes of a post go through `updates`."""

    def __init__(self, stores: "Stores", accounts: "WorkspaceParts", clock: "Clock") -> None:
        self._stores, self._accounts, self._clock = stores, accounts, clock
        self._place = stores.place
        self.erasures = Erasures(posts=stores.posts, deleted=stores.deleted_posts)
        """Removes the texts of deleted posts."""

    @cached_property
    def counter_updates(self) -> "CounterUpdates":
        """Keeps metrics and counters up to date with changes of posts."""
        from chalicelib.services.counter_updates import CounterUpdates
        from chalicelib.storage.analytics.counters import CounterRows

        rows = CounterRows(*self._place, self._stores.batch_read)
        return CounterUpdates(counter_rows=rows, clock=self._clock)

    @cached_property
    def updates(self) -> "PostUpdates":
        from chalicelib.services.posts.updates import PostUpdates

        stores = self._stores
        return PostUpdates(
            posts=stores.posts, workspaces=stores.workspaces, lanes=stores.lanes, clock=self._clock
        )

    @cached_property
    def golden_hours(self) -> "GoldenHours":
        from chalicelib.services.posts.golden_hours import GoldenHours

        return GoldenHours(results=self._stores.result_reads, clock=self._clock)

    @cached_property
    def queue_slots(self) -> "QueueSlots":
        from chalicelib.services.posts.queue_slots import QueueSlots
        from chalicelib.storage.posts.queue_slots import QueueSlotRepository

        return QueueSlots(
            slots=QueueSlotRepository(self._stores.directory_table), clock=self._clock
        )

    @cached_property
    def drafts(self) -> "Drafts":
        from chalicelib.services.posts.drafts import Drafts

        return Drafts(
            posts=self._stores.posts,
            reads=self._stores.known_reads,
            updates=self.updates,
            golden_hours=self.golden_hours,
            choices=self._accounts.choices,
            counter_updates=self.counter_updates,
            erasures=self.erasures,
            clock=self._clock,
        )

    @cached_property
    def scheduling(self) -> "Scheduling":
        from chalicelib.services.posts.scheduling import Scheduling

        return Scheduling(
            updates=self.updates,
            golden_hours=self.golden_hours,
            queue_slots=self.queue_slots,
            clock=self._clock,
            choices=self._accounts.choices,
            reads=self._stores.known_reads,
        )

    @cached_property
    def comments(self) -> "PostComments":
        from chalicelib.services.posts.comments import PostComments
        from chalicelib.storage.posts.unread import UnreadRepository

        return PostComments(
            posts=self._stores.posts,
            members=self._stores.members,
            unread_rows=UnreadRepository(*self._place),
            workspaces=self._stores.workspaces,
            clock=self._clock,
        )

    @cached_property
    def words(self) -> "SavedWords":
        from chalicelib.services.posts.words import SavedWords
        from chalicelib.storage.posts.words import WordsRepository

        return SavedWords(rows=WordsRepository(self._stores.directory_table), clock=self._clock)

    @cached_property
    def series(self) -> "PostSeries":
        from chalicelib.services.posts.series import PostSeries

        stores = self._stores
        return PostSeries(
            rows=stores.series_repository,
            posts=stores.posts,
            drafts=self.drafts,
            scheduling=self.scheduling,
            members=stores.members,
            workspaces=stores.workspaces,
            accounts=stores.account_repository,
            repeats=self._accounts.repeats,
            clock=self._clock,
        )

    @cached_property
    def labels(self) -> "PostLabels":
        from chalicelib.services.posts.labels import PostLabels
        from chalicelib.storage.posts.labels import LabelRepository

        rows = LabelRepository(*self._place)
        return PostLabels(rows=rows, posts=self._stores.posts, clock=self._clock)
