"""Who leaves a workspace: the person stays in the others, or goes whole, wherever it is cut off."""

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.domain.workspace.passkeys import Passkey
from chalicelib.domain.workspace.persons import hash_of_address
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dynamodb.table import partition
from chalicelib.storage.sign_in.passkeys import PasskeyRepository
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.person_items import SESSIONS, address_key, person_pk
from chalicelib.storage.workspace.persons import PersonRepository
from tests.storage.sign_in.test_former_people import Dying, Killed
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.overtaken import overtaken_once
from tests.support.people import PeopleStore, a_member, a_store, a_workspace

ADDRESS = "grace@bakery.example"


@pytest.fixture
def people(emulator: EmulatorProcess) -> PeopleStore:
    return a_store(make_resources(emulator.endpoint))


def joined(people: PeopleStore, person_id: str | None = None) -> Member:
    """Make a workspace with a member who is somebody, new or known."""
    workspace, _ = a_workspace(people)
    member = a_member(workspace, name="Grace", role=Role.EDITOR)
    people.members.add(member)
    persons = PersonRepository(people.table)
    persons.join(workspace.id, member.id, person_id, people.clock())
    return people.members.get(workspace.id, member.id)


def with_belongings(people: PeopleStore, member: Member) -> None:
    """Give the person a passkey and a proven address."""
    passkey = Passkey(
        hash="0" * 64,
        person_id=member.id,
        name="Phone",
        credential=b"key",
        counter=0,
        created_at=people.clock(),
    )
    PasskeyRepository(people.table, PersonRepository(people.table)).add(passkey)
    asked = (ADDRESS, people.clock())
    people.members.set_notices(
        member.workspace_id,
        member.id,
        email=None,
        chosen={},
        now=people.clock(),
        asked=asked,
    )
    people.members.prove_address(member.workspace_id, member.id, ADDRESS, people.clock())


def left_of(people: PeopleStore, member: Member) -> int:
    """Return how many rows of a person there are, with those of the address."""
    rows = list(people.table.table.rows(partition(person_pk(member.id))))
    address = people.table.table.get(address_key(hash_of_address(ADDRESS)))
    return len(rows) + (address is not None)


@pytest.mark.parametrize("carried_out", [False, True], ids=["before", "after"])
def test_a_removal_that_was_cut_off_ends_with_nothing_left(
    people: PeopleStore, *, carried_out: bool
) -> None:
    member = joined(people)
    with_belongings(people, member)
    before = left_of(people, member)
    dying = Dying(people.table.client, 1, carried_out=carried_out)
    members = MemberRepository(WorkspaceTable(dying, people.table.tables))  # type: ignore[arg-type]

    with pytest.raises(Killed):
        members.remove(member.workspace_id, member.id, people.clock())
    if carried_out:
        with pytest.raises(UnknownMemberError):
            people.members.remove(member.workspace_id, member.id, people.clock())
    else:
        people.members.remove(member.workspace_id, member.id, people.clock())

    assert (3, 0) == (before, left_of(people, member))


def test_who_is_in_another_workspace_keeps_passkeys_and_address(people: PeopleStore) -> None:
    first = joined(people)
    with_belongings(people, first)
    second = joined(people, first.id)

    people.members.remove(second.workspace_id, second.id, people.clock())

    person = PersonRepository(people.table).find(first.id)
    assert person is not None
    assert [first.workspace_id] == [one.workspace_id for one in person.memberships]
    assert 3 == left_of(people, first)


def test_who_joins_another_workspace_while_leaving_the_last_one_keeps_everything(
    people: PeopleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = joined(people)
    with_belongings(people, first)
    before = left_of(people, first)
    persons = people.members._persons
    overtaken = overtaken_once(persons.find, lambda: joined(people, first.id))
    monkeypatch.setattr(persons, "find", overtaken)

    people.members.remove(first.workspace_id, first.id, people.clock())

    person = PersonRepository(people.table).find(first.id)
    assert person is not None
    assert first.workspace_id not in [one.workspace_id for one in person.memberships]
    assert before == left_of(people, first)


def test_who_leaves_with_more_sessions_than_a_transaction_takes_goes_whole(
    people: PeopleStore,
) -> None:
    member = joined(people)
    with_belongings(people, member)
    for number in range(120):
        people.table.table.put({"pk": person_pk(member.id), "sk": f"{SESSIONS}{number:064x}"})

    people.members.remove(member.workspace_id, member.id, people.clock())

    assert 0 == left_of(people, member)


def test_an_address_is_free_once_its_person_is_gone(people: PeopleStore) -> None:
    first = joined(people)
    with_belongings(people, first)
    people.members.remove(first.workspace_id, first.id, people.clock())
    second = joined(people)

    with_belongings(people, second)

    assert ADDRESS == people.members.get(second.workspace_id, second.id).email
