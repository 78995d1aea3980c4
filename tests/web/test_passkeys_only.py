"""A workspace that asks for a passkey shows nothing to whoever has a sign-in link alone."""

import json
from dataclasses import replace
from html import escape

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.web.routes import ROUTES
from tests.api.http_room import House, Room
from tests.support.kept_texts import every_row
from tests.web.authenticator import Device
from tests.web.browser import Browser
from tests.web.test_assistants import RESOURCE, Client
from tests.web.test_every_form import filled, send
from tests.web.test_passkeys import OURS, added, signed_in
from tests.web.test_persons import join, switch, who
from tests.web.test_proof import prove

SWITCH = "/app/settings/passkeys-only"
NEEDED = "asks for a passkey"
CAPTION, HANDLE = "Rye loaf of the harvest", "@lighthouse"


@pytest.fixture
def owner(room: Room) -> tuple[Browser, Device]:
    """Return an owner who came by a passkey and has switched it on, and the passkey."""
    device = added(Browser.of(room).signed_in())
    browser, _ = signed_in(room, device)
    browser.open("/app/settings?page=workspace")
    assert browser.send(SWITCH, {"passkeys_only": "on"}).status == 303
    return browser, device


def by_link(room: Room, role: Role | None = None) -> Browser:
    """Open a sign-in link of the owner, or of a new member, in another browser."""
    people = room.house.operator.people
    if role is None:
        member = people.administration.list_members(room.workspace_id)[0]
    else:
        member = people.administration.add_member(room.workspace_id, name="Grace", role=role)
    browser = Browser.of(room)
    answer = browser.send(f"/app/sign-in/{people.sign_in_links.make(member.id)}")
    assert answer.status == 303
    browser.form_token = browser.open("/app").form_token
    return browser


@pytest.mark.usefixtures("owner")
def test_a_link_alone_opens_no_page_and_carries_out_no_form(room: Room) -> None:
    room.draft("linkedin", caption=CAPTION)
    browser, before = by_link(room), list(every_row(room.house.deployment))
    closed = [page for page in ROUTES if not page.open_to_all and not page.before_passkey]

    answers = [
        browser.open(filled(page.path)) if page.method == "GET" else send(browser, page.path)
        for page in closed
    ]

    assert {(403, True)} == {(one.status, NEEDED in one.text) for one in answers}
    assert [one for one in answers if CAPTION in one.text or HANDLE in one.text] == []
    assert before == list(every_row(room.house.deployment))


@pytest.mark.usefixtures("owner")
def test_an_assistants_request_waits_for_the_passkey_and_goes_on_with_it(room: Room) -> None:
    """The page is open to all, since who is not signed in is told so there."""
    deployment = room.house.deployment
    deployment.settings = replace(deployment.settings, assistant_url=RESOURCE)
    browser = by_link(room)
    client = Client.registered(browser)

    asked = browser.open(client.address())

    assert (403, True) == (asked.status, NEEDED in asked.text)
    assert "Otto" not in asked.text
    assert f'name="then" value="{escape(client.address())}"' in asked.text


def test_pages_that_stay_open_before_the_passkey_are_these() -> None:
    """They use one, add the first one, or leave: whoever adds to them opens a door."""
    assert {
        "/app/proof",
        "/app/settings/passkeys",
        "/app/settings/passkeys/question",
        "/app/sign-out",
    } == {page.path for page in ROUTES if page.before_passkey}


def test_the_members_passkey_opens_what_the_link_did_not(
    owner: tuple[Browser, Device], room: Room
) -> None:
    _, device = owner
    browser = by_link(room)

    answer = prove(browser, device, then="/app/posts")

    assert (answer.status, answer.location) == (303, "/app/posts")
    assert browser.open("/app/posts").status == 200


@pytest.mark.usefixtures("owner")
def test_whoever_has_none_adds_the_first_by_a_link_and_uses_it(room: Room) -> None:
    browser = by_link(room, Role.EDITOR)
    assert "Add a passkey" in browser.open("/app").text

    device = added(browser)

    assert NEEDED in browser.open("/app").text, "it was added, and not used yet"
    browser.form_token = browser.open("/app").form_token
    assert prove(browser, device).status == 303
    assert browser.open("/app").status == 200


def test_whoever_found_a_link_adds_no_passkey_of_their_own(
    owner: tuple[Browser, Device], room: Room
) -> None:
    theirs, mine = by_link(room), Device()
    asking = theirs.send("/app/settings/passkeys/question", headers=OURS)

    sent = {"name": "Mine", "answer": json.dumps({})}
    adding = theirs.send("/app/settings/passkeys", sent, headers=OURS)
    using = prove(theirs, mine_added_elsewhere(room, mine))

    assert [asking.status, adding.status, using.status] == [403, 403, 403]
    assert "Use it before you add another" in asking.text
    assert len(room.house.deployment.people.passkeys.list(who(owner[0]).person.id)) == 1


def mine_added_elsewhere(room: Room, device: Device) -> Device:
    """Have a passkey of somebody else in another workspace."""
    return added(Browser.of(room.house.room()).signed_in(), device)


def test_only_an_owner_who_came_by_a_passkey_switches_it_on(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    browser.open("/app/settings?page=workspace")

    answer = browser.send(SWITCH, {"passkeys_only": "on"})

    assert answer.status == 409
    assert "Sign in by a passkey first" in answer.text
    assert browser.open("/app").status == 200


def test_an_owner_lets_links_in_again_and_so_does_an_operator(
    owner: tuple[Browser, Device], room: Room
) -> None:
    browser, _ = owner
    administration = room.house.operator.people.administration

    browser.send(SWITCH, {"passkeys_only": "off"})
    opened = [by_open_link(room)]
    administration.update_workspace(room.workspace_id, passkeys_only=True)
    opened.append(by_open_link(room))
    administration.update_workspace(room.workspace_id, passkeys_only=False)
    opened.append(by_open_link(room))

    assert opened == [200, 403, 200]


def by_open_link(room: Room) -> int:
    return by_link(room).open("/app").status


@pytest.mark.usefixtures("owner")
def test_the_persons_other_workspaces_stay_as_they_are(room: Room, house: House) -> None:
    browser = by_link(room, Role.EDITOR)
    other = house.room()
    join(browser, other, Role.VIEWER)

    assert browser.open("/app").status == 200
    assert switch(browser, room).status == 303
    assert NEEDED in browser.open("/app").text
