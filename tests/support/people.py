"""Workspaces, members, keys and accounts for tests, over real tables.

`a_store(settings)` holds every repository; `a_workspace(store)` makes one with an owner. A
workspace that many tests begin with is made once, then copied: `a_staff(…).move_in(settings)`.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from chalicelib.domain.ids import new_id
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.queue_slots import default_slots
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Caller, Plan, Role, Scope
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.key_form import key_hash, make_key
from chalicelib.domain.workspace.workspaces import ApiKey, Member, Workspace
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.settings import Settings
from chalicelib.storage.tables import Tables
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.activity import ActivityRows
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.callers import Callers, key_item
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import (
    StoredKey,
    listed_workspace_key,
    member_item,
    slot_item,
    stored_key_item,
    workspace_item,
)
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex
from chalicelib.storage.workspace.token_rows import TokenRows
from chalicelib.storage.workspace.workspaces import WorkspaceRepository
from tests.support.clients import a_client
from tests.support.emulator import make_resources
from tests.support.frozen_clock import FrozenClock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST_ROWS = 25
"""Of one BatchWriteItem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleStore:
    """Every repository of the directory table, and the clock that dates what is made."""

    table: WorkspaceTable
    workspaces: WorkspaceRepository
    members: MemberRepository
    keys: ApiKeyRepository
    callers: Callers
    accounts: AccountRepository
    tokens: TokenRows
    index: OwnerIndex
    clock: FrozenClock = field(default_factory=FrozenClock)

    @property
    def activity(self) -> ActivityLog:
        rows = ActivityRows(self.table.table)
        return ActivityLog(rows=rows, workspaces=self.workspaces, clock=self.clock)


def a_store(settings: Settings) -> PeopleStore:
    """Return the repositories over the tables that the settings name."""
    client = _client(settings.dynamodb_url)
    tables = Tables(
        posts=settings.posts_table,
        directory=settings.directory_table,
        media=settings.media_table,
    )
    table = WorkspaceTable(client, tables)
    return PeopleStore(
        table=table,
        workspaces=WorkspaceRepository(table),
        members=MemberRepository(table),
        keys=ApiKeyRepository(table),
        callers=Callers(table.client, table.tables),
        accounts=AccountRepository(table),
        tokens=TokenRows(table),
        index=OwnerIndex(table),
    )


def a_workspace(
    store: PeopleStore,
    *,
    plan: Plan = Plan.STUDIO,
    timezone: str = "UTC",
    workspace_id: str | None = None,
) -> tuple[Workspace, Member]:
    """Make a workspace with its owner, Ada."""
    now = store.clock()
    workspace = Workspace(
        id=workspace_id or new_id(now),
        name="Lighthouse Bakery",
        plan=plan,
        timezone=timezone,
        approvals=False,
        created_at=now,
    )
    owner = a_member(workspace, name="Ada", role=Role.OWNER)
    store.workspaces.add(workspace, owner, ())
    return workspace, owner


def a_member(workspace: Workspace, *, name: str = "Grace", role: Role = Role.EDITOR) -> Member:
    """Return a member that is not stored yet."""
    return Member(
        id=new_id(workspace.created_at),
        workspace_id=workspace.id,
        name=name,
        role=role,
        timezone="Europe/Paris",
        created_at=workspace.created_at,
    )


def a_key(
    store: PeopleStore, member: Member, *, scopes: frozenset[Scope] = DEFAULT_SCOPES
) -> tuple[str, StoredKey]:
    """Make a key of a member; return its text and what is stored of it."""
    now = store.clock()
    text = make_key()
    key = ApiKey(
        id=new_id(now),
        workspace_id=member.workspace_id,
        member_id=member.id,
        name="laptop",
        scopes=scopes,
        created_at=now,
    )
    stored = StoredKey(key=key, hash=key_hash(text))
    store.keys.add(stored)
    return text, stored


def an_account(
    store: PeopleStore,
    workspace: Workspace,
    *,
    platform: Platform = Platform.X,
    handle: str | None = None,
    remote_identity: str | None = None,
) -> Account:
    """Return an account that is not stored yet, made a millisecond after the one before."""
    store.clock.pass_time(timedelta(milliseconds=1))
    now = store.clock()
    account_id = new_id(now)
    return Account(
        id=account_id,
        workspace_id=workspace.id,
        platform=platform,
        handle=handle or f"@lighthouse-{account_id[-8:]}",
        test=remote_identity is None,
        created_at=now,
        remote_identity=remote_identity,
    )


def the_caller(store: PeopleStore, stored: StoredKey) -> Caller:
    """Return whom a key makes the caller right now."""
    holder = store.callers.holder(stored.hash)
    assert holder is not None
    return holder.caller


@dataclass(frozen=True, slots=True)
class Staff:
    """A workspace's rows as they were written once, whom its key makes the caller, and when."""

    rows: tuple[dict[str, Any], ...] = field(repr=False)
    caller: Caller
    now: datetime

    def move_in(self, settings: Settings) -> PeopleStore:
        """Write the rows to empty tables, in fewer calls than the workspace was made in."""
        people = a_store(settings)
        _put_all(people.table, self.rows)
        people.clock.now = self.now
        return people


@functools.cache
def a_staff(endpoint: str, plan: Plan, platforms: tuple[Platform, ...]) -> Staff:
    """Make a workspace with a test account on each platform named, and return it to be copied."""
    settings = make_resources(endpoint)
    people = a_store(settings)
    workspace, owner = a_workspace(people, plan=plan)
    for platform in platforms:
        people.accounts.add(an_account(people, workspace, platform=platform))
    _, key = a_key(people, owner, scopes=frozenset(Scope))
    rows = people.table.client.scan(TableName=settings.directory_table)["Items"]
    return Staff(tuple(rows), the_caller(people, key), people.clock.now)


def a_written_workspace(
    table: WorkspaceTable, now: datetime, *, plan: Plan, timezone: str, approvals: bool
) -> tuple[str, str]:
    """Write in one call what an operator makes in seven: a workspace, its owner, a key for all.

    Returns the workspace's id and the key.
    """
    workspace = Workspace(
        id=new_id(now),
        name="Lighthouse Bakery",
        plan=plan,
        timezone=timezone,
        approvals=approvals,
        created_at=now,
        version=2,  # the key is its first change
    )
    owner = Member(
        id=new_id(now),
        workspace_id=workspace.id,
        name="Ada",
        role=Role.OWNER,
        timezone=timezone,
        created_at=now,
    )
    text = make_key()
    key = ApiKey(
        id=new_id(now),
        workspace_id=workspace.id,
        member_id=owner.id,
        name="",
        scopes=frozenset(Scope),
        created_at=now,
    )
    stored = StoredKey(key=key, hash=key_hash(text))
    rows = [
        workspace_item(workspace),
        listed_workspace_key(workspace.id),
        member_item(owner),
        *(slot_item(workspace.id, slot) for slot in default_slots(now)),
        stored_key_item(stored),
        key_item(stored, owner, workspace, ()),
    ]
    _put_all(table, [attributes(row) for row in rows])
    return workspace.id, text


def _put_all(table: WorkspaceTable, rows: Sequence[Mapping[str, Any]]) -> None:
    for start in range(0, len(rows), MOST_ROWS):
        puts: Any = [{"PutRequest": {"Item": row}} for row in rows[start : start + MOST_ROWS]]
        answer = table.client.batch_write_item(RequestItems={table.tables.directory: puts})
        assert not answer["UnprocessedItems"]


@functools.cache
def _client(url: str | None) -> "DynamoDBClient":
    """Return the client of an emulator's tables; making it takes longer than using it."""
    return a_client("dynamodb", url)
