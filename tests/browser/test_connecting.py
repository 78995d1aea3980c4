"""Connecting accounts on the platforms' own sign-in pages: in the app, and by a link."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.browser.sign_in_pages import (
    INSTAGRAM_BY_FACEBOOK,
    MEMBER_OF_LINKEDIN,
    PAGES,
    SignInPage,
    SignInPages,
)
from tests.browser.visitor import Visitor
from tests.connectors.bluesky.server import HANDLE, PASSWORD, BlueskyRelay, BlueskyServer

pytestmark = pytest.mark.browser

SHOP = "https://shop.example/done"
LISTED = re.compile(r"/app/accounts(#_)?$")
"""Meta's platforms and Reddit put `#_` behind their answer, which browsers keep."""


@pytest.fixture
def set_up(visitor: Visitor) -> Visitor:
    """Seal the operator's application of each of the ten platforms."""
    for platform, page in PAGES.items():
        client_id, secret = page.client
        asked = ("app-credentials", "set", platform.value, "--client-id", client_id)
        visitor.operator.ask(*asked, "--client-secret", secret)
    return visitor


@pytest.mark.costly
def test_a_bluesky_account_is_connected_on_its_servers_own_page_and_posts(
    visitor: Visitor, bluesky: BlueskyServer
) -> None:
    client = ("--client-id", "http://localhost", "--client-secret", "")
    visitor.operator.ask("app-credentials", "set", "bluesky", *client)
    workspace, owner = visitor.workspace()
    page = visitor.signed_in(owner)
    at = _ways(page, Platform.BLUESKY)

    at.get_by_label("Your handle").first.fill(HANDLE)
    at.get_by_role("button", name="Sign in at Bluesky").click()
    page.wait_for_url(f"{bluesky.issuer}/oauth/authorize**")
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url("**/app/accounts")
    listed = visitor.listed("account", "list", workspace)
    _publish(page, "Bread by browser", HANDLE)

    found = [(one["platform"], one["handle"], one["test"]) for one in listed]
    assert found == [("bluesky", HANDLE, False)]
    relay = BlueskyRelay(bluesky)
    texts = [record["text"] for record in relay.records()]
    relay.close()
    assert texts == ["Bread by browser"]


@pytest.mark.costly
def test_each_platforms_account_is_connected_by_its_own_sign_in(
    set_up: Visitor, sign_in_pages: SignInPages
) -> None:
    _, owner = set_up.workspace()
    page = set_up.signed_in(owner)

    for platform, sign_in in PAGES.items():
        _connect(page, platform, sign_in)
    _connect(page, Platform.LINKEDIN, MEMBER_OF_LINKEDIN)

    for platform, sign_in in (*PAGES.items(), (Platform.LINKEDIN, MEMBER_OF_LINKEDIN)):
        name = f"{FACTS[platform].name} {sign_in.handle}"
        expect(page.get_by_role("row", name=name, exact=True)).to_contain_text("Fine")
    expect(page.locator(".accts tbody tr")).to_have_count(len(PAGES) + 1)
    _, owner = set_up.workspace()
    page = set_up.signed_in(owner)
    with sign_in_pages.facebook_for_instagram():
        _connect(page, Platform.INSTAGRAM, INSTAGRAM_BY_FACEBOOK)
    expect(page.get_by_role("row", name="Instagram lumenbakes")).to_contain_text("Fine")


@pytest.mark.costly
def test_a_customer_connects_by_a_link_and_is_sent_back(set_up: Visitor) -> None:
    workspace, owner = set_up.workspace()
    asked = ("account", "invite", workspace, "--ttl", "1h", "--return-to", SHOP)
    link = set_up.operator.text(*asked, field="url")
    customer = set_up.page(width=390, height=844)
    customer.goto(link)

    declined = customer.get_by_role("region", name="LinkedIn")
    declined.get_by_role("button", name="Sign in at LinkedIn").first.click()
    customer.get_by_role("link", name="Decline").click()
    expect(customer.get_by_role("alert")).to_contain_text("LinkedIn did not sign you in")
    customer.goto(link)
    at = customer.get_by_role("region", name="X", exact=True)
    at.get_by_role("button", name="Sign in at X").click()
    with customer.expect_request(f"{SHOP}?account_id=*") as led:
        customer.get_by_role("link", name="Allow").click()

    (account,) = set_up.listed("account", "list", workspace)
    assert led.value.url == f"{SHOP}?account_id={account['account_id']}"
    customer.goto(link)
    expect(customer.get_by_role("heading", name="This link has ended")).to_be_visible()
    owners = set_up.signed_in(owner)
    owners.goto(f"{set_up.base_url}/app/review")
    expect(owners.get_by_text("Open links")).to_have_count(0)


@pytest.mark.costly
def test_an_answer_in_another_browser_connects_nothing(
    set_up: Visitor, sign_in_pages: SignInPages
) -> None:
    """Swapped state: a thief's answer brought to a victim's browser, and kept by the thief."""
    workspace, owner = set_up.workspace()
    thief, victim = set_up.signed_in(owner), set_up.signed_in(owner)
    for page in (thief, victim):
        at = _ways(page, Platform.X)
        at.get_by_role("button", name="Sign in at X").click()
    answer = str(thief.get_by_role("link", name="Allow").get_attribute("href"))
    assert answer.startswith(sign_in_pages.redirect_uri)

    victim.goto(answer)

    expect(victim.get_by_role("alert")).to_contain_text("not under way in this browser")
    assert set_up.listed("account", "list", workspace) == []


def _ways(page: Page, platform: Platform) -> Locator:
    """Go to the ways to sign in, and return a platform's."""
    page.get_by_role("link", name="Accounts").first.click()
    page.get_by_role("link", name="Connect", exact=True).click()
    return page.get_by_role("region", name=FACTS[platform].name, exact=True)


def _connect(page: Page, platform: Platform, sign_in: SignInPage) -> None:
    """Sign in and allow it, as a person does who looks at the page."""
    at = _ways(page, platform)
    label = f"Sign in at {FACTS[platform].name}" + (f" ({sign_in.way})" if sign_in.way else "")
    at.get_by_role("button", name=label).first.click()
    page.get_by_role("link", name="Allow").click()
    _choose(page, sign_in)
    expect(page).to_have_url(LISTED)


def _choose(page: Page, sign_in: SignInPage) -> None:
    """Choose one of the accounts that a sign-in opened, where it opened several."""
    if sign_in.chosen is not None:
        page.locator(f'input[value="{sign_in.chosen}"]').check()
        page.get_by_role("button", name="Connect", exact=True).click()


def _publish(page: Page, caption: str, handle: str) -> None:
    page.get_by_role("link", name="New post").first.click()
    page.locator("#caption").fill(caption)
    page.get_by_label(handle).check()
    page.get_by_label("Other ways to send it").click()
    page.get_by_text("Publish now…").click()
    page.get_by_role("button", name="Publish now", exact=True).click()
    expect(page.locator("#progress").get_by_text("Published", exact=True)).to_be_visible()
