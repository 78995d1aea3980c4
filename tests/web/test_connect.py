"""Connecting accounts in a browser: by members, and by strangers who have a link."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.platforms.platform import Platform
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.web.browser import Browser
from tests.web.sign_in_desk import answered, begun, handles, invited, with_sign_ins


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace with platforms to sign in at."""
    return with_sign_ins(house)


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


def test_a_page_that_may_not_be_posted_to_is_shown_with_the_reason(room: Room) -> None:
    visitor = Browser.of(room)
    choice = visitor.open(answered(begun(visitor, invited(room), "facebook")))
    state = re.search(r'name="state" value="([^"]+)"', choice.text)
    assert state is not None

    forced = visitor.send("/connect/choose", {"state": state[1], "identity": "page-3"})

    assert 'value="page-3" required disabled' in choice.text
    assert "does not let you create posts" in choice.text
    assert "does not let you create posts" in forced.text
    assert handles(room) == []


def test_who_has_more_pages_than_are_kept_chooses_among_the_first_and_is_told(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    """A row takes 400 KB, and a Page comes with tokens of some hundred characters."""
    house = a_house(emulator, tmp_path)
    room = with_sign_ins(house, [(f"page-{n}", f"Bäckerei {n}") for n in range(1_100)])
    visitor = Browser.of(room)

    choice = visitor.open(answered(begun(visitor, invited(room), "facebook")))
    state = re.search(r'name="state" value="([^"]+)"', choice.text)
    assert state is not None
    visitor.send("/connect/choose", {"state": state[1], "identity": "page-999"})

    assert choice.text.count('name="identity"') == 1_000
    assert "100 more are not listed" in choice.text
    assert handles(room) == ["Bäckerei 999"]


def test_a_link_without_an_address_thanks_and_works_once(room: Room) -> None:
    link, visitor = invited(room), Browser.of(room)

    done = visitor.open(answered(begun(visitor, link)))

    assert "Thank you" in done.text
    assert visitor.open(link).status == 404


def test_every_platform_is_listed_and_what_is_not_set_up_says_so(room: Room) -> None:
    page = Browser.of(room).open(invited(room)).text

    assert page.count("<section") == len(Platform) - 1
    assert "Not set up here yet: Reddit." in page


def test_a_link_says_who_asks_and_for_what(room: Room) -> None:
    page = Browser.of(room).open(invited(room)).text

    assert "Lighthouse Bakery asks to post for you" in page


def test_a_member_asks_a_client_for_an_account_by_a_link(browser: Browser) -> None:
    shown = browser.open(browser.send("/app/accounts/ask", {"platform": "x"}).location).text
    link = re.search(r"http://127.0.0.1:8000(/connect/[\w-]+)", shown)
    assert link is not None

    page = Browser.of(browser.room).open(link[1])

    assert "asks to post for you" in page.text
    assert "Sign in at X" in page.text


def test_every_way_to_sign_in_says_what_it_is_for(room: Room) -> None:
    page = Browser.of(room).open(invited(room)).text.replace("&#39;", "'")

    for said in (
        "Sign in at LinkedIn (page): a company's page",
        "Sign in at LinkedIn (member-insights): your own profile with its figures",
        "Sign in at TikTok (direct): publish by itself",
        "Sign in at TikTok (draft): drafts to your inbox too",
        "Sign in at Instagram (facebook): with Facebook, for places and partners",
    ):
        assert said in page


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
    connecting = room.house.deployment.sign_in.connecting
    connecting.ways.set(Platform.INSTAGRAM, Client("an-app", "a-secret", "77"), method="facebook")

    visitor = Browser.of(room)
    answer = visitor.send(invited(room), {"platform": "instagram", "method": "facebook"})

    asked = parse_qs(urlsplit(answer.location).query)
    assert (asked["client_id"], asked["config_id"]) == (["an-app"], ["77"])


def test_a_sign_in_that_was_declined_is_told(room: Room) -> None:
    visitor = Browser.of(room)
    state = parse_qs(urlsplit(begun(visitor, invited(room))).query)["state"][0]

    answer = visitor.open(f"/connect/callback?error=access_denied&state={state}")

    assert answer.status == 409
    assert "access_denied" in answer.problem


def test_an_account_is_signed_in_to_again_and_keeps_its_id(browser: Browser) -> None:
    browser.open(answered(begun(browser, "/app/connect")))
    before = browser.room.get("/v1/accounts").json["data"][0]["id"]
    fields = {"platform": "x", "account": before}

    page = browser.send("/app/connect", fields).location
    answer = browser.open(answered(page))

    assert answer.location == "/app/accounts"
    assert [a["id"] for a in browser.room.get("/v1/accounts").json["data"]] == [before]
