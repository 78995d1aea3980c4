"""Connecting accounts in a browser: by members, and by strangers who have a link."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.bootstrap.connectors import real_connectors
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from tests.api.http_room import House, Room
from tests.web.browser import Browser
from tests.web.sign_in_desk import CODE, SignInDesk, as_connector

PAGES = [("page-1", "Bakery"), ("page-2", "Café")]


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace; Facebook opens two pages, X one account."""
    deployment = house.deployment
    real = {
        **real_connectors({}, house.clock),
        Platform.FACEBOOK: as_connector(SignInDesk(PAGES)),
        Platform.X: as_connector(SignInDesk([("x-1", "@bakery")])),
    }
    deployment.connectors = Connectors(sandbox=deployment.connectors.sandbox, real=real)
    room = house.room()
    connecting = Browser.of(room).door.site._services.connecting
    for platform in Platform:
        if platform is not Platform.REDDIT:
            connecting.ways.set(platform, Client("an-application", "a-secret"))
    return room


def invited(room: Room, *, return_to: str | None = None, platform: Platform | None = None) -> str:
    """Return the address of a connect link."""
    connecting = Browser.of(room).door.site._services.connecting
    token = connecting.invite(room.workspace_id, platform, return_to, timedelta(hours=1))
    return f"/connect/{token}"


def answered(page: str, **more: str) -> str:
    """Return where the platform's page sends a person who agreed."""
    state = parse_qs(urlsplit(page).query)["state"][0]
    return f"/connect/callback?code={CODE}&state={more.get('state', state)}"


def begun(browser: Browser, address: str, platform: str = "x") -> str:
    """Begin a sign-in; return the platform's page."""
    answer = browser.send(address, {"platform": platform})
    assert answer.status == 303, answer
    return answer.location


def handles(room: Room) -> list[str]:
    return [account["handle"] for account in room.get("/v1/accounts").json["data"]]


def test_a_member_connects_an_account(browser: Browser) -> None:
    page = begun(browser, "/app/connect")

    answer = browser.open(answered(page))

    assert answer.location == "/app/accounts"
    assert handles(browser.room) == ["@bakery"]


def test_a_stranger_connects_one_of_several_and_is_sent_back(room: Room) -> None:
    link, visitor = invited(room, return_to="https://shop.example/done?x=1"), Browser.of(room)
    listed = visitor.open(link).text
    page = begun(visitor, link, "facebook")
    choice = visitor.open(answered(page))
    state = re.search(r'name="state" value="([^"]+)"', choice.text)
    assert state is not None

    done = visitor.send("/connect/choose", {"state": state[1], "identity": "page-2"})

    account = room.get("/v1/accounts").json["data"][0]
    assert "Pinterest" in listed
    assert "Bakery" in choice.text
    assert account["handle"] == "Café"
    assert done.location == f"https://shop.example/done?x=1&account_id={account['id']}"


def test_a_link_without_an_address_thanks_and_works_once(room: Room) -> None:
    link, visitor = invited(room), Browser.of(room)

    done = visitor.open(answered(begun(visitor, link)))

    assert "Thank you" in done.text
    assert visitor.open(link).status == 404


def test_every_platform_is_listed_and_what_is_not_set_up_says_so(room: Room) -> None:
    page = Browser.of(room).open(invited(room)).text

    assert page.count("<section") == len(Platform)
    assert "Signing in at Reddit is not set up here yet." in page


@pytest.mark.parametrize(
    ("platform", "method", "host"),
    [
        ("instagram", "instagram", "www.instagram.com"),
        ("instagram", "facebook", "www.facebook.com"),
        ("tiktok", "", "www.tiktok.com"),
        ("youtube", "", "accounts.google.com"),
        ("linkedin", "member", "www.linkedin.com"),
        ("linkedin", "page", "www.linkedin.com"),
        ("threads", "", "threads.net"),
        ("pinterest", "", "www.pinterest.com"),
        ("google business profile", "", "accounts.google.com"),
    ],
)
def test_each_sign_in_leads_to_its_platforms_page_and_back_here(
    room: Room, platform: str, method: str, host: str
) -> None:
    visitor = Browser.of(room)

    answer = visitor.send(invited(room), {"platform": platform, "method": method})

    page = urlsplit(answer.location)
    redirect = parse_qs(page.query)["redirect_uri"]
    assert page.hostname is not None
    assert page.hostname.endswith(host)
    assert redirect == ["http://127.0.0.1:8000/connect/callback"]


def test_a_configuration_of_facebook_login_reaches_its_page(room: Room) -> None:
    """Without it the page of a newer application says that it is not available."""
    connecting = Browser.of(room).door.site._services.connecting
    connecting.ways.set(Platform.INSTAGRAM, Client("an-app", "a-secret", "77"), method="facebook")

    visitor = Browser.of(room)
    answer = visitor.send(invited(room), {"platform": "instagram", "method": "facebook"})

    asked = parse_qs(urlsplit(answer.location).query)
    assert (asked["client_id"], asked["config_id"]) == (["an-app"], ["77"])


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

    answers = [victim.open(theirs), Browser.of(room).open(theirs)]

    assert [answer.status for answer in answers] == [409, 409]
    assert handles(room) == []
    assert attacker.open(theirs).status == 200


@pytest.mark.parametrize("state", ["", "made-up", "a" * 32])
def test_a_state_that_nobody_began_connects_nothing(room: Room, state: str) -> None:
    visitor = Browser.of(room)
    page = begun(visitor, invited(room))

    assert visitor.open(answered(page, state=state)).status == 409
    assert handles(room) == []


def test_a_sign_in_that_was_declined_is_told(room: Room) -> None:
    visitor = Browser.of(room)
    state = parse_qs(urlsplit(begun(visitor, invited(room))).query)["state"][0]

    answer = visitor.open(f"/connect/callback?error=access_denied&state={state}")

    assert answer.status == 409
    assert "access_denied" in answer.problem


@pytest.mark.parametrize("name", ["return_to", "return-to", "return_url", "next"])
def test_nobody_chooses_where_a_link_leads(room: Room, name: str) -> None:
    """Open redirect: neither the address nor a form field changes what the operator said."""
    link, visitor = invited(room), Browser.of(room)
    evil = "https://evil.example/"

    page = visitor.send(f"{link}?{name}={evil}", {"platform": "x", name: evil}).location
    done = visitor.open(f"{answered(page)}&{name}={evil}")

    assert "evil.example" not in page
    assert (done.status, "Location" in done.response.headers) == (200, False)


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
    people = browser.room.house.operator.administration
    admin = browser.as_role(Role.ADMIN)
    grace = next(m for m in people.list_members(browser.room.workspace_id) if m.role is Role.ADMIN)
    address = answered(begun(admin, "/app/connect"))

    people.update_member(grace.id, Role.VIEWER)

    assert admin.open(address).status == 403
    assert handles(browser.room) == []


def test_an_account_is_signed_in_to_again_and_keeps_its_id(browser: Browser) -> None:
    browser.open(answered(begun(browser, "/app/connect")))
    before = browser.room.get("/v1/accounts").json["data"][0]["id"]
    fields = {"platform": "x", "account": before}

    page = browser.send("/app/connect", fields).location
    answer = browser.open(answered(page))

    assert answer.location == "/app/accounts"
    assert [a["id"] for a in browser.room.get("/v1/accounts").json["data"]] == [before]


def test_secrets_of_a_sign_in_stand_sealed_in_the_table(room: Room) -> None:
    begun(Browser.of(room), invited(room))
    deployment = room.house.deployment

    rows = deployment.dynamodb.scan(TableName=deployment.tables.directory)["Items"]

    kept = str([row for row in rows if row["pk"]["S"].startswith(("FLOW#", "APPLICATIONS"))])
    assert "an-application" in kept
    assert "a-secret" not in kept
    assert "verifier" not in kept
