"""An erased member's name stands nowhere any more, and what others did stays as it was."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from botocore.exceptions import ReadTimeoutError

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.activity import Actor, ActorKind, Deed
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from tests.api.http_house import a_house
from tests.api.http_room import Document, House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.kept_texts import rows_with
from tests.workers.publishing.failures.faults import FaultPlan, KilledError, Strike

NAME, KEY, ADDRESS, CLIENT = (
    "Wilhelmina",
    "Till of Wilhelmina",
    "wilhelmina@x.example",
    "192.0.2.77",
)
TRACES = (NAME, ADDRESS, CLIENT)


@pytest.fixture
def house(emulator: EmulatorProcess, tmp_path: Path) -> House:
    return a_house(emulator, tmp_path)


def _with_her(house: House) -> tuple[Room, str, Document]:
    """Return a workspace in which somebody has done a bit of everything, and her post."""
    room, plain = house.room(), house.deployment
    office = plain.people.administration
    her = office.add_member(room.workspace_id, name=NAME, role=Role.EDITOR)
    made = office.create_key(her.id, name=KEY)
    hers = replace(room, key=made.secret)
    post = hers.draft("x")
    hers.patch(post, {"caption": "By her"})
    room.patch(post, {"caption": "By Ada"})
    office.tell_member(her.id, email=ADDRESS)
    by_her = Actor(kind=ActorKind.MEMBER, id=her.id, name=NAME, client=CLIENT)
    by_key = Actor(kind=ActorKind.KEY, id=made.key.id, name=KEY, client=CLIENT)
    by_link = Actor(kind=ActorKind.LINK, name=f"link by {NAME}")
    for actor in (by_her, by_key, by_link):
        plain.workspace.activity.note(
            room.workspace_id, Deed.ACCOUNT_CONNECTED, actor, subject="@bread"
        )
    plain.people.sign_in_links.make(her.id, made_by=NAME)
    plain.people.persons.join(room.workspace_id, her.id, None, house.clock())
    return room, her.id, post


def test_no_row_has_the_name_any_more(house: House) -> None:
    room, her_id, post = _with_her(house)
    assert all(rows_with(house.deployment, trace) for trace in TRACES)

    house.deployment.people.member_erasure.erase(her_id)

    assert rows_with(house.deployment, *TRACES) == []
    events = room.get(f"/v1/posts/{post['id']}/history").json["events"]
    assert sorted(event["by"] for event in events) == ["Ada", "former member", "former member"]
    assert room.show(post)["caption"] == "By Ada"


def test_what_was_done_is_told_without_her(house: House) -> None:
    room, her_id, _ = _with_her(house)

    house.deployment.people.member_erasure.erase(her_id)

    told = house.deployment.workspace.activity.newest(room.workspace_id)
    connected = [
        one.by_name
        for one in told
        if one.deed is Deed.ACCOUNT_CONNECTED and one.by_name != "operator"
    ]
    assert sorted(connected) == ["former member", "former member", "link by former member"]
    erased = [one.subject for one in told if one.detail == "name and address erased"]
    assert erased == ["former member"]


def test_a_member_who_was_removed_before_is_erased(house: House) -> None:
    _, her_id, _ = _with_her(house)
    house.deployment.people.administration.remove_member(her_id)

    house.deployment.people.member_erasure.erase(her_id)

    assert rows_with(house.deployment, *TRACES) == []


def test_somebody_of_another_workspace_keeps_the_name(house: House) -> None:
    _, her_id, _ = _with_her(house)
    other, _, post = _with_her(house)

    house.deployment.people.member_erasure.erase(her_id)

    events = other.get(f"/v1/posts/{post['id']}/history").json["events"]
    assert sorted(event["by"] for event in events) == ["Ada", NAME, NAME]


def test_who_wrote_meanwhile_does_not_bring_the_name_back(house: House) -> None:
    room, her_id, made = _with_her(house)
    posts = house.deployment.stores.posts
    read_before = posts.get(room.workspace_id, made["id"])

    house.deployment.people.member_erasure.erase(her_id)

    with pytest.raises(StaleWriteError):
        posts.save(read_before, replace(read_before, caption="Late"), events=())
    assert rows_with(house.deployment, NAME) == []


@pytest.mark.costly
def test_one_that_is_interrupted_anywhere_is_run_again(house: House) -> None:
    plan, struck = FaultPlan(), 0
    plan.watch(house.deployment.clients.dynamodb, "dynamodb")
    while True:
        _, her_id, _ = _with_her(house)
        plan.arm((Strike.KILL_BEFORE, Strike.DROP_ANSWER)[struck % 2], struck)
        with suppress(KilledError, ReadTimeoutError):
            house.deployment.people.member_erasure.erase(her_id)
        plan.disarm()

        house.deployment.people.member_erasure.erase(her_id)

        assert rows_with(house.deployment, *TRACES) == []
        if len(plan.calls) <= struck:
            break
        struck += 1
    assert struck > 15


def test_nobody_is_not_erased(house: House) -> None:
    with pytest.raises(UnknownMemberError):
        house.deployment.people.member_erasure.erase("0" * 32)
