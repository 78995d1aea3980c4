"""Members of before there were persons become persons, once, wherever it is cut off."""

from datetime import timedelta
from typing import Any

import pytest

from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.sessions import LONGEST
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dynamodb.items import epoch, stamp
from chalicelib.storage.sign_in.former_people import FormerPeople
from chalicelib.storage.sign_in.passkeys import PasskeyRepository
from chalicelib.storage.sign_in.sessions import SessionRepository
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.person_items import former_passkey_key, former_session_key
from chalicelib.storage.workspace.persons import PersonRepository
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.people import PeopleStore, a_member, a_store, a_workspace

SESSIONS, PASSKEYS = 33, 20


@pytest.fixture
def people(emulator: EmulatorProcess) -> PeopleStore:
    return a_store(make_resources(emulator.endpoint))


class Killed(BaseException):
    """The process ends here."""


class Dying:
    """A client whose process ends at its nth transaction, before or after it is carried out."""

    def __init__(self, client: Any, at: int, *, carried_out: bool) -> None:  # noqa: ANN401 - boto3's
        self._client, self._left, self._carried_out = client, at, carried_out

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as above
        return getattr(self._client, name)

    def transact_write_items(self, **call: Any) -> object:  # noqa: ANN401 - as above
        self._left -= 1
        if self._left and self._left > 0:
            return self._client.transact_write_items(**call)
        if self._carried_out:
            self._client.transact_write_items(**call)
        raise Killed


def of_before(people: PeopleStore) -> Member:
    """Write a member as the release before did, with sessions and passkeys."""
    workspace, _ = a_workspace(people)
    member = a_member(workspace, name="Grace", role=Role.EDITOR)
    people.members.add(member)
    now, table = people.clock(), people.table.table
    for number in range(SESSIONS):
        began = now - timedelta(minutes=number)
        table.put(
            {
                **former_session_key(workspace.id, f"{number:064x}"),
                "member_id": member.id,
                "created_at": stamp(began),
                "seen_at": stamp(now),
                "device": "Firefox on Linux",
                "expires_at": epoch(began + LONGEST),
            }
        )
    for number in range(PASSKEYS):
        table.put(
            {
                **former_passkey_key(workspace.id, member.id, f"{number:064x}"),
                "name": f"Phone {number}",
                "credential": bytes([number]),
                "counter": number,
                "created_at": stamp(now),
            }
        )
    return member


def former_people(people: PeopleStore, client: object | None = None) -> FormerPeople:
    table = WorkspaceTable(client or people.table.client, people.table.tables)  # type: ignore[arg-type]
    return FormerPeople(table, PersonRepository(table))


def had(people: PeopleStore, member: Member) -> tuple[set[str], set[str], bool]:
    """Return a person's sessions and passkeys, and whether any are left where they were."""
    persons = PersonRepository(people.table)
    sessions = {one.hash for one in SessionRepository(people.table).list(member.id)}
    passkeys = {one.hash for one in PasskeyRepository(people.table, persons).list(member.id)}
    left = former_people(people).has_any(member.workspace_id, member.id)
    return sessions, passkeys, left


ALL = ({f"{n:064x}" for n in range(SESSIONS)}, {f"{n:064x}" for n in range(PASSKEYS)}, False)


def test_sessions_and_passkeys_move_and_open_the_workspace_that_they_opened(
    people: PeopleStore,
) -> None:
    member = of_before(people)

    person = former_people(people).take_over(member.workspace_id, member.id, people.clock())

    kept = people.members.get(member.workspace_id, member.id)
    assert (member.id, member.id) == (person.id, kept.person_id)
    assert had(people, member) == ALL
    assert [member.workspace_id] == [one.workspace_id for one in person.memberships]
    sessions = SessionRepository(people.table).list(member.id)
    assert {one.reach for one in sessions} == {frozenset({member.workspace_id})}


@pytest.mark.parametrize("carried_out", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_a_takeover_that_was_cut_off_goes_on(
    people: PeopleStore, at: int, *, carried_out: bool
) -> None:
    member = of_before(people)
    dying = Dying(people.table.client, at, carried_out=carried_out)

    with pytest.raises(Killed):
        former_people(people, dying).take_over(member.workspace_id, member.id, people.clock())
    halfway = had(people, member)
    former_people(people).take_over(member.workspace_id, member.id, people.clock())

    assert had(people, member) == ALL
    assert halfway != ALL or (at, carried_out) in {(3, True), (4, False), (4, True)}


def test_taking_over_twice_is_taking_over_once(people: PeopleStore) -> None:
    member, take_over = of_before(people), former_people(people).take_over

    first = take_over(member.workspace_id, member.id, people.clock())
    second = take_over(member.workspace_id, member.id, people.clock())

    assert first == second


def test_another_members_sessions_stay_where_they_are(people: PeopleStore) -> None:
    member = of_before(people)
    workspace = people.workspaces.get(member.workspace_id)
    assert workspace is not None
    other = a_member(workspace, name="Lin")
    people.members.add(other)
    row = {
        **former_session_key(workspace.id, "f" * 64),
        "member_id": other.id,
        "created_at": stamp(people.clock()),
        "seen_at": stamp(people.clock()),
    }
    people.table.table.put(row)

    former_people(people).take_over(workspace.id, member.id, people.clock())

    assert former_people(people).has_any(workspace.id, other.id)
    assert not former_people(people).has_any(workspace.id, new_id(people.clock()))
