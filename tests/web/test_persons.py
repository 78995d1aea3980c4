"""One person in several workspaces: joining, switching, and what stays apart."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.session_cookies import read_session_cookie
from chalicelib.services.app.signed_in import SignedIn
from tests.api.http_room import House, Room
from tests.web.authenticator import Device
from tests.web.browser import Browser, Page
from tests.web.test_passkeys import ORIGIN, added, asked_to_add, send_new, signed_in

COOKIE = "goldenhour_session"


def who(browser: Browser) -> SignedIn:
    found = browser.room.house.deployment.people.sessions.read(browser.cookies[COOKIE][0])
    assert found is not None
    return found


def invited(room: Room, name: str = "Lin", role: Role = Role.EDITOR) -> tuple[str, str]:
    """Add a member to a workspace; return its id, and the path of a link."""
    people, links = (
        room.house.operator.people.administration,
        room.house.operator.people.sign_in_links,
    )
    member = people.add_member(room.workspace_id, name=name, role=role)
    return member.id, f"/app/sign-in/{links.make(member.id)}"


def join(browser: Browser, room: Room, role: Role = Role.EDITOR) -> Page:
    """Join a workspace as the person that a browser is signed in as."""
    answer = browser.send(invited(room, role=role)[1], {"join": "yes"})
    assert answer.status == 303, answer.text
    browser.open("/app/posts")
    return answer


def switch(browser: Browser, room: Room) -> Page:
    answer = browser.send("/app/switch", {"workspace": room.workspace_id})
    if answer.status == 303:
        browser.open("/app/posts")
    return answer


def test_who_is_signed_in_joins_by_an_invitation_and_switches(room: Room, house: House) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    person = who(browser).person.id

    join(browser, other)
    there = who(browser)
    switch(browser, room)
    back = who(browser)

    assert (other.workspace_id, "Lin", Role.EDITOR) == (
        there.workspace.id,
        there.caller.member_name,
        there.caller.role,
    )
    assert (room.workspace_id, "Ada", Role.OWNER) == (
        back.workspace.id,
        back.caller.member_name,
        back.caller.role,
    )
    assert {person} == {there.person.id, back.person.id}
    assert f'value="{other.workspace_id}"' in browser.open("/app").text


def test_the_page_of_an_invitation_asks_who_comes_and_names_the_passkeys(
    room: Room, house: House
) -> None:
    browser = Browser.of(room).signed_in()
    added(browser, name="My phone")

    page = browser.open(invited(house.room())[1])

    assert "Join as Lin" in page.text
    assert "My phone" in page.text
    assert "Sign in as Lin" in page.text


def test_a_form_that_was_opened_in_another_workspace_does_nothing(room: Room, house: House) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    join(browser, other, Role.OWNER)
    switch(browser, room)
    opened_in_first = browser.form_token
    switch(browser, other)
    people = house.operator.people.administration

    refused = browser.send(
        "/app/settings/members", {"name": "Eve", "role": "owner"}, token=opened_in_first
    )
    composed = browser.send("/app/posts/new", {"caption": "Fresh bread"}, token=opened_in_first)

    assert (409, 409) == (refused.status, composed.status)
    assert "Nothing was done" in refused.text
    assert "Fresh bread" in composed.text
    for each in (room, other):
        assert "Eve" not in {one.name for one in people.list_members(each.workspace_id)}
        assert [] == each.find()


def test_the_refused_form_goes_on_once_the_browser_is_back(room: Room, house: House) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    opened = browser.form_token
    join(browser, other, Role.OWNER)
    refused = browser.send("/app/settings/timezone", {"timezone": "Europe/Paris"}, token=opened)
    kept = {"timezone": "Europe/Paris"}
    switch(browser, room)
    fresh = browser.form_token

    again = browser.send("/app/settings/timezone", kept, token=fresh)

    assert (409, 303) == (refused.status, again.status)
    assert "Europe/Paris" == who(browser).workspace.timezone


def test_an_upload_from_a_page_of_another_workspace_is_refused(room: Room, house: House) -> None:
    browser = Browser.of(room).signed_in()
    opened = browser.form_token
    other = house.room()
    join(browser, other)

    refused = browser.upload(b"x", "x.jpg", token=opened)

    assert 409 == refused.status
    assert [] == other.get("/v1/media").json["data"]


def test_signing_out_works_from_a_page_of_any_workspace(room: Room, house: House) -> None:
    browser = Browser.of(room).signed_in()
    opened = browser.form_token
    join(browser, house.room())

    left = browser.send("/app/sign-out", token=opened)

    assert (303, "/app/sign-in") == (left.status, left.location)
    assert "/app/sign-in" == browser.open("/app").location


def test_links_of_one_workspace_are_not_found_in_the_other(room: Room, house: House) -> None:
    browser = Browser.of(room).signed_in()
    post = room.draft("x")
    join(browser, house.room(), Role.OWNER)

    assert 404 == browser.open(f"/app/posts/{post['id']}").status
    assert 404 == browser.send(f"/app/posts/{post['id']}/delete").status
    assert 200 == room.get(f"/v1/posts/{post['id']}").status


def test_a_link_opens_its_own_workspace_alone_and_a_passkey_all(room: Room, house: House) -> None:
    """Whoever manages one workspace can make a link of it: it must not open the others."""
    other, browser = house.room(), Browser.of(room).signed_in()
    device = added(browser)
    join(browser, other)
    member = who(browser).caller.member_id
    attacker = Browser.of(other)
    attacker.send(f"/app/sign-in/{house.operator.people.sign_in_links.make(member)}")
    attacker.open("/app/posts")

    by_link = switch(attacker, room)
    forged = replace(
        read_session_cookie(attacker.cookies[COOKIE][0]),  # type: ignore[type-var]
        workspace_id=room.workspace_id,
        member_id=who(browser).person.membership_in(room.workspace_id).member_id,  # type: ignore[union-attr]
    )
    by_cookie = house.deployment.people.sessions.read(str(forged))
    by_passkey = signed_in(room, device)[0]

    assert 403 == by_link.status
    assert "A link of another workspace signed you in" in by_link.text
    assert by_cookie is None
    assert 303 == switch(by_passkey, room).status
    assert 303 == switch(by_passkey, other).status


def test_a_session_of_one_workspaces_link_does_not_touch_the_person(
    room: Room, house: House
) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    added(browser)
    join(browser, other)
    member, person = who(browser).caller.member_id, who(browser).person.id
    attacker = Browser.of(other)
    attacker.send(f"/app/sign-in/{house.operator.people.sign_in_links.make(member)}")
    attacker.open("/app/posts")
    (passkey,) = house.deployment.people.passkeys.list(person)

    question = attacker.send("/app/settings/passkeys/question", headers={"origin": ORIGIN})
    removed = attacker.send(f"/app/settings/passkeys/{passkey.hash}/remove")
    (mine,) = house.deployment.people.sessions.of(who(attacker))
    ended = attacker.send(f"/app/settings/sessions/{who(browser).session.hash}/end")

    assert (403, 403) == (question.status, removed.status)
    assert mine.hash == who(attacker).session.hash
    assert 303 == ended.status
    assert who(browser).person.id == person
    assert [passkey.hash] == [one.hash for one in house.deployment.people.passkeys.list(person)]


def test_an_invitation_that_somebody_took_signs_in_nobody_else(room: Room, house: House) -> None:
    other = house.room()
    wrong, right = Browser.of(room).signed_in(), Browser.of(other)
    _, link = invited(other)

    taken = wrong.send(link, {"join": "yes"})
    late = right.send(link)

    assert (303, 410) == (taken.status, late.status)
    assert COOKIE not in right.cookies


def test_a_link_of_somebody_else_joins_nobody(room: Room, house: House) -> None:
    """Neither do two persons become one, nor does one take the other's place."""
    other = house.room()
    member, link = invited(other)
    first = Browser.of(other)
    first.send(link)
    second = Browser.of(room).signed_in()
    fresh = f"/app/sign-in/{house.operator.people.sign_in_links.make(member)}"

    page, joined = second.open(fresh), second.send(fresh, {"join": "yes"})

    assert "Join as" not in page.text
    assert "whoever is signed in here now will be signed out" in page.text
    assert 409 == joined.status
    assert "another person" in joined.text
    assert who(first).caller.member_id == member
    assert who(second).workspace.id == room.workspace_id
    assert 303 == Browser.of(other).send(fresh).status, "the refusal used the link up"


def test_nobody_is_two_members_of_one_workspace(room: Room) -> None:
    browser = Browser.of(room).signed_in()
    _, link = invited(room)

    page, joined = browser.open(link), browser.send(link, {"join": "yes"})

    assert "already" in page.text
    assert 409 == joined.status
    assert 303 == Browser.of(room).send(link).status


def test_without_a_session_nobody_joins(room: Room) -> None:
    _, link = invited(room)

    refused = Browser.of(room).send(link, {"join": "yes"})

    assert 410 == refused.status
    assert 303 == Browser.of(room).send(link).status


def test_of_many_who_join_by_one_link_at_once_one_does(room: Room, house: House) -> None:
    persons = [Browser.of(house.room()).signed_in() for _ in range(4)]
    _, link = invited(room)

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda one: one.send(link, {"join": "yes"}).status, persons))

    assert [303] == [status for status in answers if status not in {409, 410}]
    in_it = [one for one in persons if who(one).workspace.id == room.workspace_id]
    assert 1 == len(in_it)


def test_a_removed_member_is_out_of_that_workspace_in_every_browser_and_led_to_the_others(
    room: Room, house: House
) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    device = added(browser)
    join(browser, other)
    second = signed_in(room, device)[0]
    switch(second, other)

    house.operator.people.administration.remove_member(who(browser).caller.member_id)

    assert ["/app/sign-in"] * 2 == [one.open("/app").location for one in (browser, second)]
    page = browser.open("/app/sign-in")
    assert "no longer a member" in page.text
    assert f'value="{room.workspace_id}"' in page.text
    assert f'value="{other.workspace_id}"' not in page.text
    assert 404 == switch(browser, other).status
    assert 303 == switch(browser, room).status
    assert 303 == signed_in(room, device)[1].status


def test_who_leaves_the_last_workspace_leaves_nothing(room: Room, house: House) -> None:
    member, link = invited(room)
    browser = Browser.of(room)
    browser.send(link)
    browser.open("/app/posts")
    device, person = added(browser), who(browser).person.id

    house.operator.people.administration.remove_member(member)

    assert house.deployment.people.persons.find(person) is None
    assert [] == house.deployment.people.passkeys.list(person)
    assert 403 == signed_in(room, device)[1].status


def test_an_operators_sign_out_ends_the_person_everywhere(room: Room, house: House) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    device = added(browser)
    join(browser, other)
    member = who(browser).caller.member_id

    house.operator.people.sessions.sign_out(member)

    assert "/app/sign-in" == browser.open("/app").location
    assert 404 == switch(browser, room).status
    assert 403 == signed_in(room, device)[1].status


def test_a_link_of_the_other_workspace_widens_the_session_that_the_person_has(
    room: Room, house: House
) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    join(browser, other)
    member = who(browser).caller.member_id
    owner = who(browser).person.membership_in(room.workspace_id)
    assert owner is not None
    links, second = house.operator.people.sign_in_links, Browser.of(room)

    second.send(f"/app/sign-in/{links.make(owner.member_id)}")
    narrow = switch(second, other).status
    second.send(f"/app/sign-in/{links.make(member)}")

    assert 403 == narrow
    assert other.workspace_id == who(second).workspace.id
    assert (303, 303) == (switch(second, room).status, switch(second, other).status)


def test_somebody_elses_workspace_is_not_there_to_switch_to(room: Room, house: House) -> None:
    browser, foreign = Browser.of(room).signed_in(), house.room()

    refused = [
        browser.send("/app/switch", {"workspace": to}).status
        for to in (foreign.workspace_id, "", "x", "0" * 32)
    ]

    assert [404] * 4 == refused
    assert room.workspace_id == who(browser).workspace.id


def test_a_passkey_that_is_added_later_opens_all(room: Room, house: House) -> None:
    browser, other = Browser.of(room).signed_in(), house.room()
    join(browser, other)

    made = send_new(browser, Device().create(asked_to_add(browser), ORIGIN))

    assert 303 == made.status
