"""Connected accounts: order, limits, identities, health and tokens."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.operator_errors import (
    AccountLimitError,
    IdentityTakenError,
    UnknownAccountError,
    UnknownWorkspaceError,
)
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import needs_threads
from tests.support.people import PeopleStore, a_key, a_store, a_workspace, an_account, the_caller


@pytest.fixture(scope="module")
def store(emulator: EmulatorProcess) -> PeopleStore:
    """Repositories over tables of this file's own."""
    return a_store(make_resources(emulator.endpoint))


def _all_at_once(works: list[Callable[[], object]]) -> list[Exception]:
    """Run each in a thread of its own; return what they raised."""
    raised: list[Exception] = []
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        barrier.wait()
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the test looks at what it was
            raised.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_accounts_are_listed_oldest_first(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    accounts = [an_account(store, workspace, platform=platform) for platform in Platform]

    for account in reversed(accounts):
        store.accounts.add(account)

    assert store.accounts.list(workspace.id) == accounts


def test_an_account_is_kept_whole(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    account = replace(
        an_account(store, workspace, platform=Platform.BLUESKY, remote_identity="did:plc:ewvi7nxz"),
        audience_regions=("Europe", "UK"),
        token_expires_at=store.clock() + timedelta(hours=2),
        settings={"pds": "https://pds.example", "depth": 2},
    )

    store.accounts.add(account)

    assert store.accounts.get(workspace.id, account.id) == account


def test_an_account_of_another_workspace_is_not_found(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    other, _ = a_workspace(store)
    account = an_account(store, workspace)
    store.accounts.add(account)

    assert store.accounts.get(other.id, account.id) is None
    assert store.accounts.list(other.id) == []


def test_an_unknown_workspace_gets_no_account(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    nowhere = replace(workspace, id="0" * 32)

    with pytest.raises(UnknownWorkspaceError):
        store.accounts.add(an_account(store, nowhere))


@pytest.mark.parametrize(
    ("plan", "limit"),
    [(Plan.FREE, 3), (Plan.STARTER, 3), (Plan.TRIAL, 8), (Plan.CREATOR, 8), (Plan.STUDIO, 25)],
)
def test_a_plan_covers_so_many_accounts(store: PeopleStore, plan: Plan, limit: int) -> None:
    workspace, _ = a_workspace(store, plan=plan)
    for _ in range(limit):
        store.accounts.add(an_account(store, workspace))

    with pytest.raises(AccountLimitError):
        store.accounts.add(an_account(store, workspace))

    assert len(store.accounts.list(workspace.id)) == limit


def test_a_disconnected_account_makes_room_for_another(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store, plan=Plan.STARTER)
    accounts = [an_account(store, workspace) for _ in range(4)]
    for account in accounts[:3]:
        store.accounts.add(account)

    store.accounts.remove(workspace.id, accounts[0].id, store.clock())
    store.accounts.add(accounts[3])

    assert store.accounts.list(workspace.id) == accounts[1:]
    assert store.accounts.get(workspace.id, accounts[0].id) is None


@needs_threads
def test_connects_at_the_same_time_never_exceed_the_plan(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store, plan=Plan.STARTER)
    _, stored = a_key(store, owner)
    store.accounts.add(an_account(store, workspace))
    store.accounts.add(an_account(store, workspace))
    rivals = [an_account(store, workspace) for _ in range(4)]

    raised = _all_at_once([partial(store.accounts.add, rival) for rival in rivals])

    connected = store.accounts.list(workspace.id)
    assert [type(error) for error in raised] == [AccountLimitError] * 3
    assert len(connected) == 3
    assert list(the_caller(store, stored).accounts) == [account.id for account in connected]


def test_an_identity_is_connected_once_in_a_workspace(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    store.accounts.add(an_account(store, workspace, remote_identity="12345"))

    with pytest.raises(IdentityTakenError):
        store.accounts.add(an_account(store, workspace, remote_identity="12345"))


def test_an_identity_can_be_connected_elsewhere(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    other, _ = a_workspace(store)
    store.accounts.add(an_account(store, workspace, remote_identity="12345"))

    store.accounts.add(an_account(store, other, remote_identity="12345"))
    store.accounts.add(
        an_account(store, workspace, platform=Platform.THREADS, remote_identity="12345")
    )

    assert len(store.accounts.list(workspace.id)) == 2


def test_an_identity_that_was_disconnected_can_be_connected_anew(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    gone = an_account(store, workspace, remote_identity="12345")
    store.accounts.add(gone)
    store.accounts.remove(workspace.id, gone.id, store.clock())

    again = an_account(store, workspace, remote_identity="12345")
    store.accounts.add(again)

    assert store.accounts.list(workspace.id) == [again]


@needs_threads
def test_two_connects_of_one_identity_make_one_account(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    twins = [an_account(store, workspace, remote_identity="777") for _ in range(2)]

    raised = _all_at_once([partial(store.accounts.add, twin) for twin in twins])

    assert [type(error) for error in raised] == [IdentityTakenError]
    assert len(store.accounts.list(workspace.id)) == 1


def test_an_account_is_disconnected_once(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    account = an_account(store, workspace)
    store.accounts.add(account)
    store.accounts.remove(workspace.id, account.id, store.clock())

    with pytest.raises(UnknownAccountError):
        store.accounts.remove(workspace.id, account.id, store.clock())


def test_new_regions_reach_the_account_and_every_key(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)
    first, second = an_account(store, workspace), an_account(store, workspace)
    store.accounts.add(first)
    store.accounts.add(second)

    changed = store.accounts.set_regions(workspace.id, first.id, ("India", "Africa"))

    assert changed == replace(first, audience_regions=("India", "Africa"))
    assert store.accounts.get(workspace.id, first.id) == changed
    assert the_caller(store, stored).accounts == {first.id: ("India", "Africa"), second.id: ()}


@needs_threads
def test_regions_set_at_the_same_time_all_arrive(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)
    accounts = [an_account(store, workspace) for _ in range(6)]
    for account in accounts:
        store.accounts.add(account)

    raised = _all_at_once(
        [
            partial(store.accounts.set_regions, workspace.id, account.id, ("UK",))
            for account in accounts
        ]
    )

    assert raised == []
    assert set(the_caller(store, stored).accounts.values()) == {("UK",)}
    assert {a.audience_regions for a in store.accounts.list(workspace.id)} == {("UK",)}


def test_a_disconnected_account_leaves_every_key(store: PeopleStore) -> None:
    workspace, owner = a_workspace(store)
    _, stored = a_key(store, owner)
    account = an_account(store, workspace)
    store.accounts.add(account)

    store.accounts.remove(workspace.id, account.id, store.clock())

    assert the_caller(store, stored).accounts == {}


def test_health_comes_with_its_reason_and_goes_with_it(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)
    account = an_account(store, workspace)
    store.accounts.add(account)

    store.accounts.set_health(workspace.id, account.id, Health.BROKEN, "The token was refused.")

    assert store.accounts.get(workspace.id, account.id) == replace(
        account, health=Health.BROKEN, health_reason="The token was refused."
    )
    store.accounts.set_health(workspace.id, account.id, Health.OK)
    assert store.accounts.get(workspace.id, account.id) == account


def test_an_unknown_account_has_no_health(store: PeopleStore) -> None:
    workspace, _ = a_workspace(store)

    with pytest.raises(UnknownAccountError):
        store.accounts.set_health(workspace.id, "0" * 32, Health.OK)

    assert store.accounts.list(workspace.id) == []
