"""The repositories over a deployment's tables, one for each kind of row.

Those of files are in `media`, those that only the app uses in `people`. Repositories that neither
sending nor writing posts needs are imported when first used.
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
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

if TYPE_CHECKING:
    from chalicelib.bootstrap.engine_stores import EngineStores
    from chalicelib.bootstrap.ground import Ground
    from chalicelib.storage.analytics.reads import AnalyticsReads
    from chalicelib.storage.moving.marks import Marks
    from chalicelib.storage.posts.series import SeriesRepository
    from chalicelib.storage.sign_in.links import LinkRepository
    from chalicelib.storage.workspace.members import MemberRepository
    from chalicelib.storage.workspace.profiles import ProfileRepository


class Stores:
    """The repositories of workspaces, posts and the engine."""

    def __init__(self, ground: "Ground", engine: "EngineStores") -> None:
        dynamodb, tables = self.place = ground.clients.dynamodb, ground.tables
        self.batch_read = BatchRead(dynamodb)

        # Workspaces, and their accounts.
        directory = self.directory_table = WorkspaceTable(dynamodb, tables)
        self.workspaces = WorkspaceRepository(directory)
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
    def marks(self) -> "Marks":
        from chalicelib.storage.moving.marks import Marks

        return Marks(*self.place)

    @cached_property
    def members(self) -> "MemberRepository":
        from chalicelib.storage.workspace.members import MemberRepository

        return MemberRepository(self.directory_table)

    @cached_property
    def links(self) -> "LinkRepository":
        from chalicelib.storage.sign_in.links import LinkRepository

        return LinkRepository(self.directory_table)

    @cached_property
    def profiles(self) -> "ProfileRepository":
        from chalicelib.storage.workspace.profiles import ProfileRepository

        return ProfileRepository(self.directory_table)

    @cached_property
    def series_repository(self) -> "SeriesRepository":
        from chalicelib.storage.posts.series import SeriesRepository

        return SeriesRepository(self.directory_table)

    @cached_property
    def result_reads(self) -> "AnalyticsReads":
        from chalicelib.storage.analytics.reads import AnalyticsReads

        return AnalyticsReads(*self.place, self.batch_read)
