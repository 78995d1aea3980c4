"""What operators do with people, through the services."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.operator_errors import (
    OperatorError,
    UnknownAccountError,
    UnknownKeyError,
    UnknownMemberError,
    UnknownWorkspaceError,
)
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.tables import use_key
from chalicelib.storage.workspace.items import slot_from
from tests.services.operator.office import Office, an_office
from tests.support.emulator import EmulatorProcess

NOBODY = "0" * 32


@pytest.fixture(scope="module")
def office(emulator: EmulatorProcess) -> Office:
    """Return the services over tables of this file's own."""
    return an_office(emulator)


def test_a_new_workspace_has_an_owner_in_its_time_zone(office: Office) -> None:
    workspace_id, owner_id = office.workspace(timezone="Asia/Tokyo")

    members = office.administration.list_members(workspace_id)

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
    office.store.clock.now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    shown = office.administration.show_workspace(workspace_id)

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

    assert office.administration.show_workspace(workspace_id).x_allowance == allowance


@pytest.mark.parametrize("name", ["", " Ada", "x" * 101, "Ada\x1b[31m"])
def test_an_impossible_name_is_refused(office: Office, name: str) -> None:
    workspace_id, _ = office.workspace()

    with pytest.raises(OperatorError, match="A name has 1 to 100"):
        office.administration.add_member(workspace_id, name=name, role=Role.VIEWER)


def test_an_unknown_time_zone_is_refused(office: Office) -> None:
    workspace_id, _ = office.workspace()

    with pytest.raises(OperatorError, match='no time zone "Mars/Olympus"'):
        office.administration.update_workspace(workspace_id, timezone="Mars/Olympus")


Ask = Callable[[Office, str], object]


@pytest.mark.parametrize("identifier", [NOBODY, "nonsense", "", "x" * 5000])
@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda o, i: o.administration.show_workspace(i), UnknownWorkspaceError),
        (lambda o, i: o.administration.update_workspace(i, approvals=True), UnknownWorkspaceError),
        (lambda o, i: o.administration.list_keys(i), UnknownWorkspaceError),
        (lambda o, i: o.connections.list(i), UnknownWorkspaceError),
        (lambda o, i: o.administration.create_key(i), UnknownMemberError),
        (lambda o, i: o.administration.update_member(i, Role.VIEWER), UnknownMemberError),
        (lambda o, i: o.administration.remove_member(i), UnknownMemberError),
        (lambda o, i: o.administration.revoke_key(i), UnknownKeyError),
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

    made = office.administration.create_key(owner_id)

    assert made.secret not in repr(made)
