"""What callers do with posts: write them, schedule them, and read what came of them."""

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.services.counter_updates import CounterUpdates
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.erasures import Erasures
from chalicelib.services.posts.golden_hours import GoldenHours
from chalicelib.services.posts.queue_slots import QueueSlots
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.services.posts.series import PostSeries
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.services.posts.words import SavedWords

if TYPE_CHECKING:
    from chalicelib.bootstrap.stores import Stores
    from chalicelib.bootstrap.workspaces import WorkspaceParts
    from chalicelib.domain.clock import Clock
    from chalicelib.services.posts.labels import PostLabels


class PostParts:
    """The one way to change a post, `updates`, and what callers change by it."""

    def __init__(self, stores: "Stores", accounts: "WorkspaceParts", clock: "Clock") -> None:
        self._stores, self._clock = stores, clock
        self.counter_updates = CounterUpdates(counter_rows=stores.counter_rows, clock=clock)
        """What keeps results and their sums in line with posts."""
        self.erasures = Erasures(posts=stores.posts, deleted=stores.deleted_posts)
        """What takes the words from deleted posts."""
        self.updates = PostUpdates(posts=stores.posts, lanes=stores.lanes, clock=clock)
        self.golden_hours = GoldenHours(results=stores.result_reads, clock=clock)
        self.queue_slots = QueueSlots(slots=stores.slots, clock=clock)
        self.drafts = Drafts(
            posts=stores.posts,
            reads=stores.known_reads,
            updates=self.updates,
            golden_hours=self.golden_hours,
            choices=accounts.choices,
            counter_updates=self.counter_updates,
            erasures=self.erasures,
            clock=clock,
        )
        self.scheduling = Scheduling(
            updates=self.updates,
            golden_hours=self.golden_hours,
            queue_slots=self.queue_slots,
            clock=clock,
            choices=accounts.choices,
            reads=stores.known_reads,
        )
        self.words = SavedWords(rows=stores.words, clock=clock)
        self.series = PostSeries(
            rows=stores.series_repository,
            posts=stores.posts,
            drafts=self.drafts,
            scheduling=self.scheduling,
            members=stores.members,
            workspaces=stores.workspaces,
            accounts=stores.account_repository,
            clock=clock,
        )

    @cached_property
    def labels(self) -> "PostLabels":
        """Labels, whose names are counted by Unicode's tables: they are imported when used."""
        from chalicelib.services.posts.labels import PostLabels

        stores = self._stores
        return PostLabels(rows=stores.label_repository, posts=stores.posts, clock=self._clock)
