"""What opens a workspace to others asks who is there, if that was shown long ago."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.connectors.shared.mail import SmtpMailer
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.activity import OPERATOR, Deed
from chalicelib.services.app.sessions import SessionEnded
from chalicelib.services.operator.security_letters import SecurityLetters
from tests.api.http_room import House, Room
from tests.support.mail_server import MailServer, a_mail_server
from tests.web.authenticator import Device
from tests.web.browser import Browser, Page
from tests.web.test_activity import ELSEWHERE, HOME, at
from tests.web.test_passkeys import ORIGIN, OURS, added, asked_to_add, asked_to_sign_in, send_new
from tests.web.test_persons import COOKIE, join, switch, who

LATE = timedelta(minutes=10)
FORMS = {
    "/app/settings/members": {"name": "Eve", "role": "admin"},
    "/app/settings/keys": {"name": "laptop", "scope": "post.read"},
    "/app/settings/notices": {"email": "eve@elsewhere.example", "mail": "failed"},
    "/app/settings/passkeys/question": {},
    "/app/settings/passkeys": {"name": "Eve's", "answer": "{}"},
    "/app/settings/members/{member}/link": {},
    "/app/settings/sessions/{member}/end": {},
    "/app/settings/other-sessions/end": {},
    "/app/settings/passkeys/{member}/remove": {},
}


def prove(browser: Browser, device: Device, then: str = "/app/settings", **kept: str) -> Page:
    """Use a passkey on the page that asks who is there."""
    answer = json.dumps(device.get(asked_to_sign_in(browser), ORIGIN))
    return browser.send("/app/proof", {"answer": answer, "then": then, **kept}, headers=OURS)


def later(browser: Browser, by: timedelta = LATE) -> Browser:
    browser.room.house.clock.pass_time(by)
    return browser


@pytest.mark.parametrize("address", FORMS)
def test_after_10_minutes_a_form_does_nothing_but_ask(room: Room, address: str) -> None:
    browser, people = Browser.of(room).signed_in(), room.house.operator.people.administration
    (owner,) = people.list_members(room.workspace_id)
    fields = FORMS[address]

    asked = later(browser).send(address.format(member=owner.id), fields)

    assert 403 == asked.status
    assert "Nothing was done yet" in asked.text or not fields
    assert "Is it you?" in asked.text
    assert [owner] == people.list_members(room.workspace_id)
    assert 1 == len(people.list_keys(room.workspace_id))
    assert [] == room.house.deployment.people.passkeys.list(who(browser).person.id)


def test_within_10_minutes_nothing_is_asked(room: Room) -> None:
    browser = later(Browser.of(room).signed_in(), LATE - timedelta(seconds=1))

    assert 303 == browser.send("/app/settings/keys", FORMS["/app/settings/keys"]).status


def test_a_passkey_is_proof_and_the_form_goes_on_with_what_was_typed(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    device = added(browser)
    asked = later(browser).send("/app/settings/members", FORMS["/app/settings/members"])

    proven = prove(
        browser, device, "/app/settings/members", is_form="yes", name="Eve", role="admin"
    )
    sent_on = browser.send(proven.location, FORMS["/app/settings/members"])

    assert 'name="name" value="Eve"' in asked.text
    assert (307, "/app/settings/members") == (proven.status, proven.location)
    assert 303 == sent_on.status
    assert 303 == browser.send("/app/settings/keys", FORMS["/app/settings/keys"]).status


def test_a_new_link_in_the_same_browser_is_proof(room: Room) -> None:
    browser = later(Browser.of(room).signed_in())

    browser.signed_in()

    assert 303 == browser.send("/app/settings/keys", FORMS["/app/settings/keys"]).status


def test_somebody_elses_passkey_is_no_proof(room: Room, house: House) -> None:
    other = Browser.of(house.room()).signed_in()
    foreign, browser = added(other), Browser.of(room).signed_in()

    refused = prove(later(browser), foreign)

    assert 403 == refused.status
    assert 403 == browser.send("/app/settings/keys", FORMS["/app/settings/keys"]).status


def test_an_answer_is_proof_once(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    device = added(browser)
    answer = json.dumps(device.get(asked_to_sign_in(later(browser)), ORIGIN))
    first = browser.send("/app/proof", {"answer": answer, "then": "/app"}, headers=OURS)

    again = browser.send("/app/proof", {"answer": answer, "then": "/app"}, headers=OURS)

    assert (303, 403) == (first.status, again.status)


def test_a_link_of_one_workspace_proves_nothing_in_another(room: Room, house: House) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    join(browser, other, Role.OWNER)
    owner = who(browser).person.membership_in(room.workspace_id)
    assert owner is not None
    later(browser)
    browser.send(f"/app/sign-in/{house.operator.people.sign_in_links.make(owner.member_id)}")
    browser.open("/app/posts")

    here = browser.send("/app/settings/keys", FORMS["/app/settings/keys"])
    switch(browser, other)
    there = browser.send("/app/settings/keys", FORMS["/app/settings/keys"])

    assert (303, 403) == (here.status, there.status)


def test_the_proof_opens_every_workspace_since_a_passkey_does(room: Room, house: House) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    device = added(browser)
    join(browser, other)
    owner = who(browser).person.membership_in(room.workspace_id)
    assert owner is not None
    narrow = Browser.of(room)
    narrow.send(f"/app/sign-in/{house.operator.people.sign_in_links.make(owner.member_id)}")
    narrow.open("/app/posts")

    before = switch(narrow, other).status
    prove(narrow, device)

    assert (403, 303) == (before, switch(narrow, other).status)


def test_a_proof_makes_the_session_anew_and_the_cookie_of_before_opens_nothing(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    device = added(browser)
    before, began = browser.cookies[COOKIE][0], who(later(browser)).session

    prove(browser, device)

    sessions = room.house.deployment.people.sessions
    assert sessions.read(before) is None
    assert sessions.present(before) is None
    (session,) = sessions.of(who(browser))
    assert began.hash != session.hash
    assert (began.created_at, began.device) == (session.created_at, session.device)


def test_what_was_open_before_the_proof_goes_on_and_nothing_older(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    device, oldest = added(browser), browser.form_token
    prove(later(browser), device)
    kept = browser.send("/app/settings/keys", {"name": "laptop", "scope": "post.read"})
    newer = browser.open("/app/posts").form_token

    prove(later(browser), device)

    assert 303 == kept.status
    assert 3 == len({oldest, newer, browser.open("/app/posts").form_token})
    fields = FORMS["/app/settings/keys"]
    assert 303 == browser.send("/app/settings/keys", fields, token=newer).status
    assert 403 == browser.send("/app/settings/keys", fields, token=oldest).status


def test_what_was_open_before_the_proof_acts_in_its_own_workspace_alone(
    room: Room, house: House
) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    device = added(browser)
    join(browser, other, Role.OWNER)
    token = browser.form_token
    prove(later(browser), device)
    switch(browser, room)

    refused = browser.send("/app/settings/keys", FORMS["/app/settings/keys"], token=token)

    assert 409 == refused.status
    assert 1 == len(house.operator.people.administration.list_keys(room.workspace_id))


def test_an_invitation_makes_the_session_anew_too(room: Room, house: House) -> None:
    browser = Browser.of(room).signed_in()
    before = browser.cookies[COOKIE][0]

    join(browser, house.room())

    assert house.deployment.people.sessions.present(before) is None


def test_of_two_proofs_at_once_one_makes_the_session_anew(room: Room) -> None:
    """The other one is told, and does not bring a session back that ended."""
    browser = Browser.of(room).signed_in()
    sessions, signed_in = room.house.deployment.people.sessions, who(browser)
    made = sessions.prove(signed_in)

    with pytest.raises(SessionEnded):
        sessions.prove(signed_in)

    assert sessions.read(made) is not None
    assert 1 == len(sessions.of(signed_in))


@pytest.mark.parametrize(
    "then", ["https://evil.example/", "//evil.example", "javascript:1", "/", "/app/\r\nX: y", ""]
)
def test_the_proof_leads_nowhere_else(room: Room, then: str) -> None:
    browser = Browser.of(room).signed_in()
    device = added(browser)

    assert "/app" == prove(browser, device, then).location


def test_the_page_leads_to_the_passkey_form_by_way_of_the_proof(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    device = added(browser)
    stale = later(browser).open("/app/settings?page=you").text

    proven = prove(browser, device)
    made = send_new(browser, Device().create(asked_to_add(browser), ORIGIN), "My laptop")

    assert "/app/proof?then=/app/settings" in stale
    assert (303, "/app/settings") == (proven.status, proven.location)
    assert 303 == made.status


def test_changing_notices_alone_asks_nothing(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    browser.send("/app/settings/notices", {"email": "grace@bakery.example", "mail": "failed"})

    changed = later(browser).send(
        "/app/settings/notices", {"email": "grace@bakery.example", "mail": "review"}
    )

    assert 303 == changed.status


# What the member is told


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with a_mail_server() as server:
        yield server


def letters(room: Room, mail: MailServer) -> SecurityLetters:
    own = room.house.deployment.people.make_notices(SmtpMailer(mail.url)).letters
    assert own is not None
    return own.security


def tell(room: Room, mail: MailServer) -> list[str]:
    """Tell everybody with an address; return what the new letters say."""
    given, before = room.house.deployment, len(mail.letters)
    workspace = given.stores.workspaces.get(room.workspace_id)
    assert workspace is not None
    members = [one for one in given.stores.members.list(room.workspace_id) if one.email]
    for _, mail_it in letters(room, mail).letters(workspace, members):
        mail_it()
    return [str(one.get_content()) for one in mail.letters[before:]]


def test_a_new_passkey_key_and_sign_in_from_a_new_place_are_told_once(
    room: Room, mail: MailServer
) -> None:
    people = room.house.operator.people.administration
    (owner,) = people.list_members(room.workspace_id)
    people.tell_member(owner.id, email="ada.told@bakery.example")
    tell(room, mail)
    ada = at(Browser.of(room)).signed_in()
    first = tell(room, mail)

    added(ada, name="My phone")
    ada.send("/app/settings/keys", {"name": "laptop", "scope": "post.read"})
    at(Browser.of(room), ELSEWHERE).signed_in()
    (told,) = tell(room, mail)

    assert [] == first, "the first place that somebody comes from is not new"
    for said in ("My phone", "laptop", "from a new place", ELSEWHERE, HOME, "/app/settings"):
        assert said in told
    assert [] == tell(room, mail)


def test_a_known_place_is_not_told_and_a_key_by_an_operator_is(
    room: Room, mail: MailServer
) -> None:
    people = room.house.operator.people.administration
    (owner,) = people.list_members(room.workspace_id)
    people.tell_member(owner.id, email="ada.known@bakery.example")
    tell(room, mail)
    at(Browser.of(room)).signed_in()
    at(Browser.of(room)).signed_in()
    quiet = tell(room, mail)

    people.create_key(owner.id, name="for the printer")

    assert [] == quiet
    assert "for the printer" in tell(room, mail)[0]


def test_what_others_do_afterwards_hides_nothing(room: Room, mail: MailServer) -> None:
    """A thief makes a key, and then what the newest hundred deeds are in the same minute."""
    given, people = room.house.deployment, room.house.operator.people.administration
    (owner,) = people.list_members(room.workspace_id)
    people.tell_member(owner.id, email="ada.hidden@bakery.example")
    people.create_key(owner.id, name="for the printer")
    room.house.clock.pass_time(timedelta(seconds=1))
    for _ in range(100):
        given.workspace.activity.note(room.workspace_id, Deed.SETTINGS_CHANGED, OPERATOR)

    told = tell(room, mail)

    assert "for the printer" in told[0]


def test_what_was_before_the_address_is_not_told(room: Room, mail: MailServer) -> None:
    people = room.house.operator.people.administration
    (owner,) = people.list_members(room.workspace_id)
    people.create_key(owner.id, name="for the printer")
    room.house.clock.pass_time(timedelta(seconds=1))

    people.tell_member(owner.id, email="ada.new@bakery.example")

    assert [] == tell(room, mail)


def test_others_are_not_told_of_it(room: Room, mail: MailServer) -> None:
    people = room.house.operator.people.administration
    grace = people.add_member(room.workspace_id, name="Grace", role=Role.OWNER)
    people.tell_member(grace.id, email="grace.told@bakery.example")
    owner = next(one for one in people.list_members(room.workspace_id) if one.name == "Ada")

    people.create_key(owner.id, name="for the printer")

    assert [] == tell(room, mail)


def test_what_the_mail_server_does_not_take_is_told_later(room: Room, mail: MailServer) -> None:
    people = room.house.operator.people.administration
    (owner,) = people.list_members(room.workspace_id)
    people.tell_member(owner.id, email="ada.later@bakery.example")
    people.create_key(owner.id, name="for the printer")
    mail.is_away = True
    away = tell(room, mail)

    mail.is_away = False

    assert [] == away
    assert "for the printer" in tell(room, mail)[0]
