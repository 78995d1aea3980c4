"""Passkeys in Chromium, whose DevTools stand in for the device: added, used, removed."""

import re

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.visitor import Visitor
from tests.support.other_name import by_address

pytestmark = pytest.mark.browser

A_DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def with_device(page: Page, **other: object) -> tuple[CDPSession, str]:
    """Give a window's machine a device for passkeys."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": {**A_DEVICE, **other}})
    return tools, str(made["authenticatorId"])


def on_localhost(visitor: Visitor, member_id: str, *, width: int = 1280) -> Page:
    """Open a window at the address where this machine's passkeys work, signed in."""
    page = visitor.page(width=width)
    link = by_address(visitor.operator.text("member", "sign-in", member_id, field="url"))
    page.goto(link.replace("127.0.0.1", "localhost"))
    page.get_by_role("button", name="Sign in as").click()
    page.wait_for_url("**/app")
    return page


def add_passkey(page: Page, name: str) -> None:
    page.goto(page.url.partition("/app")[0] + "/app/settings?page=you")
    form = page.locator("form", has=page.get_by_role("button", name="Add a passkey"))
    form.get_by_label("Name").fill(name)
    form.get_by_role("button", name="Add a passkey").click()


def sign_out(page: Page) -> None:
    page.locator("details.whoami > summary").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/app/sign-in")


@pytest.mark.costly
@pytest.mark.parametrize("width", [390, 1280])
def test_a_member_adds_a_passkey_and_signs_in_by_it_without_an_operator(
    visitor: Visitor, axe: str, width: int
) -> None:
    _, owner = visitor.workspace()
    page = on_localhost(visitor, owner, width=width)
    tools, device = with_device(page)

    add_passkey(page, "Blue laptop")
    expect(page.get_by_role("status")).to_contain_text("“Blue laptop” was added")
    sign_out(page)
    assert _violations(page, axe) == []
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/app")

    expect(page.locator("details.whoami > summary")).to_be_visible()
    kept = tools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    assert [(one["rpId"], one["isResidentCredential"]) for one in kept] == [("localhost", True)]
    page.goto(page.url + "/settings?page=you")
    expect(page.locator("li", has_text="Blue laptop")).to_contain_text("last used")
    assert _violations(page, axe) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_a_workspace_that_asks_for_a_passkey_shows_nothing_to_a_link_until_one_is_used(
    visitor: Visitor, axe: str, width: int
) -> None:
    workspace, _ = visitor.workspace()
    visitor.operator.ask("workspace", "passkeys-only", workspace, "on")
    member = visitor.operator.text(
        *("member", "add", workspace, "--name", "Grace", "--role", "editor"), field="member_id"
    )
    page = visitor.page(width=width)
    with_device(page)
    link = by_address(visitor.operator.text("member", "sign-in", member, field="url"))
    page.goto(link.replace("127.0.0.1", "localhost"))
    page.get_by_role("button", name="Sign in as").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("asks for a passkey")
    expect(page.get_by_role("link", name="New post")).to_have_count(0)
    assert _violations(page, axe) == []
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/app/settings")

    expect(page.locator("details.whoami > summary")).to_be_visible()


@pytest.mark.costly
def test_a_device_is_added_once_and_a_removed_passkey_signs_nobody_in(visitor: Visitor) -> None:
    _, owner = visitor.workspace()
    page = on_localhost(visitor, owner)
    with_device(page)
    add_passkey(page, "Blue laptop")
    expect(page.get_by_role("status")).to_contain_text("was added")

    add_passkey(page, "Once more")
    expect(page.get_by_role("alert")).to_have_text("This device has a passkey here already.")
    page.get_by_role("button", name="Remove the passkey Blue laptop").click()
    expect(page.get_by_role("status")).to_contain_text("was removed")
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()

    expect(page.get_by_role("alert").first).to_contain_text("This passkey was not accepted")
    assert "/app/passkeys/sign-in" in page.url


def test_whoever_the_device_cannot_verify_is_told_so_and_may_try_again(visitor: Visitor) -> None:
    _, owner = visitor.workspace()
    page = on_localhost(visitor, owner)
    with_device(page, isUserVerified=False)

    add_passkey(page, "Blue laptop")

    expect(page.get_by_role("alert")).to_contain_text("No passkey was used")
    expect(page.get_by_role("button", name="Add a passkey")).to_be_enabled()


def test_at_another_address_of_this_machine_the_page_says_where_passkeys_work(
    visitor: Visitor,
) -> None:
    _, owner = visitor.workspace()
    page = visitor.signed_in(owner)

    page.goto(visitor.base_url + "/app/settings?page=you")

    expect(page.get_by_text(re.compile(r"Passkeys work at"))).to_be_visible()
    expect(page.get_by_role("button", name="Add a passkey")).to_be_hidden()


def test_without_scripts_the_page_says_so_and_links_still_sign_in(visitor: Visitor) -> None:
    page = visitor.page(scripts=False)

    page.goto(visitor.base_url + "/app/sign-in")

    expect(page.get_by_text("Passkeys need JavaScript")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()


def _violations(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]
