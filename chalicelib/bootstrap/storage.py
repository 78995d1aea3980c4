"""The storage of a deployment: a repository for each kind of row, built when it is asked for."""

from __future__ import annotations

import atexit
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chalicelib.bootstrap.adapters import Adapters
from chalicelib.kit.aws_on_sqlite.address import is_embedded

if TYPE_CHECKING:
    from chalicelib.kit.dynamodb.table import BatchRead
    from chalicelib.storage.analytics.reads import AnalyticsReads
    from chalicelib.storage.engine.armed_targets import ArmedTargets
    from chalicelib.storage.engine.switch import EngineSwitch
    from chalicelib.storage.engine.targets import TargetRepository
    from chalicelib.storage.engine.wake_queue import Lanes, PublishQueue
    from chalicelib.storage.media.conversions import Conversions
    from chalicelib.storage.media.prepared_copies import PreparedCopies
    from chalicelib.storage.media.pull_links import PullLinks
    from chalicelib.storage.media.queues import ConvertQueue
    from chalicelib.storage.media.records import MediaRepository
    from chalicelib.storage.media.store import S3MediaStore
    from chalicelib.storage.media.stored_file import Addresses
    from chalicelib.storage.media.uploads import MediaUploads
    from chalicelib.storage.posts.known import KnownReads
    from chalicelib.storage.posts.labels import LabelRepository
    from chalicelib.storage.posts.lists import PostLists
    from chalicelib.storage.posts.posts import PostRepository
    from chalicelib.storage.posts.queue_slots import QueueSlotRepository
    from chalicelib.storage.sandbox import SandboxTable
    from chalicelib.storage.sandbox_file import SqliteSandboxStore
    from chalicelib.storage.sign_in.links import LinkRepository
    from chalicelib.storage.workspace.accounts import AccountRepository
    from chalicelib.storage.workspace.api_keys import ApiKeyRepository
    from chalicelib.storage.workspace.changes import WorkspaceTable
    from chalicelib.storage.workspace.members import MemberRepository
    from chalicelib.storage.workspace.owner_index import OwnerIndex
    from chalicelib.storage.workspace.profiles import ProfileRepository
    from chalicelib.storage.workspace.token_store import SealedTokenStore
    from chalicelib.storage.workspace.workspaces import WorkspaceRepository


class Storage(Adapters):
    """What a deployment keeps and where."""

    @cached_property
    def batch_read(self) -> BatchRead:
        from chalicelib.kit.dynamodb.table import BatchRead

        return BatchRead(self.dynamodb)

    # Workspaces.

    @cached_property
    def directory_table(self) -> WorkspaceTable:
        """Workspaces, members, keys and accounts."""
        from chalicelib.storage.workspace.changes import WorkspaceTable

        return WorkspaceTable(self.dynamodb, self.tables)

    @cached_property
    def workspaces(self) -> WorkspaceRepository:
        from chalicelib.storage.workspace.workspaces import WorkspaceRepository

        return WorkspaceRepository(self.directory_table)

    @cached_property
    def members(self) -> MemberRepository:
        from chalicelib.storage.workspace.members import MemberRepository

        return MemberRepository(self.directory_table)

    @cached_property
    def api_keys(self) -> ApiKeyRepository:
        from chalicelib.storage.workspace.api_keys import ApiKeyRepository

        return ApiKeyRepository(self.directory_table)

    @cached_property
    def links(self) -> LinkRepository:
        from chalicelib.storage.sign_in.links import LinkRepository

        return LinkRepository(self.directory_table)

    @cached_property
    def owner_index(self) -> OwnerIndex:
        from chalicelib.storage.workspace.owner_index import OwnerIndex

        return OwnerIndex(self.directory_table)

    @cached_property
    def account_repository(self) -> AccountRepository:
        from chalicelib.storage.workspace.accounts import AccountRepository

        return AccountRepository(self.directory_table)

    @cached_property
    def profiles(self) -> ProfileRepository:
        """How accounts look, as it was read last."""
        from chalicelib.storage.workspace.profiles import ProfileRepository

        return ProfileRepository(self.directory_table)

    @cached_property
    def token_store(self) -> SealedTokenStore:
        from chalicelib.storage.workspace.token_encryption import TokenEncryption
        from chalicelib.storage.workspace.token_rows import TokenRows
        from chalicelib.storage.workspace.token_store import SealedTokenStore

        encryption = TokenEncryption(self.kms, self.settings.tokens_key)
        rows = TokenRows(self.directory_table)
        return SealedTokenStore(rows, self.account_repository, encryption)

    # Posts.

    @cached_property
    def posts(self) -> PostRepository:
        from chalicelib.storage.posts.posts import PostRepository

        return PostRepository(self.dynamodb, self.tables)

    @cached_property
    def post_lists(self) -> PostLists:
        from chalicelib.storage.posts.lists import PostLists

        return PostLists(self.dynamodb, self.tables, self.batch_read)

    @cached_property
    def known_reads(self) -> KnownReads:
        from chalicelib.storage.posts.known import KnownReads

        return KnownReads(self.batch_read, self.tables)

    @cached_property
    def slots(self) -> QueueSlotRepository:
        from chalicelib.storage.posts.queue_slots import QueueSlotRepository

        return QueueSlotRepository(self.dynamodb, self.tables)

    @cached_property
    def label_repository(self) -> LabelRepository:
        from chalicelib.storage.posts.labels import LabelRepository

        return LabelRepository(self.dynamodb, self.tables)

    @cached_property
    def result_reads(self) -> AnalyticsReads:
        from chalicelib.storage.analytics.reads import AnalyticsReads

        return AnalyticsReads(self.dynamodb, self.tables, self.batch_read)

    # The engine.

    @cached_property
    def targets(self) -> TargetRepository:
        from chalicelib.storage.engine.targets import TargetRepository

        return TargetRepository(self.dynamodb, self.tables)

    @cached_property
    def armed_targets(self) -> ArmedTargets:
        from chalicelib.storage.engine.armed_targets import ArmedTargets

        return ArmedTargets(self.dynamodb, self.tables)

    @cached_property
    def engine_switch(self) -> EngineSwitch:
        from chalicelib.storage.engine.switch import EngineSwitch

        return EngineSwitch(self.dynamodb, self.tables)

    @cached_property
    def publish_queue(self) -> PublishQueue:
        """Wake messages that arrive ahead of their second, for the fire worker."""
        from chalicelib.storage.engine.wake_queue import ARM_AHEAD, PublishQueue

        dead = self.settings.publish_dead_queue
        return PublishQueue(self.sqs, self.settings.publish_queue, dead, ahead=ARM_AHEAD)

    @cached_property
    def prepare_queue(self) -> PublishQueue:
        """Wake messages for the publish worker, which goes the slower way."""
        from chalicelib.storage.engine.wake_queue import PublishQueue

        dead = self.settings.publish_dead_queue
        return PublishQueue(self.sqs, self.settings.prepare_queue, dead)

    @cached_property
    def retries_queue(self) -> PublishQueue:
        """Wake messages for the publish worker in the retries' own places, if there are any."""
        from chalicelib.storage.engine.wake_queue import PublishQueue

        if not self.settings.retries_apart:
            return self.prepare_queue
        dead = self.settings.publish_dead_queue
        return PublishQueue(self.sqs, self.settings.retries_queue, dead)

    @cached_property
    def lanes(self) -> Lanes:
        """The queue of each lane."""
        from chalicelib.storage.engine.wake_queue import Lanes

        return Lanes(fire=self.publish_queue, prepare=self.prepare_queue, retry=self.retries_queue)

    @cached_property
    def sandbox_store(self) -> SandboxTable | SqliteSandboxStore:
        """What test accounts published: a file beside a local stack, a table in AWS."""
        from chalicelib.storage.sandbox import SandboxTable
        from chalicelib.storage.sandbox_file import SqliteSandboxStore

        if self.settings.data_dir is not None:
            store = SqliteSandboxStore(Path(self.settings.data_dir) / "sandbox.db")
            atexit.register(store.close)
            return store
        return SandboxTable(self.dynamodb, self.settings.sandbox_table)

    # Media.

    @cached_property
    def media_store(self) -> S3MediaStore:
        from chalicelib.storage.media.store import S3MediaStore

        s3: Any = self.s3  # the embedded one takes parts itself, where links lead nowhere
        send_part = s3.send_part if is_embedded(self.settings.endpoint_url) else None
        return S3MediaStore(self.s3, self.settings.media_bucket, send_part=send_part)

    @cached_property
    def media_files(self) -> MediaRepository:
        from chalicelib.storage.media.records import MediaRepository

        return MediaRepository(self.dynamodb, self.tables)

    @cached_property
    def media_uploads(self) -> MediaUploads:
        from chalicelib.storage.media.uploads import MediaUploads

        return MediaUploads(self.dynamodb, self.tables)

    @cached_property
    def prepared_copies(self) -> PreparedCopies:
        from chalicelib.storage.media.prepared_copies import PreparedCopies

        return PreparedCopies(self.dynamodb, self.tables, self.media_store)

    @cached_property
    def conversions(self) -> Conversions:
        from chalicelib.storage.media.conversions import Conversions

        return Conversions(self.dynamodb, self.tables)

    @cached_property
    def convert_queue(self) -> ConvertQueue:
        from chalicelib.storage.media.queues import ConvertQueue

        return ConvertQueue(self.sqs, self.settings.convert_queue)

    @cached_property
    def pull_links(self) -> PullLinks:
        from chalicelib.storage.media.pull_links import PullLinks

        return PullLinks(self.dynamodb, self.tables)

    @property
    def public_addresses(self) -> Addresses | None:
        """How platforms get at files: by our own door, else by S3 itself, else not at all."""
        if self.settings.pull_url is not None:
            return self.addresses_at(self.settings.pull_url)
        from chalicelib.storage.media.addresses import PresignedLinks

        return PresignedLinks(self.media_store) if self.settings.endpoint_url is None else None

    @property
    def addresses_for_people(self) -> Addresses:
        """Where people get files: at S3, or by our own door."""
        if self.settings.own_door is not None:
            return self.addresses_at(self.settings.own_door, is_for_people=True)
        from chalicelib.storage.media.addresses import PresignedLinks

        return PresignedLinks(self.media_store)

    def addresses_at(self, url: str, *, is_for_people: bool = False) -> Addresses:
        """Return what makes addresses of our own door."""
        from chalicelib.storage.media.addresses import OwnDoor

        return OwnDoor(
            links=self.pull_links, url=url, clock=self.clock, is_for_people=is_for_people
        )
