"""One person in three workspaces, in a real browser: joining, switching, two tabs, a proof."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import next_page
from tests.browser.test_passkeys import add_passkey, on_localhost, sign_out, with_device
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser

NAMES = ("Harbour Bakery", "Mill Café", "Orchard Deli")


def a_workspace(visitor: Visitor, name: str) -> tuple[str, str]:
    made = visitor.operator.ask(
        *("workspace", "create", "--name", name, "--timezone", "UTC", "--owner-name", "Ada")
    )
    return str(made["workspace_id"]), str(made["member_id"])


def invitation(visitor: Visitor, workspace: str, name: str) -> str:
    """Add a member to a workspace; return the link, at the address where passkeys work."""
    member = visitor.operator.text(
        *("member", "add", workspace, "--name", name, "--role", "editor"), field="member_id"
    )
    link = visitor.operator.text("member", "sign-in", member, field="url")
    return link.replace("127.0.0.1", "localhost")


def switch(page: Page, name: str) -> None:
    """Press a workspace's button in the menu, whatever it is folded into."""
    button = page.locator("form[action='/app/switch'] button", has_text=name).first
    button.evaluate(
        "one => { for (let e = one; e; e = e.parentElement) if (e.open === false) e.open = true }"
    )
    with next_page(page):
        button.click()
    page.wait_for_url("**/app")


def workspace_of(page: Page) -> str:
    """Return which workspace a page is of: the one that it offers no button for."""
    offered = page.locator("header form[action='/app/switch'] button").all_text_contents()
    (shown,) = {*NAMES} - {text.strip() for text in offered}
    return shown


def joined(visitor: Visitor) -> Page:
    """Return a window of somebody who is in all three, signed in by a passkey."""
    (home, owner), *others = [a_workspace(visitor, name) for name in NAMES]
    visitor.test_account(home, "x")
    page = on_localhost(visitor, owner)
    with_device(page)
    add_passkey(page, "Blue laptop")
    expect(page.get_by_role("status")).to_contain_text("was added")
    for (workspace, _), name in zip(others, ("Lin", "Linda"), strict=True):
        page.goto(invitation(visitor, workspace, name))
        expect(page.get_by_text("Blue laptop")).to_be_visible()
        page.get_by_role("button", name=f"Join as {name}").click()
        page.wait_for_url("**/app")
    return page


def test_one_person_joins_three_workspaces_and_a_passkey_opens_all(visitor: Visitor) -> None:
    page = joined(visitor)

    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/app")
    seen = []
    for name in NAMES:
        if workspace_of(page) != name:
            switch(page, name)
        seen.append((workspace_of(page), page.locator("details.whoami > summary").inner_text()))

    assert list(NAMES) == [name for name, _ in seen]
    assert ["Ada", "Lin", "Linda"] == [whom.splitlines()[-1].strip() for _, whom in seen]


@pytest.mark.costly
def test_two_tabs_of_two_workspaces_do_not_act_in_each_others(visitor: Visitor) -> None:
    first = joined(visitor)
    switch(first, NAMES[0])
    first.goto(first.url.partition("/app")[0] + "/app/posts/new")
    first.locator("textarea[name=caption]").first.fill("Rye on Friday")
    first.locator("input[name=account]").first.check(force=True)
    second = first.context.new_page()
    second.goto(first.url.partition("/app")[0] + "/app")
    switch(second, NAMES[1])

    first.locator("#composer").evaluate(
        "form => form.requestSubmit(form.querySelector('button[value=save]'))"
    )

    expect(first.get_by_role("alert").first).to_contain_text("Nothing was done")
    expect(first.get_by_text("Rye on Friday")).to_be_visible()
    second.goto(second.url.partition("/app")[0] + "/app/posts")
    expect(second.get_by_text("Rye on Friday")).to_have_count(0)
    switch(second, NAMES[0])
    first.get_by_role("button", name="Continue with what I typed").click()
    second.goto(second.url.partition("/app")[0] + "/app/posts")
    expect(second.get_by_text("Rye on Friday").first).to_be_visible()


def test_a_removed_member_is_led_to_the_other_workspaces(visitor: Visitor) -> None:
    page = joined(visitor)
    here = workspace_of(page)
    listed = visitor.listed("workspace", "list")
    workspace = next(str(one["workspace_id"]) for one in reversed(listed) if one["name"] == here)
    (member,) = [
        str(one["member_id"])
        for one in visitor.listed("member", "list", workspace)
        if one["name"] == "Linda"
    ]

    visitor.operator.ask("member", "remove", member)
    page.reload()

    expect(page.get_by_role("alert").first).to_contain_text("no longer a member")
    page.get_by_role("button", name=NAMES[0]).click()
    page.wait_for_url("**/app")
    expect(page.locator("details.whoami > summary")).to_contain_text("Ada")
