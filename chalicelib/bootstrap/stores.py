"""What a deployment keeps in its tables: one repository for each kind of row.

Files and what is known of them are in `media`, what only the app keeps in `people`.
"""

from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.table import BatchRead
from chalicelib.settings import Settings
from chalicelib.storage.analytics.counters import CounterRows
from chalicelib.storage.analytics.reads import AnalyticsReads
from chalicelib.storage.engine.armed_targets import ArmedTargets
from chalicelib.storage.engine.catch_up import CatchUpRepository
from chalicelib.storage.engine.outcomes import OutcomeRepository
from chalicelib.storage.engine.switch import EngineSwitch, TickMark
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import ARM_AHEAD, Lanes, PublishQueue
from chalicelib.storage.moving.marks import Marks
from chalicelib.storage.posts.erasing import DeletedPosts
from chalicelib.storage.posts.known import KnownReads
from chalicelib.storage.posts.labels import LabelRepository
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.posts.queue_slots import QueueSlotRepository
from chalicelib.storage.posts.series import SeriesRepository
from chalicelib.storage.posts.words import WordsRepository
from chalicelib.storage.repeats import RepeatRepository
from chalicelib.storage.sign_in.links import LinkRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.activity import ActivityRows
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.callers import Callers
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex
from chalicelib.storage.workspace.profiles import ProfileRepository
from chalicelib.storage.workspace.request_counts import RequestCounts
from chalicelib.storage.workspace.token_encryption import TokenEncryption
from chalicelib.storage.workspace.token_rows import TokenRows
from chalicelib.storage.workspace.token_store import SealedTokenStore
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from chalicelib.bootstrap.ground import Ground


class Stores:
    """Workspaces, posts and the engine."""

    def __init__(self, ground: "Ground") -> None:
        settings, tables = ground.settings, ground.tables
        clients, dynamodb = ground.clients, ground.clients.dynamodb
        self.batch_read = BatchRead(dynamodb)

        # Workspaces, members, keys and accounts.
        directory = self.directory_table = WorkspaceTable(dynamodb, tables)
        self.callers = Callers(dynamodb, tables)
        self.request_counts = RequestCounts(dynamodb, tables)
        self.repeat_rows = RepeatRepository(dynamodb, tables)
        self.activity_rows = ActivityRows(directory.table)
        self.marks = Marks(dynamodb, tables)
        self.workspaces = WorkspaceRepository(directory)
        self.members = MemberRepository(directory)
        self.api_keys = ApiKeyRepository(directory)
        self.links = LinkRepository(directory)
        self.owner_index = OwnerIndex(directory)
        self.account_repository = AccountRepository(directory)
        self.profiles = ProfileRepository(directory)
        rows = TokenRows(directory)
        encryption = TokenEncryption(clients.kms, settings.tokens_key)
        self.token_store = SealedTokenStore(rows, self.account_repository, encryption)

        # Posts.
        self.posts = PostRepository(dynamodb, tables)
        self.post_lists = PostLists(dynamodb, tables, self.batch_read)
        self.known_reads = KnownReads(self.batch_read, tables)
        self.recent_reads = KnownReads(BatchRead(dynamodb, is_consistent=False), tables)
        self.deleted_posts = DeletedPosts(dynamodb, tables)
        self.series_repository = SeriesRepository(dynamodb, tables)
        self.words = WordsRepository(dynamodb, tables)
        self.label_repository = LabelRepository(dynamodb, tables)
        self.slots = QueueSlotRepository(dynamodb, tables)
        self.result_reads = AnalyticsReads(dynamodb, tables, self.batch_read)
        self.counter_rows = CounterRows(dynamodb, tables, self.batch_read)

        # The engine.
        self.targets = TargetRepository(dynamodb, tables)
        self.armed_targets = ArmedTargets(dynamodb, tables)
        self.outcomes = OutcomeRepository(dynamodb, tables)
        self.catch_up = CatchUpRepository(dynamodb, tables)
        self.engine_switch = EngineSwitch(dynamodb, tables)
        self.tick_mark = TickMark(dynamodb, tables)
        self.lanes = make_lanes(clients.sqs, settings)


def make_lanes(sqs: "SQSClient", settings: Settings) -> Lanes:
    """Return the lanes' queues: only fire's messages come ahead, and retries may wait apart."""
    dead = settings.publish_dead_queue
    fire = PublishQueue(sqs, settings.publish_queue, dead, ahead=ARM_AHEAD)
    retry = prepare = PublishQueue(sqs, settings.prepare_queue, dead)
    if settings.retries_apart:
        retry = PublishQueue(sqs, settings.retries_queue, dead)
    return Lanes(fire=fire, prepare=prepare, retry=retry)
