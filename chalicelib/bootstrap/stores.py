"""What a deployment keeps in its tables: one repository for each kind of row.

Files and what is known of them are in `media`, what only the app keeps in `people`. What neither a
post's second nor a draft needs is imported when first asked for.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.table import BatchRead
from chalicelib.storage.posts.erasing import DeletedPosts
from chalicelib.storage.posts.known import KnownReads
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.repeats import RepeatRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.callers import Callers
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.token_encryption import TokenEncryption
from chalicelib.storage.workspace.token_rows import TokenRows
from chalicelib.storage.workspace.token_store import SealedTokenStore

if TYPE_CHECKING:
    from chalicelib.bootstrap.engine_stores import EngineStores
    from chalicelib.bootstrap.ground import Ground
    from chalicelib.storage.analytics.counters import CounterRows
    from chalicelib.storage.analytics.reads import AnalyticsReads
    from chalicelib.storage.moving.marks import Marks
    from chalicelib.storage.posts.labels import LabelRepository
    from chalicelib.storage.posts.plans import PlanRepository
    from chalicelib.storage.posts.queue_slots import QueueSlotRepository
    from chalicelib.storage.posts.series import SeriesRepository
    from chalicelib.storage.posts.unread import UnreadRepository
    from chalicelib.storage.posts.words import WordsRepository
    from chalicelib.storage.sign_in.links import LinkRepository
    from chalicelib.storage.workspace.activity import ActivityRows
    from chalicelib.storage.workspace.api_keys import ApiKeyRepository
    from chalicelib.storage.workspace.chooser import ChooserRepository
    from chalicelib.storage.workspace.members import MemberRepository
    from chalicelib.storage.workspace.owner_index import OwnerIndex
    from chalicelib.storage.workspace.profiles import ProfileRepository
    from chalicelib.storage.workspace.request_counts import RequestCounts
    from chalicelib.storage.workspace.workspaces import WorkspaceRepository


class Stores:
    """Workspaces, posts and the engine."""

    def __init__(self, ground: "Ground", engine: "EngineStores") -> None:
        dynamodb, tables = self._place = ground.clients.dynamodb, ground.tables
        self.batch_read = BatchRead(dynamodb)

        # Workspaces, and their accounts.
        directory = self.directory_table = WorkspaceTable(dynamodb, tables)
        self.callers = Callers(dynamodb, tables)
        self.repeat_rows = RepeatRepository(dynamodb, tables)
        self.account_repository = AccountRepository(directory)
        rows = TokenRows(directory)
        encryption = TokenEncryption(ground.clients.kms, ground.settings.tokens_key)
        self.token_store = SealedTokenStore(rows, self.account_repository, encryption)

        # Posts.
        self.posts = PostRepository(dynamodb, tables)
        self.post_lists = PostLists(dynamodb, tables, self.batch_read)
        self.known_reads = KnownReads(self.batch_read, tables)
        self.recent_reads = KnownReads(BatchRead(dynamodb, is_consistent=False), tables)
        self.deleted_posts = DeletedPosts(dynamodb, tables)

        # The engine.
        self.targets, self.armed_targets = engine.targets, engine.armed_targets
        self.outcomes, self.catch_up = engine.outcomes, engine.catch_up
        self.engine_switch, self.tick_mark = engine.engine_switch, engine.tick_mark
        self.lanes = engine.lanes

    @cached_property
    def activity_rows(self) -> "ActivityRows":
        from chalicelib.storage.workspace.activity import ActivityRows

        return ActivityRows(self.directory_table.table)

    @cached_property
    def marks(self) -> "Marks":
        from chalicelib.storage.moving.marks import Marks

        return Marks(*self._place)

    @cached_property
    def workspaces(self) -> "WorkspaceRepository":
        from chalicelib.storage.workspace.workspaces import WorkspaceRepository

        return WorkspaceRepository(self.directory_table)

    @cached_property
    def members(self) -> "MemberRepository":
        from chalicelib.storage.workspace.members import MemberRepository

        return MemberRepository(self.directory_table)

    @cached_property
    def api_keys(self) -> "ApiKeyRepository":
        from chalicelib.storage.workspace.api_keys import ApiKeyRepository

        return ApiKeyRepository(self.directory_table)

    @cached_property
    def links(self) -> "LinkRepository":
        from chalicelib.storage.sign_in.links import LinkRepository

        return LinkRepository(self.directory_table)

    @cached_property
    def owner_index(self) -> "OwnerIndex":
        from chalicelib.storage.workspace.owner_index import OwnerIndex

        return OwnerIndex(self.directory_table)

    @cached_property
    def profiles(self) -> "ProfileRepository":
        from chalicelib.storage.workspace.profiles import ProfileRepository

        return ProfileRepository(self.directory_table)

    @cached_property
    def series_repository(self) -> "SeriesRepository":
        from chalicelib.storage.posts.series import SeriesRepository

        return SeriesRepository(*self._place)

    @cached_property
    def unread(self) -> "UnreadRepository":
        from chalicelib.storage.posts.unread import UnreadRepository

        return UnreadRepository(*self._place)

    @cached_property
    def chooser(self) -> "ChooserRepository":
        from chalicelib.storage.workspace.chooser import ChooserRepository

        return ChooserRepository(*self._place)

    @cached_property
    def words(self) -> "WordsRepository":
        from chalicelib.storage.posts.words import WordsRepository

        return WordsRepository(*self._place)

    @cached_property
    def plans(self) -> "PlanRepository":
        from chalicelib.storage.posts.plans import PlanRepository

        return PlanRepository(*self._place)

    @cached_property
    def label_repository(self) -> "LabelRepository":
        from chalicelib.storage.posts.labels import LabelRepository

        return LabelRepository(*self._place)

    @cached_property
    def slots(self) -> "QueueSlotRepository":
        from chalicelib.storage.posts.queue_slots import QueueSlotRepository

        return QueueSlotRepository(*self._place)

    @cached_property
    def counter_rows(self) -> "CounterRows":
        from chalicelib.storage.analytics.counters import CounterRows

        return CounterRows(*self._place, self.batch_read)

    @cached_property
    def result_reads(self) -> "AnalyticsReads":
        from chalicelib.storage.analytics.reads import AnalyticsReads

        return AnalyticsReads(*self._place, self.batch_read)

    @cached_property
    def request_counts(self) -> "RequestCounts":
        from chalicelib.storage.workspace.request_counts import RequestCounts

        return RequestCounts(*self._place)
