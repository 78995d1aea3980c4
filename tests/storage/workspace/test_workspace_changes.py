"""Workspaces on the list of all, look-ups by id, and the engine's switch."""

from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.domain.workspace.operator_errors import (
    LastOwnerError,
    UnknownMemberError,
    UnknownWorkspaceError,
)
from chalicelib.domain.workspace.plans import TRIAL_COUNTER
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.settings import Settings
from chalicelib.storage.engine.switch import EngineSwitch, SwitchState
from chalicelib.storage.tables import use_key
from chalicelib.storage.workspace.items import ACCOUNTS, LIVE_KEYS, MEMBERS
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.overtaken import overtaken_once
from tests.support.people import PeopleStore, a_key, a_member, a_store, a_workspace, an_account


@pytest.fixture
def settings(emulator: EmulatorProcess) -> Settings:
    """Tables of one test's own."""
    return make_resources(emulator.endpoint)


@pytest.fixture
def store(settings: Settings) -> PeopleStore:
    """Repositories over them."""
    return a_store(settings)


def test_every_workspace_is_listed_oldest_first(store: PeopleStore) -> None:
    first, _ = a_workspace(store)
    store.clock.pass_time(timedelta(seconds=1))
    second, _ = a_workspace(store, plan=Plan.FREE)

    listed = store.workspaces.list()

    assert listed == [first, second]


def test_a_workspace_changes_only_what_is_given(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store, timezone="Asia/Tokyo")

    store.workspaces.update(workspace.id, approvals=True)

    changed = store.workspaces.get(workspace.id)
    assert changed is not None
    assert (changed.plan, changed.timezone, changed.approvals) == (
        Plan.STUDIO,
        "Asia/Tokyo",
        True,
    )


def test_an_unknown_workspace_cannot_change(store: PeopleStore) -> None:
    with pytest.raises(UnknownWorkspaceError):
        store.workspaces.update("0" * 32, approvals=True)

    assert store.workspaces.get("0" * 32) is None


def test_a_removed_member_is_unknown(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)

    store.members.remove(workspace.id, owner.id, store.clock())

    with pytest.raises(UnknownMemberError):
        store.members.remove(workspace.id, owner.id, store.clock())


def test_two_owners_who_end_each_others_ownership_at_once_leave_one(
    store: PeopleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, first = a_workspace(store)
    second = a_member(workspace, role=Role.OWNER)
    store.members.add(second)
    read = store.members.list

    def demote() -> None:
        store.members.set_role(workspace.id, second.id, Role.EDITOR, by_member=first.id)

    monkeypatch.setattr(store.members, "list", overtaken_once(read, demote))

    with pytest.raises(LastOwnerError):
        store.members.remove(workspace.id, first.id, store.clock(), by_member=first.id)

    owners = [one.id for one in read(workspace.id) if one.role is Role.OWNER]
    assert owners == [first.id]


def test_the_used_up_allowance_is_read_for_many_workspaces_at_once(
    store: PeopleStore, settings: Settings
) -> None:
    first, _ = a_workspace(store)
    second, _ = a_workspace(store)
    used = {**use_key(first.id, "2026-11"), "x_units": 12}
    store.table.client.put_item(TableName=settings.directory_table, Item=attributes(used))

    units = store.workspaces.x_units([(first.id, "2026-11"), (second.id, TRIAL_COUNTER)])

    assert units == {first.id: 12, second.id: 0}


def test_members_keys_and_accounts_are_found_by_their_id_alone(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    member, account = a_member(workspace), an_account(store, workspace)
    store.members.add(member)
    store.accounts.add(account)
    _, stored = a_key(store, owner)

    found = [
        store.index.workspace_of(prefix, identifier)
        for prefix, identifier in (
            (MEMBERS, member.id),
            (ACCOUNTS, account.id),
            (LIVE_KEYS, stored.key.id),
        )
    ]

    assert found == [workspace.id] * 3


def test_an_id_of_another_kind_is_not_found(store: PeopleStore) -> None:
    _, owner = a_workspace(store)
    store.index._wait = lambda _: None

    assert store.index.workspace_of(ACCOUNTS, owner.id) is None


def test_the_engine_runs_until_it_is_paused(settings: Settings) -> None:
    switch = _switch(settings)

    before = switch.read()
    switch.pause()

    assert before == SwitchState(paused=False)
    assert switch.read() == SwitchState(paused=True)
    switch.resume()
    assert switch.read() == SwitchState(paused=False)


def test_what_was_due_before_a_restore_stays_marked_through_a_pause(
    settings: Settings, store: PeopleStore
) -> None:
    switch, now = _switch(settings), store.clock()
    since = now - timedelta(hours=3)
    switch.pause()

    switch.resume_confirming(since, now=now)
    switch.pause()
    switch.resume()

    assert switch.read() == SwitchState(confirm_since=since, confirm_until=now)


def _switch(settings: Settings) -> EngineSwitch:
    store = a_store(settings)
    client = a_client("dynamodb", settings.dynamodb_url)
    return EngineSwitch(client, store.table.tables)
