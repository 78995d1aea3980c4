"""What operators and callers do with people and accounts, through the services."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import boto3
import pytest

from chalicelib.bootstrap.connectors import make_token_store
from chalicelib.bootstrap.operator import make_connections, make_directory
from chalicelib.domain.access import Caller, Plan, Role
from chalicelib.domain.accounts import Health, SignIn
from chalicelib.domain.errors import AccountNotFound
from chalicelib.domain.operator_errors import (
    OperatorError,
    OtherIdentityError,
    UnknownAccountError,
    UnknownKeyError,
    UnknownMemberError,
    UnknownWorkspaceError,
)
from chalicelib.domain.platforms import Platform
from chalicelib.domain.tokens import Tokens
from chalicelib.services.accounts import Accounts
from chalicelib.services.authentication import Authentication
from chalicelib.services.connections import Connections
from chalicelib.services.directory import Directory
from chalicelib.storage.directory_items import slot_from
from chalicelib.storage.items import attributes
from chalicelib.storage.tables import use_key
from chalicelib.storage.token_store import SealedTokenStore
from tests.emulator import EmulatorProcess, make_resources
from tests.people import PeopleStore, a_store

NOBODY = "0" * 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """The services under test over one deployment's tables."""

    directory: Directory
    connections: Connections
    accounts: Accounts
    authentication: Authentication
    store: PeopleStore
    tokens: SealedTokenStore

    def workspace(self, plan: Plan = Plan.STUDIO, timezone: str = "UTC") -> tuple[str, str]:
        """Make a workspace; return its id and its owner's."""
        made, owner = self.directory.create_workspace(
            name="Lighthouse Bakery",
            plan=plan,
            timezone=timezone,
            approvals=False,
            owner_name="Ada",
        )
        return made.id, owner.id

    def caller(self, member_id: str) -> Caller:
        """Make a key of a member and return whom it makes the caller."""
        key = self.directory.create_key(member_id)
        return self.authentication.authenticate(f"Bearer {key.secret}")


@pytest.fixture(scope="module")
def office(emulator: EmulatorProcess) -> Office:
    """Return the services over tables of this file's own."""
    settings = make_resources(emulator.endpoint)
    store = a_store(settings)
    kms = boto3.client("kms", endpoint_url=settings.endpoint_url)
    tokens = make_token_store(store.table, kms, settings.tokens_key)
    return Office(
        tokens=tokens,
        directory=make_directory(store.table, store.clock),
        connections=make_connections(store.table, store.clock, tokens),
        accounts=Accounts(accounts=store.accounts),
        authentication=Authentication(keys=store.keys, clock=store.clock),
        store=store,
    )


def test_a_new_workspace_has_an_owner_in_its_time_zone(office: Office) -> None:
    workspace_id, owner_id = office.workspace(timezone="Asia/Tokyo")

    members = office.directory.list_members(workspace_id)

    assert [(m.id, m.name, m.role, m.timezone) for m in members] == [
        (owner_id, "Ada", Role.OWNER, "Asia/Tokyo")
    ]


def test_a_new_workspace_starts_with_three_queue_times(office: Office) -> None:
    workspace_id, _ = office.workspace()

    slots = [slot_from(row) for row in office.store.table.rows(workspace_id, "SLOT#")]

    assert [(slot.weekdays, slot.time, slot.label) for slot in slots] == [
        ((0, 1, 2, 3, 4), "09:00", ""),
        ((0, 1, 2, 3, 4, 5, 6), "19:00", ""),
        ((5,), "10:00", ""),
    ]


def test_the_months_use_is_that_of_the_workspaces_own_calendar(office: Office) -> None:
    """At noon of the 30th in UTC it is December already in Kiritimati, 14 hours ahead."""
    workspace_id, _ = office.workspace(plan=Plan.STARTER, timezone="Pacific/Kiritimati")
    for month, units in (("2026-11", 7), ("2026-12", 12)):
        row = {**use_key(workspace_id, month), "x_units": units}
        table = office.store.table
        table.client.put_item(TableName=table.tables.directory, Item=attributes(row))
    directory = make_directory(
        office.store.table, lambda: datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    )

    shown = directory.show_workspace(workspace_id)

    assert (shown.x_posts, shown.x_allowance) == (12, 30)


@pytest.mark.parametrize(
    ("plan", "allowance"),
    [
        (Plan.FREE, 0),
        (Plan.TRIAL, 10),
        (Plan.STARTER, 30),
        (Plan.CREATOR, 150),
        (Plan.STUDIO, 500),
    ],
)
def test_a_plan_has_its_x_allowance(office: Office, plan: Plan, allowance: int) -> None:
    workspace_id, _ = office.workspace(plan=plan)

    assert office.directory.show_workspace(workspace_id).x_allowance == allowance


@pytest.mark.parametrize("name", ["", " Ada", "x" * 101, "Ada\x1b[31m"])
def test_an_impossible_name_is_refused(office: Office, name: str) -> None:
    workspace_id, _ = office.workspace()

    with pytest.raises(OperatorError, match="A name has 1 to 100"):
        office.directory.add_member(workspace_id, name=name, role=Role.VIEWER)


def test_an_unknown_time_zone_is_refused(office: Office) -> None:
    workspace_id, _ = office.workspace()

    with pytest.raises(OperatorError, match='no time zone "Mars/Olympus"'):
        office.directory.update_workspace(workspace_id, timezone="Mars/Olympus")


Ask = Callable[[Office, str], object]


@pytest.mark.parametrize("identifier", [NOBODY, "nonsense", "", "x" * 5000])
@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda o, i: o.directory.show_workspace(i), UnknownWorkspaceError),
        (lambda o, i: o.directory.update_workspace(i, approvals=True), UnknownWorkspaceError),
        (lambda o, i: o.directory.list_keys(i), UnknownWorkspaceError),
        (lambda o, i: o.connections.list(i), UnknownWorkspaceError),
        (lambda o, i: o.directory.create_key(i), UnknownMemberError),
        (lambda o, i: o.directory.update_member(i, Role.VIEWER), UnknownMemberError),
        (lambda o, i: o.directory.remove_member(i), UnknownMemberError),
        (lambda o, i: o.directory.revoke_key(i), UnknownKeyError),
        (lambda o, i: o.connections.disconnect(i), UnknownAccountError),
        (lambda o, i: o.connections.set_health(i, Health.OK), UnknownAccountError),
    ],
    ids=[
        "show workspace",
        "update workspace",
        "list keys",
        "list accounts",
        "create key",
        "update member",
        "remove member",
        "revoke key",
        "disconnect",
        "health",
    ],
)
def test_an_unknown_id_is_named_for_what_it_is_not(
    office: Office, ask: Ask, error: type[OperatorError], identifier: str
) -> None:
    with pytest.raises(error):
        ask(office, identifier)


def test_a_new_key_starts_with_the_three_scopes(office: Office) -> None:
    _, owner_id = office.workspace()

    caller = office.caller(owner_id)

    assert sorted(caller.scopes) == ["post.publish", "post.read", "post.write"]


def test_a_keys_text_is_not_in_its_representation(office: Office) -> None:
    _, owner_id = office.workspace()

    made = office.directory.create_key(owner_id)

    assert made.secret not in repr(made)


def test_a_caller_sees_the_accounts_of_its_workspace_alone(office: Office) -> None:
    workspace_id, owner_id = office.workspace()
    other_id, _ = office.workspace()
    account = office.connections.connect_test_account(
        workspace_id, platform=Platform.X, handle="@lighthouse"
    )
    office.connections.connect_test_account(other_id, platform=Platform.X, handle="@other")

    seen = office.accounts.list(office.caller(owner_id))

    assert seen == [account]


def test_only_the_first_three_regions_are_kept(office: Office) -> None:
    workspace_id, owner_id = office.workspace()
    account = office.connections.connect_test_account(
        workspace_id, platform=Platform.X, handle="@lighthouse"
    )

    changed = office.accounts.set_regions(
        office.caller(owner_id), account.id, ["UK", "India", "Africa", "Europe"]
    )

    assert changed.audience_regions == ("UK", "India", "Africa")
    assert office.caller(owner_id).accounts == {account.id: ("UK", "India", "Africa")}


def test_a_foreign_account_is_not_found(office: Office) -> None:
    _, owner_id = office.workspace()
    other_id, _ = office.workspace()
    foreign = office.connections.connect_test_account(
        other_id, platform=Platform.X, handle="@other"
    )

    with pytest.raises(AccountNotFound):
        office.accounts.set_regions(office.caller(owner_id), foreign.id, ["UK"])

    assert office.connections.find(foreign.id).audience_regions == ()


def test_an_account_that_goes_meanwhile_is_not_found(office: Office) -> None:
    workspace_id, owner_id = office.workspace()
    account = office.connections.connect_test_account(
        workspace_id, platform=Platform.X, handle="@lighthouse"
    )
    caller = office.caller(owner_id)
    office.connections.disconnect(account.id)

    with pytest.raises(AccountNotFound):
        office.accounts.set_regions(caller, account.id, ["UK"])


def _a_sign_in(identity: str = "did:plc:ewvi7nxz", access: str = "app-token-1") -> SignIn:
    return SignIn(
        platform=Platform.BLUESKY,
        handle="lighthouse.example",
        remote_identity=identity,
        tokens=Tokens(access=access),
        settings={"pds": "https://pds.example"},
    )


def test_a_reconnected_account_keeps_its_id_and_is_healthy(office: Office) -> None:
    workspace_id, _ = office.workspace()
    account = office.connections.connect(workspace_id, _a_sign_in())
    office.connections.set_health(account.id, Health.BROKEN)

    renewed = office.connections.reconnect(account.id, _a_sign_in(access="app-token-2"))

    token = office.tokens.read(renewed)
    assert (renewed.id, renewed.health) == (account.id, Health.OK)
    assert office.connections.list(workspace_id) == [renewed]
    assert token is not None
    assert token.tokens.access == "app-token-2"


def test_a_new_sign_in_brings_what_the_platform_tells_by_then(office: Office) -> None:
    workspace_id, _ = office.workspace()
    account = office.connections.connect(workspace_id, _a_sign_in())
    moved = replace(
        _a_sign_in(), handle="bakery.example", settings={"pds": "https://elsewhere.example"}
    )

    renewed = office.connections.reconnect(account.id, moved)

    assert office.connections.list(workspace_id) == [renewed]
    assert renewed.handle == "bakery.example"
    assert renewed.settings == {"pds": "https://elsewhere.example"}


def test_another_identity_cannot_take_an_accounts_place(office: Office) -> None:
    workspace_id, _ = office.workspace()
    account = office.connections.connect(workspace_id, _a_sign_in())

    with pytest.raises(OtherIdentityError):
        office.connections.reconnect(account.id, _a_sign_in(identity="did:plc:other"))

    token = office.tokens.read(account)
    assert token is not None
    assert token.tokens.access == "app-token-1"


def test_what_a_sign_in_brought_is_not_in_its_representation() -> None:
    assert "app-token-1" not in repr(_a_sign_in())
