"""Sign-ins under way in other hands: reused, swapped, revoked, begun by another site."""

import re
from datetime import timedelta

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.accounts import Account, AccountToken
from tests.api.http_room import House, Room
from tests.web.browser import Browser
from tests.web.sign_in_desk import answered, begun, handles, invited, with_sign_ins


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace with platforms to sign in at."""
    return with_sign_ins(house)


def test_an_answer_works_once(room: Room) -> None:
    visitor = Browser.of(room)
    address = answered(begun(visitor, invited(room)))
    visitor.open(address)

    again = visitor.open(address)

    assert again.status == 409
    assert handles(room) == ["@bakery"]


def test_a_state_of_another_browser_connects_nothing(room: Room) -> None:
    """Swapped state: an attacker's answer in a victim's browser, and the other way round."""
    attacker, victim = Browser.of(room), Browser.of(room)
    theirs = answered(begun(attacker, invited(room)))
    begun(victim, invited(room))

    stranger = Browser.of(room)

    led = stranger.open(theirs).location
    other_name = stranger.open(theirs, headers={"host": "localhost:8000"})

    assert (victim.open(theirs).status, other_name.status) == (409, 409)
    assert led == f"http://localhost:8000{theirs}", "the other name of this machine, and no further"
    assert handles(room) == []
    assert attacker.open(theirs).status == 200


@pytest.mark.parametrize("state", ["", "made-up", "a" * 32])
def test_a_state_that_nobody_began_connects_nothing(room: Room, state: str) -> None:
    visitor = Browser.of(room)
    page = begun(visitor, invited(room))

    assert visitor.open(answered(page, state=state)).status == 409
    assert handles(room) == []


@pytest.mark.parametrize("name", ["return_to", "return-to", "return_url", "next"])
def test_nobody_chooses_where_a_link_leads(room: Room, name: str) -> None:
    """Open redirect: neither the address nor a form field changes what the operator said."""
    link, visitor = invited(room), Browser.of(room)
    evil = "https://evil.example/"

    page = visitor.send(f"{link}?{name}={evil}", {"platform": "x", name: evil}).location
    done = visitor.open(f"{answered(page)}&{name}={evil}")

    assert "evil.example" not in page
    assert (done.status, "Location" in done.response.headers) == (200, False)


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {"origin": "null"}])
def test_a_form_of_another_site_begins_and_chooses_nothing(
    room: Room, headers: dict[str, str]
) -> None:
    link, visitor = invited(room), Browser.of(room)
    choice = visitor.open(answered(begun(visitor, link, "facebook")))
    state = re.search(r'name="state" value="([^"]+)"', choice.text)
    assert state is not None
    chosen = {"state": state[1], "identity": "page-2"}

    answers = [
        visitor.send(link, {"platform": "x"}, headers=headers),
        visitor.send("/connect/choose", chosen, headers=headers),
    ]

    assert [answer.status for answer in answers] == [403, 403]
    assert handles(room) == []
    assert visitor.send("/connect/choose", chosen).status == 200


def test_a_choice_belongs_to_the_browser_that_signed_in(room: Room) -> None:
    visitor = Browser.of(room)
    choice = visitor.open(answered(begun(visitor, invited(room), "facebook")))
    state = re.search(r'name="state" value="([^"]+)"', choice.text)
    assert state is not None
    chosen = {"state": state[1], "identity": "page-2"}

    stolen = Browser.of(room).send("/connect/choose", chosen)
    of_another = visitor.send("/connect/choose", {**chosen, "identity": "page-9"})

    assert (stolen.status, of_another.status) == (409, 409)
    assert handles(room) == []


def test_of_two_at_once_by_one_link_one_connects(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OWASP ASVS 5.0, 2.3.4: what can be had once is given once, however many ask at once."""
    link, first, second = invited(room), Browser.of(room), Browser.of(room)
    address, other = answered(begun(first, link)), answered(begun(second, link))
    accounts, meanwhile = room.house.deployment.sign_in.connecting.connections.accounts, list[int]()
    add = accounts.add

    def add_late(account: Account, sealed: AccountToken | None = None) -> None:
        monkeypatch.undo()
        meanwhile.append(second.open(other).status)
        add(account, sealed)

    monkeypatch.setattr(accounts, "add", add_late)

    assert (200, [404]) == (first.open(address).status, meanwhile)


def test_a_link_that_connected_nothing_still_works(room: Room) -> None:
    visitor = Browser.of(room)
    visitor.open(answered(begun(visitor, invited(room))))
    link = invited(room)

    again = visitor.open(answered(begun(visitor, link)))

    assert (409, 200) == (again.status, visitor.open(link).status)
    assert handles(room) == ["@bakery"]


def test_a_link_for_one_platform_connects_no_other(room: Room) -> None:
    link = invited(room, platform=Platform.FACEBOOK)

    answer = Browser.of(room).send(link, {"platform": "x"})

    assert answer.status == 409


def test_a_link_that_was_revoked_meanwhile_connects_nothing(browser: Browser) -> None:
    link, visitor = invited(browser.room), Browser.of(browser.room)
    address = answered(begun(visitor, link))
    found = re.findall(r"/app/links/(\w+)/revoke", browser.open("/app/review").text)

    browser.send(f"/app/links/{found[0]}/revoke")

    assert visitor.open(address).status == 404
    assert visitor.open(link).status == 404
    assert handles(browser.room) == []


@pytest.mark.parametrize("goes", ["demoted", "removed"])
def test_a_link_connects_nothing_once_its_maker_may_not(browser: Browser, goes: str) -> None:
    """OWASP ASVS 5.0, 8.3.2: a right that was taken is gone at the next request."""
    people = browser.room.house.operator.people.administration
    grace = people.add_member(browser.room.workspace_id, name="Grace", role=Role.ADMIN)
    hers = Browser.of(browser.room).signed_in(grace.id)
    shown = hers.open(hers.send("/app/accounts/ask", {"platform": "x"}).location).text
    link = re.findall(r"http://127.0.0.1:8000(/connect/[\w-]+)", shown)[0]
    visitor = Browser.of(browser.room)
    address = answered(begun(visitor, link))

    if goes == "demoted":
        people.update_member(grace.id, Role.EDITOR)
    else:
        people.remove_member(grace.id)

    assert [404, 404] == [visitor.open(address).status, visitor.open(link).status]
    assert handles(browser.room) == []


def test_a_link_and_a_sign_in_end_by_themselves(room: Room) -> None:
    link, visitor = invited(room), Browser.of(room)
    address = answered(begun(visitor, link))

    room.house.clock.pass_time(timedelta(minutes=15))
    late = visitor.open(address)
    room.house.clock.pass_time(timedelta(minutes=45))

    assert late.status == 409
    assert visitor.open(link).status == 404


@pytest.mark.parametrize("role", [Role.EDITOR, Role.CONTRIBUTOR, Role.VIEWER])
def test_who_may_not_manage_accounts_connects_none(browser: Browser, role: Role) -> None:
    assert browser.as_role(role).send("/app/connect", {"platform": "x"}).status == 403


def test_a_member_who_lost_the_role_meanwhile_connects_nothing(browser: Browser) -> None:
    people = browser.room.house.operator.people.administration
    admin = browser.as_role(Role.ADMIN)
    grace = next(m for m in people.list_members(browser.room.workspace_id) if m.role is Role.ADMIN)
    address = answered(begun(admin, "/app/connect"))

    people.update_member(grace.id, Role.VIEWER)

    assert admin.open(address).status == 403
    assert handles(browser.room) == []


def test_secrets_of_a_sign_in_stand_sealed_in_the_table(room: Room) -> None:
    begun(Browser.of(room), invited(room))
    deployment = room.house.deployment

    rows = deployment.clients.dynamodb.scan(TableName=deployment.tables.directory)["Items"]

    kept = str([row for row in rows if row["pk"]["S"].startswith(("FLOW#", "APPLICATIONS"))])
    assert "an-application" in kept
    assert "a-secret" not in kept
    assert "verifier" not in kept
