"""Members of before there were persons: their cookies and passkeys open what they opened."""

import json
from datetime import timedelta

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.passkeys import hash_of
from chalicelib.domain.workspace.sessions import LONGEST, hash_of_secret, new_secret
from chalicelib.kit.dynamodb.items import epoch, stamp
from chalicelib.storage.workspace.person_items import (
    SESSIONS,
    former_passkey_key,
    former_session_key,
)
from tests.api.http_room import House, Room
from tests.web.authenticator import Device
from tests.web.browser import Browser
from tests.web.test_passkeys import ORIGIN, OURS, added, asked_to_sign_in, signed_in
from tests.web.test_persons import COOKIE, join, switch, who


def a_member(room: Room, name: str = "Grace") -> str:
    people = room.house.operator.people.administration
    return people.add_member(room.workspace_id, name=name, role=Role.EDITOR).id


def former_session(room: Room, member: str) -> Browser:
    """Return a browser that the release before signed in."""
    secret, now = new_secret(), room.house.clock()
    room.house.deployment.stores.directory_table.table.put(
        {
            **former_session_key(room.workspace_id, hash_of_secret(secret)),
            "member_id": member,
            "created_at": stamp(now),
            "seen_at": stamp(now),
            "device": "Firefox on Linux",
            "expires_at": epoch(now + LONGEST),
        }
    )
    browser = Browser.of(room)
    browser.cookies[COOKIE] = (f"{member}{room.workspace_id}{secret}", "/app")
    return browser


def former_passkey(room: Room, member: str) -> Device:
    """Return a device whose passkey the release before kept, with that release's user handle."""
    other = Browser.of(room).signed_in(a_member(room, "Somebody"))
    device = added(other)
    table, person = room.house.deployment.stores.directory_table.table, who(other).person.id
    passkey_hash = hash_of(device.identifier)
    kept = room.house.deployment.people.passkeys.find(person, passkey_hash)
    assert kept is not None
    room.house.deployment.people.passkeys.remove(person, passkey_hash)
    table.put(
        {
            **former_passkey_key(room.workspace_id, member, passkey_hash),
            "name": "Old phone",
            "credential": kept.credential,
            "counter": kept.counter,
            "created_at": stamp(room.house.clock()),
        }
    )
    device.handle = bytes.fromhex(room.workspace_id + member)
    return device


def test_a_session_of_before_goes_on_and_its_cookie_stays(room: Room) -> None:
    member = a_member(room)
    browser = former_session(room, member)
    cookie = browser.cookies[COOKIE]

    opened = [browser.open("/app/posts").status for _ in range(2)]

    assert [200, 200] == opened
    assert cookie == browser.cookies[COOKIE]
    assert (member, "Grace") == (who(browser).person.id, who(browser).caller.member_name)
    assert [] == list(
        room.house.deployment.stores.directory_table.rows(room.workspace_id, SESSIONS)
    )


def test_all_sessions_of_before_are_listed_and_end_together(room: Room) -> None:
    member = a_member(room)
    first, second = former_session(room, member), former_session(room, member)
    first.open("/app/posts")

    listed = first.open("/app/settings?page=you").text.count("last used")
    room.house.operator.people.sessions.sign_out(member)

    assert 2 == listed
    assert ["/app/sign-in"] * 2 == [one.open("/app").location for one in (first, second)]


def test_an_operator_ends_sessions_of_before_that_nobody_used_since(room: Room) -> None:
    member = a_member(room)
    browser = former_session(room, member)

    room.house.operator.people.sessions.sign_out(member)

    assert "/app/sign-in" == browser.open("/app").location


def test_a_removed_members_session_and_passkey_of_before_open_nothing(room: Room) -> None:
    member = a_member(room)
    browser, device = former_session(room, member), former_passkey(room, member)

    room.house.operator.people.administration.remove_member(member)

    assert "/app/sign-in" == browser.open("/app").location
    assert 403 == signed_in(room, device)[1].status


def test_a_session_of_before_signs_out(room: Room) -> None:
    browser = former_session(room, a_member(room))
    browser.open("/app/posts")

    browser.send("/app/sign-out")

    assert "/app/sign-in" == browser.open("/app").location


def test_a_passkey_of_before_signs_in_with_what_its_device_kept(room: Room) -> None:
    member = a_member(room)
    device = former_passkey(room, member)

    browser, answer = signed_in(room, device)
    again = signed_in(room, device)[1]

    assert (303, 303) == (answer.status, again.status)
    assert member == who(browser).caller.member_id


def test_a_person_of_before_joins_another_workspace_and_keeps_the_passkey(
    room: Room, house: House
) -> None:
    member, other = a_member(room), house.room()
    device = former_passkey(room, member)
    browser, _ = signed_in(room, device)
    browser.open("/app/posts")

    join(browser, other)
    elsewhere = signed_in(room, device)[0]

    assert 303 == switch(elsewhere, other).status
    assert member == who(elsewhere).person.id


def test_a_member_of_before_is_somebody_whom_nobody_else_becomes(room: Room, house: House) -> None:
    member = a_member(room)
    device = former_passkey(room, member)
    thief = Browser.of(house.room()).signed_in()
    link = f"/app/sign-in/{house.operator.people.sign_in_links.make(member)}"

    refused = thief.send(link, {"join": "yes"})

    assert 409 == refused.status
    assert 303 == signed_in(room, device)[1].status


def test_a_session_of_before_ends_when_it_would_have(room: Room) -> None:
    browser = former_session(room, a_member(room))
    browser.open("/app/posts")

    room.house.clock.pass_time(timedelta(days=14))

    assert "/app/sign-in" == browser.open("/app").location


def test_a_wrong_answer_for_a_passkey_of_before_is_refused(room: Room) -> None:
    member = a_member(room)
    device, browser = former_passkey(room, member), Browser.of(room)
    forged = Device(identifier=device.identifier, handle=device.handle)

    answer = json.dumps(forged.get(asked_to_sign_in(browser), ORIGIN))
    refused = browser.send("/app/passkeys/sign-in", {"answer": answer}, headers=OURS)

    assert 403 == refused.status
    assert room.house.deployment.people.persons.find(member) is None, (
        "nothing moved before it was proven"
    )
    assert 303 == signed_in(room, device)[1].status
