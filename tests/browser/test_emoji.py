"""Emoji in the composer: fetched at first use, chosen by pointer or keys, put at the cursor."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import open_tab, text_field
from tests.browser.visitor import Visitor
from tests.browser.wire import Wire

pytestmark = pytest.mark.browser

_CURSOR = "area => area.setSelectionRange({0}, {0})"


def _composer(visitor: Visitor, *platforms: str) -> Page:
    workspace, member = visitor.workspace()
    for platform in platforms:
        visitor.test_account(workspace, platform, f"on {platform}")
    page = visitor.signed_in(member, width=390)
    page.goto(f"{visitor.base_url}/app/posts/new")
    return page


def _dialog(page: Page) -> None:
    page.get_by_role("button", name="Emoji").click()
    expect(page.get_by_role("dialog", name="Emoji")).to_be_visible()


def test_an_emoji_found_by_its_name_stands_at_the_cursor(visitor: Visitor) -> None:
    page = _composer(visitor, "linkedin")
    wire = Wire(page)
    text_field(page).fill("Fresh bread today")
    text_field(page).evaluate(_CURSOR.format(11))
    assert not [path for path in wire.asked.values() if "emoji" in path]

    _dialog(page)
    expect(page.get_by_label("Search emoji")).to_be_focused()
    page.keyboard.type("croissant")
    expect(page.locator("#emoji [role=status]")).to_have_text("1 found")
    page.keyboard.press("Enter")

    expect(text_field(page)).to_have_value("Fresh bread\N{CROISSANT} today")
    expect(text_field(page)).to_be_focused()
    page.keyboard.type("!")
    expect(text_field(page)).to_have_value("Fresh bread\N{CROISSANT}! today")


@pytest.mark.costly
def test_arrows_walk_through_a_group_and_escape_changes_nothing(visitor: Visitor, axe: str) -> None:
    page = _composer(visitor, "linkedin")
    text_field(page).fill("Rye")
    _dialog(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [one["id"] for one in found] == []

    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Emoji")).to_be_hidden()
    expect(text_field(page)).to_have_value("Rye")
    _dialog(page)
    page.get_by_role("button", name="Food and drink").click()
    page.locator("#emoji .egrid button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name="melon", exact=True)).to_be_focused()
    page.keyboard.press("Enter")

    expect(text_field(page)).to_have_value("Rye\N{MELON}")


def test_an_emoji_goes_to_the_text_of_the_open_tab(visitor: Visitor) -> None:
    page = _composer(visitor, "linkedin", "x")
    text_field(page).fill("For all")
    for name in ("on linkedin", "on x"):
        page.locator(".acc").filter(has_text=name).click()
    expect(page.locator(".panel")).to_have_count(2)
    open_tab(page, "LinkedIn")
    area = page.get_by_label("Text for LinkedIn", exact=False)
    area.press("End")

    _dialog(page)
    page.keyboard.type("pretzel")
    page.keyboard.press("Enter")

    expect(area).to_have_value("For all\N{PRETZEL}")
    open_tab(page, "All accounts")
    expect(text_field(page)).to_have_value("For all")
