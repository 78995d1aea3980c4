"""What a team does around a post, in a browser: comments that wait, reminders of a Free plan."""

import re

import pytest
from playwright.sync_api import expect

from chalicelib.domain.platforms.platform import Platform
from tests.browser.composer_page import next_page, save_draft, text_field
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser


def test_a_free_workspace_is_reminded_and_says_that_it_is_posted(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--plan", "free")
    visitor.test_account(workspace, "bluesky")
    page = visitor.signed_in(owner)
    save_draft(page, "Rye for those who come early")
    visitor.have_sent(workspace, page)

    posted = page.get_by_role("button", name="I posted it")
    while not posted.is_visible():  # until the engine has come to it
        page.reload()
    expect(page.get_by_role("button", name="Copy the text")).to_be_visible()
    page.get_by_placeholder("https://… (optional)").fill("https://bsky.app/profile/rye/post/1")
    with next_page(page):
        posted.click()

    expect(page.locator(".notice")).to_contain_text("counts as posted")
    expect(page.get_by_role("link", name="Open the live post")).to_be_visible()


@pytest.mark.costly
def test_a_mentioned_member_sees_it_at_the_bell_and_answers(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace()
    visitor.test_account(workspace, "bluesky")
    asked = ("member", "add", workspace, "--name", "Lin", "--role", "editor")
    hers = visitor.signed_in(visitor.operator.text(*asked, field="member_id"))
    his = visitor.signed_in(owner)
    save_draft(his, "Rye at seven")
    his.get_by_placeholder("Write a comment").fill("Is this right, @Lin?")
    with next_page(his):
        his.get_by_role("button", name="Comment", exact=True).click()

    hers.goto(f"{visitor.base_url}/app/waiting")
    expect(hers.locator("main")).to_contain_text("Is this right, @Lin?")
    hers.get_by_role("link", name="Open", exact=True).click()
    hers.locator(".talk summary", has_text="Reply").click()
    hers.get_by_label("Reply to").last.fill("It is.")
    with next_page(hers):
        hers.get_by_role("button", name="Reply", exact=True).click()

    expect(hers.locator(".talk .talk")).to_contain_text("It is.")
    his.locator("a.bell").click()
    expect(his.locator("main")).to_contain_text("It is.")


def test_a_group_is_chosen_by_one_press_and_an_account_by_its_name(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace()
    for platform in Platform:
        visitor.test_account(workspace, platform)
    page = visitor.signed_in(owner)
    page.goto(f"{visitor.base_url}/app/groups")
    page.get_by_label("Name").fill("The bakery's")
    for name in ("bakery X", "bakery Bluesky"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    with next_page(page):
        page.get_by_role("button", name="Make the group").click()

    page.goto(f"{visitor.base_url}/app/posts/new")
    group = page.get_by_role("button", name="All of The bakery's")
    chosen = page.locator("#accounts :checked")
    tabs = page.get_by_role("tab")
    group.click()
    expect(tabs).to_have_text([re.compile("All accounts"), re.compile("X"), re.compile("Bluesky")])
    expect(group).to_have_attribute("aria-pressed", "true")
    finder = page.get_by_role("searchbox", name="Find an account")
    finder.fill("threa")
    expect(page.locator(".acc:visible")).to_have_count(3)  # those that are chosen stay in sight
    finder.press("Enter")

    expect(page.get_by_role("checkbox", name="Threads")).to_be_checked()
    expect(chosen).to_have_count(3)
    expect(page.locator(".acc:visible")).to_have_count(len(Platform))
    expect(tabs).to_have_count(4)
    group.click()
    expect(chosen).to_have_count(1)
    expect(group).to_have_attribute("aria-pressed", "false")


def test_a_group_is_chosen_by_one_press_without_scripts(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace()
    for platform in ("x", "bluesky"):
        visitor.test_account(workspace, platform)
    page = visitor.signed_in(owner, scripts=False)
    page.goto(f"{visitor.base_url}/app/groups")
    page.get_by_label("Name").fill("The bakery's")
    page.get_by_role("checkbox", name="bakery X", exact=True).check()
    page.get_by_role("button", name="Make the group").click()

    page.goto(f"{visitor.base_url}/app/posts/new")
    text_field(page).fill("Rye at seven")
    page.get_by_role("button", name="All of The bakery's").click()

    expect(page.locator("#accounts :checked")).to_have_count(1)
    expect(text_field(page)).to_have_value("Rye at seven")


def test_an_agency_labels_and_filters_many_posts_on_the_narrowest_phone(visitor: Visitor) -> None:
    """Each menu is a sheet at the foot of the screen, as wide as the screen."""
    workspace, owner = visitor.workspace()
    visitor.test_account(workspace, "bluesky", _BRANCH)
    page = visitor.signed_in(owner, width=320, height=640)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{visitor.base_url}/app/labels")
    page.get_by_label("Name, at most").fill("Easter")
    with next_page(page):
        page.get_by_role("button", name="Make the label").click()
    page.goto(f"{visitor.base_url}/app/posts/new")
    text_field(page).fill("Rye at seven")
    page.get_by_label(_BRANCH).check()
    expect(page.locator("#saved")).to_contain_text("Saved")
    page.goto(f"{visitor.base_url}/app/posts")

    page.locator(".filters summary", has_text="All accounts").click()
    menu = page.locator("details[open] > .menu")
    assert menu.evaluate("one => one.scrollWidth") == 320
    page.keyboard.press("Escape")
    page.get_by_label("Select Rye at seven").check()
    page.locator(".bulk summary", has_text="Delete").click()
    expect(page.get_by_role("button", name="Delete the selected posts")).to_be_in_viewport()
    page.keyboard.press("Escape")
    page.locator(".bulk summary", has_text="Label").click()
    with next_page(page):
        page.get_by_role("button", name="Easter").click()

    expect(page.locator("tbody .labelled")).to_have_text("Easter")


def test_names_of_an_agencys_clients_are_read_whole_on_the_narrowest_phone(
    visitor: Visitor,
) -> None:
    """Labels and accounts that differ only at their end are told apart by it."""
    workspace, owner = visitor.workspace()
    visitor.test_account(workspace, "google business profile", _BRANCH)
    page = visitor.signed_in(owner, width=320, height=640)
    page.goto(f"{visitor.base_url}/app/labels")
    page.get_by_label("Name, at most").fill(_CAMPAIGN)
    with next_page(page):
        page.get_by_role("button", name="Make the label").click()

    label, link = page.locator("td .clip"), page.get_by_role("link", name="Show its posts")

    assert label.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert link.evaluate("one => one.getClientRects().length") == 1
    page.goto(f"{visitor.base_url}/app/groups")
    name = page.locator(".pick", has_text=_BRANCH)
    assert name.evaluate(_LINES) <= 3


_BRANCH = "Bäckerei Sonnenaufgang, Schönhauser Allee 144"
_CAMPAIGN = "Weihnachtsmarktsonderverkaufsaktion Schöneberg"
_LINES = """(one) => {
  const words = document.createRange();
  words.selectNode([...one.childNodes].find((part) => part.nodeType === 3 && part.data.trim()));
  return new Set([...words.getClientRects()].map((line) => line.top)).size;
}"""
