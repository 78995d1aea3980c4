"""Who a header makes the caller, and how soon a change holds."""

import threading
from dataclasses import dataclass
from datetime import timedelta

import boto3
import pytest
from botocore.config import Config

from chalicelib.domain.errors import BadApiKey
from chalicelib.domain.workspace.access import Role, Scope
from chalicelib.domain.workspace.key_form import make_key
from chalicelib.services.workspace.authentication import Authentication
from chalicelib.storage.moving.marks import Marks
from chalicelib.storage.workspace.callers import Callers
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.people import PeopleStore, a_key, a_store, a_workspace, an_account


@dataclass(frozen=True, slots=True)
class Door:
    """The authentication under test and the tables behind it."""

    authentication: Authentication
    store: PeopleStore


@pytest.fixture(scope="module")
def door(emulator: EmulatorProcess) -> Door:
    """Return a door over tables of this file's own."""
    store = a_store(make_resources(emulator.endpoint))
    return Door(
        _authentication(store, store.callers),
        store,
    )


def _authentication(store: PeopleStore, callers: Callers) -> Authentication:
    return Authentication(
        callers=callers,
        clock=store.clock,
        activity=lambda: store.activity,
        marks=lambda: Marks(store.table.client, store.table.tables),
    )


def test_a_key_opens_the_door(door: Door) -> None:
    workspace, owner = a_workspace(door.store)
    text, stored = a_key(door.store, owner)

    caller = door.authentication.authenticate(f"Bearer {text}")

    assert (caller.workspace_id, caller.key_id) == (workspace.id, stored.key.id)


@pytest.mark.parametrize("header", ["bearer {}", "BEARER {}", "Bearer   {}", " Bearer {} "])
def test_the_scheme_is_read_generously(door: Door, header: str) -> None:
    _, owner = a_workspace(door.store)
    text, stored = a_key(door.store, owner)

    caller = door.authentication.authenticate(header.format(text))

    assert caller.key_id == stored.key.id


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer ", "Basic {}", "{}", "Bearer {} more", "Bearer é{}", "Bearer{}"],
)
def test_anything_else_is_refused(door: Door, header: str | None) -> None:
    _, owner = a_workspace(door.store)
    text, _ = a_key(door.store, owner)

    with pytest.raises(BadApiKey):
        door.authentication.authenticate(header and header.format(text))


def test_a_well_formed_key_that_nobody_has_is_refused(door: Door) -> None:
    with pytest.raises(BadApiKey):
        door.authentication.authenticate(f"Bearer {make_key()}")


def test_a_mistyped_key_is_refused_without_the_database(door: Door) -> None:
    """The client behind this door would raise another error if it were asked."""
    once = Config(retries={"max_attempts": 0})
    nowhere = boto3.client("dynamodb", endpoint_url="http://127.0.0.1:9", config=once)
    callers = Callers(nowhere, door.store.table.tables)
    key = make_key()
    mistyped = key[:20] + ("B" if key[20] == "A" else "A") + key[21:]

    with pytest.raises(BadApiKey):
        _authentication(door.store, callers).authenticate(f"Bearer {mistyped}")


def test_a_revocation_holds_from_the_next_request(door: Door) -> None:
    workspace, owner = a_workspace(door.store)
    text, stored = a_key(door.store, owner)
    door.authentication.authenticate(f"Bearer {text}")

    door.store.keys.revoke(workspace.id, stored.key.id, door.store.clock())

    with pytest.raises(BadApiKey):
        door.authentication.authenticate(f"Bearer {text}")


def test_a_removed_members_key_is_refused(door: Door) -> None:
    workspace, owner = a_workspace(door.store)
    text, _ = a_key(door.store, owner)

    door.store.members.remove(workspace.id, owner.id, door.store.clock())

    with pytest.raises(BadApiKey):
        door.authentication.authenticate(f"Bearer {text}")


def test_a_new_role_holds_from_the_next_request(door: Door) -> None:
    workspace, owner = a_workspace(door.store)
    text, _ = a_key(door.store, owner, scopes=frozenset(Scope))

    door.store.members.set_role(workspace.id, owner.id, Role.VIEWER)

    assert door.authentication.authenticate(f"Bearer {text}").role is Role.VIEWER


def test_the_last_use_is_kept_to_the_minute(door: Door) -> None:
    workspace, owner = a_workspace(door.store)
    text, _ = a_key(door.store, owner)
    first = door.store.clock()

    door.authentication.authenticate(f"Bearer {text}")
    door.store.clock.pass_time(timedelta(seconds=59))
    door.authentication.authenticate(f"Bearer {text}")

    assert [key.last_used_at for key in door.store.keys.list(workspace.id)] == [first]


def test_no_request_gets_in_once_a_revocation_was_answered(door: Door) -> None:
    workspace, owner = a_workspace(door.store)
    text, stored = a_key(door.store, owner)
    revoked, late = threading.Event(), []

    def knock() -> None:
        for _ in range(40):
            answered = revoked.is_set()
            try:
                caller = door.authentication.authenticate(f"Bearer {text}")
            except BadApiKey:
                continue
            if answered:
                late.append(caller)

    threads = [threading.Thread(target=knock) for _ in range(4)]
    for thread in threads:
        thread.start()
    door.store.keys.revoke(workspace.id, stored.key.id, door.store.clock())
    revoked.set()
    for thread in threads:
        thread.join()

    assert late == []


def test_a_key_check_is_one_read(door: Door) -> None:
    """Whatever the workspace holds; a use is noted with one write a minute, the first with two."""
    workspace, owner = a_workspace(door.store)
    for _ in range(5):
        door.store.accounts.add(an_account(door.store, workspace))
    text, _ = a_key(door.store, owner)
    calls: list[str] = []
    events = door.store.table.client.meta.events
    events.register("before-call.dynamodb", lambda model, **_: calls.append(model.name), "count")

    door.authentication.authenticate(f"Bearer {text}")
    door.authentication.authenticate(f"Bearer {text}")

    events.unregister("before-call.dynamodb", unique_id="count")
    assert calls == ["GetItem", "UpdateItem", "PutItem", "GetItem"]
