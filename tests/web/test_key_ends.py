"""Keys end on a day that was chosen, and are replaced without a moment in which none works."""

from datetime import timedelta
from functools import partial

import pytest

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.workspace.access import Role, Scope
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownKeyError
from chalicelib.storage.workspace.api_keys import MOST_LIVE_KEYS
from tests.api.http_room import House, Room
from tests.support.overtaken import overtaken_once
from tests.web.browser import Browser

A_DAY = timedelta(days=1)


def works(room: Room, secret: str) -> bool:
    try:
        room.house.deployment.workspace.authentication.authenticate(f"Bearer {secret}")
    except ServiceError:
        return False
    return True


def owner_of(room: Room) -> str:
    return room.house.operator.people.administration.list_members(room.workspace_id)[0].id


def test_a_key_with_an_end_works_until_then_and_no_longer(room: Room) -> None:
    clock, people = room.house.clock, room.house.operator.people.administration
    made = people.create_key(owner_of(room), name="campaign", last_day=clock().date())
    assert made.key.expires_at is not None

    clock.pass_time(made.key.expires_at - clock() - timedelta(seconds=1))
    before = works(room, made.secret)
    clock.pass_time(timedelta(seconds=1))

    assert (True, False) == (before, works(room, made.secret))


def test_a_replaced_key_works_through_the_overlap_and_the_new_one_from_the_first(
    room: Room,
) -> None:
    people = room.house.operator.people.administration
    old = people.create_key(owner_of(room), name="laptop", scopes=frozenset({Scope.READ}))

    new = people.rotate_key(old.key.id, overlap=A_DAY)
    both = works(room, old.secret), works(room, new.secret)
    room.house.clock.pass_time(A_DAY)
    after = works(room, old.secret), works(room, new.secret)

    assert ((True, True), (False, True)) == (both, after)
    assert ("laptop", frozenset({Scope.READ}), old.key.member_id) == (
        new.key.name,
        new.key.scopes,
        new.key.member_id,
    )


def test_without_an_overlap_the_old_key_ends_at_once(room: Room) -> None:
    people = room.house.operator.people.administration
    old = people.create_key(owner_of(room))

    people.rotate_key(old.key.id, overlap=timedelta())

    assert not works(room, old.secret)


def test_the_new_key_lasts_as_long_as_the_old_one_which_ends_no_later_than_before(
    room: Room,
) -> None:
    clock, people = room.house.clock, room.house.operator.people.administration
    last_day = (clock() + timedelta(days=30)).date()
    old = people.create_key(owner_of(room), last_day=last_day)
    assert old.key.expires_at is not None
    clock.pass_time(old.key.expires_at - clock() - timedelta(hours=2))

    new = people.rotate_key(old.key.id, overlap=A_DAY)
    clock.pass_time(timedelta(hours=2))

    assert new.key.expires_at is not None
    assert old.key.expires_at - old.key.created_at == new.key.expires_at - new.key.created_at
    assert (False, True) == (works(room, old.secret), works(room, new.secret))


def test_what_is_no_key_or_too_long_is_refused(room: Room) -> None:
    people = room.house.operator.people.administration
    key = people.create_key(owner_of(room))

    with pytest.raises(UnknownKeyError):
        people.rotate_key("0" * 32)
    with pytest.raises(OperatorError, match="30 days"):
        people.rotate_key(key.key.id, overlap=timedelta(days=31))
    assert works(room, key.secret)


def test_a_revoked_key_is_not_replaced(room: Room) -> None:
    people = room.house.operator.people.administration
    key = people.create_key(owner_of(room))
    people.revoke_key(key.key.id)

    with pytest.raises(UnknownKeyError):
        people.rotate_key(key.key.id)


def test_a_key_that_was_replaced_can_be_revoked_before_it_ends(room: Room) -> None:
    people = room.house.operator.people.administration
    old = people.create_key(owner_of(room))
    people.rotate_key(old.key.id, overlap=A_DAY)

    people.revoke_key(old.key.id)

    assert not works(room, old.secret)


def test_keys_that_have_ended_leave_their_places(room: Room) -> None:
    people, member = room.house.operator.people.administration, owner_of(room)
    for _ in range(MOST_LIVE_KEYS - 1):
        people.create_key(member, last_day=room.house.clock().date())
    with pytest.raises(OperatorError):
        people.create_key(member)
    room.house.clock.pass_time(A_DAY)

    made = people.create_key(member)

    assert works(room, made.secret)


def test_owners_replace_keys_and_give_them_a_last_day_in_the_app(room: Room) -> None:
    browser, people = Browser.of(room).signed_in(), room.house.operator.people.administration
    last_day = room.house.clock().date().isoformat()
    browser.send(
        "/app/settings/keys", {"name": "campaign", "scope": "post.read", "last_day": last_day}
    )
    key = next(one for one in people.list_keys(room.workspace_id) if one.name == "campaign")

    replaced = browser.send(f"/app/settings/keys/{key.id}/rotate", {"overlap": "an hour"})
    shown = browser.open("/app/settings?page=you").text

    assert key.expires_at is not None
    assert 303 == replaced.status
    assert "gh_live_" in shown
    assert "works until" in shown
    assert 2 == [one.name for one in people.list_keys(room.workspace_id)].count("campaign")


@pytest.mark.parametrize("last_day", ["2020-01-01", "tomorrow", "2026-13-01"])
def test_a_last_day_that_is_none_is_refused_in_the_app(room: Room, last_day: str) -> None:
    browser = Browser.of(room).signed_in()

    refused = browser.send(
        "/app/settings/keys", {"name": "campaign", "scope": "post.read", "last_day": last_day}
    )

    assert refused.status in {409, 422}
    assert 1 == len(room.house.operator.people.administration.list_keys(room.workspace_id))


@pytest.mark.parametrize("role", [Role.EDITOR, Role.CONTRIBUTOR, Role.VIEWER])
def test_others_replace_no_key(room: Room, role: Role) -> None:
    browser = Browser.of(room).signed_in().as_role(role)
    key = room.house.operator.people.administration.list_keys(room.workspace_id)[0]

    refused = browser.send(f"/app/settings/keys/{key.id}/rotate", {"overlap": "an hour"})

    assert 403 == refused.status
    assert works(room, room.key)


def test_an_admin_gets_no_new_key_of_who_becomes_an_owner_in_that_moment(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = room.house.operator.people.administration
    members = room.house.deployment.stores.members
    grace = people.add_member(room.workspace_id, name="Grace", role=Role.EDITOR)
    key = people.create_key(grace.id, name="Hers")
    admin = Browser.of(room).as_role(Role.ADMIN)

    monkeypatch.setattr(
        members,
        "list",
        overtaken_once(members.list, partial(people.update_member, grace.id, Role.OWNER)),
    )

    answer = admin.send(f"/app/settings/keys/{key.key.id}/rotate", {"overlap": "an hour"})

    assert answer.status == 403
    kept = [one for one in people.list_keys(room.workspace_id) if one.member_id == grace.id]
    assert [key.key.id] == [one.id for one in kept]


def test_an_admin_gets_no_new_key_that_acts_as_an_owner(room: Room) -> None:
    """OWASP API Security Top 10 of 2023, API1: it would act as the owner after the admin left."""
    admin = Browser.of(room).as_role(Role.ADMIN)
    people = room.house.operator.people.administration
    key = people.list_keys(room.workspace_id)[0]
    shown = admin.open("/app/settings?page=you").text

    refused = admin.send(f"/app/settings/keys/{key.id}/rotate", {"overlap": "an hour"})

    assert "acts as Ada" in shown
    assert "Make a new key in its place" not in shown
    assert 403 == refused.status
    assert 1 == len(people.list_keys(room.workspace_id))


def test_a_key_of_another_workspace_is_not_there(room: Room, house: House) -> None:
    browser = Browser.of(room).signed_in()
    foreign = house.room()
    key = house.operator.people.administration.list_keys(foreign.workspace_id)[0]

    refused = browser.send(f"/app/settings/keys/{key.id}/rotate", {"overlap": "an hour"})

    assert 404 == refused.status
    assert 1 == len(house.operator.people.administration.list_keys(foreign.workspace_id))
