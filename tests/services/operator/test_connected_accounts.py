"""What operators and callers do with accounts, through the services."""

from dataclasses import replace

import pytest

from chalicelib.domain.errors import AccountNotFound
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Health, SignIn
from chalicelib.domain.workspace.operator_errors import (
    OtherIdentityError,
)
from chalicelib.domain.workspace.tokens import Tokens
from tests.services.operator.office import Office, an_office
from tests.support.emulator import EmulatorProcess


@pytest.fixture(scope="module")
def office(emulator: EmulatorProcess) -> Office:
    """Return the services over tables of this file's own."""
    return an_office(emulator)


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
