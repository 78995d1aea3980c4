"""What a key check reads, and how changes of people reach it."""

import logging
import threading
from dataclasses import replace
from datetime import timedelta

import boto3
import pytest
from botocore.config import Config

from chalicelib.domain.workspace.access import Plan, Role, Scope
from chalicelib.domain.workspace.operator_errors import (
    TooManyKeysError,
    UnknownKeyError,
    UnknownMemberError,
)
from chalicelib.storage.workspace.api_keys import MOST_LIVE_KEYS
from chalicelib.storage.workspace.callers import Callers
from chalicelib.storage.workspace.items import StoredKey
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import needs_threads
from tests.support.people import (
    PeopleStore,
    a_key,
    a_member,
    a_store,
    a_workspace,
    an_account,
    the_caller,
)


@pytest.fixture(scope="module")
def store(emulator: EmulatorProcess) -> PeopleStore:
    """Repositories over tables of this file's own."""
    return a_store(make_resources(emulator.endpoint))


def test_a_key_makes_its_member_the_caller(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store, plan=Plan.TRIAL, timezone="Asia/Tokyo")
    account = replace(an_account(store, workspace), audience_regions=("India", "UK"))
    store.accounts.add(account)

    _, stored = a_key(store, owner, scopes=frozenset({Scope.READ}))

    caller = the_caller(store, stored)
    assert caller.workspace_id == workspace.id
    assert (caller.member_id, caller.member_name, caller.role) == (owner.id, "Ada", Role.OWNER)
    assert (caller.key_id, caller.scopes) == (stored.key.id, frozenset({Scope.READ}))
    assert (caller.plan, caller.approvals) == (Plan.TRIAL, False)
    assert caller.trial_ends_at == workspace.created_at + timedelta(days=14)
    assert caller.workspace_created_at == workspace.created_at
    assert (caller.timezone, caller.member_timezone) == ("Asia/Tokyo", "Europe/Paris")
    assert caller.accounts == {account.id: ("India", "UK")}


def test_an_unknown_key_has_no_holder(store: PeopleStore) -> None:
    assert store.callers.holder("0" * 64) is None


def test_a_revoked_key_has_no_holder_at_once(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)

    store.keys.revoke(workspace.id, stored.key.id, store.clock())

    assert store.callers.holder(stored.hash) is None


def test_a_revoked_key_stays_on_the_list(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, first = a_key(store, owner)
    store.clock.pass_time(timedelta(seconds=1))
    _, second = a_key(store, owner)
    now = store.clock()

    store.keys.revoke(workspace.id, first.key.id, now)

    listed = store.keys.list(workspace.id)
    assert [(key.id, key.revoked_at) for key in listed] == [
        (first.key.id, now),
        (second.key.id, None),
    ]


def test_a_key_is_revoked_once(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)
    store.keys.revoke(workspace.id, stored.key.id, store.clock())

    with pytest.raises(UnknownKeyError):
        store.keys.revoke(workspace.id, stored.key.id, store.clock())


def test_a_new_role_reaches_only_the_keys_of_its_member(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    member = a_member(workspace)
    store.members.add(member)
    _, owners = a_key(store, owner)
    _, members = a_key(store, member)

    store.members.set_role(workspace.id, member.id, Role.VIEWER)

    assert the_caller(store, members).role is Role.VIEWER
    assert the_caller(store, owners).role is Role.OWNER


def test_a_changed_workspace_reaches_every_key(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store, plan=Plan.TRIAL)
    _, stored = a_key(store, owner)

    store.workspaces.update(workspace.id, plan=Plan.CREATOR, timezone="Europe/Oslo", approvals=True)

    caller = the_caller(store, stored)
    assert (caller.plan, caller.trial_ends_at) == (Plan.CREATOR, None)
    assert (caller.timezone, caller.approvals) == ("Europe/Oslo", True)


def test_removing_a_member_stops_all_its_keys_however_many(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    member = a_member(workspace)
    store.members.add(member)
    _, owners = a_key(store, owner)
    keys = [a_key(store, member)[1] for _ in range(MOST_LIVE_KEYS - 1)]

    store.members.remove(workspace.id, member.id, store.clock())

    assert [store.callers.holder(stored.hash) for stored in keys] == [None] * len(keys)
    assert store.callers.holder(owners.hash) is not None
    assert [left.id for left in store.members.list(workspace.id)] == [owner.id]


def test_a_removed_member_gets_no_new_key(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    member = a_member(workspace)
    store.members.add(member)
    store.members.remove(workspace.id, member.id, store.clock())

    with pytest.raises(UnknownMemberError):
        a_key(store, member)


def test_a_workspace_with_the_most_keys_still_changes_but_gets_no_more(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    keys = [a_key(store, owner)[1] for _ in range(MOST_LIVE_KEYS)]

    store.workspaces.update(workspace.id, plan=Plan.FREE)
    with pytest.raises(TooManyKeysError):
        a_key(store, owner)

    assert {the_caller(store, stored).plan for stored in keys} == {Plan.FREE}


def test_the_use_of_a_key_is_noted_at_most_once_a_minute(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)
    first = store.clock()

    store.callers.note_use(stored.hash, first)
    store.callers.note_use(stored.hash, first + timedelta(seconds=59))

    assert [key.last_used_at for key in store.keys.list(workspace.id)] == [first]
    store.callers.note_use(stored.hash, first + timedelta(seconds=60))
    assert store.keys.list(workspace.id)[0].last_used_at == first + timedelta(seconds=60)


def test_the_use_of_a_key_survives_a_change_of_role(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)
    store.callers.note_use(stored.hash, store.clock())

    store.members.set_role(workspace.id, owner.id, Role.ADMIN)

    assert store.keys.list(workspace.id)[0].last_used_at == store.clock()


def test_a_use_that_cannot_be_noted_fails_nobody(
    store: PeopleStore, caplog: pytest.LogCaptureFixture
) -> None:
    once = Config(retries={"max_attempts": 0})
    deaf = boto3.client("dynamodb", endpoint_url="http://127.0.0.1:9", config=once)
    callers = Callers(deaf, store.table.tables)
    caplog.set_level(logging.WARNING)

    callers.note_use("0" * 64, store.clock())

    assert "0" * 64 not in caplog.text
    assert [record.getMessage() for record in caplog.records][-1:] == [
        "The use of a key was not noted"
    ]


@needs_threads
def test_no_key_keeps_an_old_role_when_keys_are_made_while_it_changes(store: PeopleStore) -> None:
    """The copy on a key made at that very moment must be the new role, or be rewritten to it."""
    workspace, _ = a_workspace(store)
    member = a_member(workspace, role=Role.EDITOR)
    store.members.add(member)
    made: list[StoredKey] = []

    def make_keys() -> None:
        made.extend(a_key(store, member)[1] for _ in range(4))

    def change_role() -> None:
        store.members.set_role(workspace.id, member.id, Role.VIEWER)

    threads = [threading.Thread(target=work) for work in (make_keys, make_keys, change_role)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {the_caller(store, stored).role for stored in made} == {Role.VIEWER}
    assert len(made) == 8


@needs_threads
def test_a_revocation_wins_against_use_at_the_same_time(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)
    stop = threading.Event()

    def use() -> None:
        now = store.clock()
        while not stop.is_set():
            now += timedelta(minutes=2)
            store.callers.note_use(stored.hash, now)

    user = threading.Thread(target=use)
    user.start()
    store.keys.revoke(workspace.id, stored.key.id, store.clock())
    after = store.callers.holder(stored.hash)
    stop.set()
    user.join()

    assert after is None
    assert store.callers.holder(stored.hash) is None
