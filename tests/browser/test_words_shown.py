"""What pages say where it matters: of a failed text, in few lines, of a clock elsewhere."""

import pytest
from playwright.sync_api import expect

from tests.browser.composer_page import (
    next_page,
    pick_time,
    publish_now,
    save_draft,
    state_shown,
    text_field,
)
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser

_LINES = """button => {
  const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  const words = document.createRange();
  const tops = new Set();
  while (texts.nextNode()) {
    words.selectNodeContents(texts.currentNode);
    for (const box of words.getClientRects()) tops.add(Math.round(box.top));
  }
  return tops.size;
}"""
"""Counts boxes of text alone: those of elements begin a pixel beside them."""


@pytest.mark.costly
def test_a_text_that_just_failed_is_called_failed_until_it_is_changed(
    visitor: Visitor,
) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    save_draft(page, "Sold out sandbox:fail:media_rejected")
    with next_page(page):
        publish_now(page)
    expect(state_shown(page, "failed")).to_be_visible()
    page.reload()

    ready = page.locator("#ready")
    expect(ready).to_contain_text("Failed as it is on LinkedIn.")
    text_field(page).fill("Sold out for today")

    expect(ready).not_to_contain_text("Failed as it is")


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_narrow_phone_the_main_button_takes_two_lines_at_most(
    visitor: Visitor, width: int
) -> None:
    workspace, member = visitor.workspace()
    for platform in ("linkedin", "x", "bluesky"):
        visitor.test_account(workspace, platform, f"on {platform}")
    page = visitor.signed_in(member, width=width)
    page.goto(f"{visitor.base_url}/app/posts/new")

    for platform in ("linkedin", "x", "bluesky"):
        page.locator(".acc").filter(has_text=f"on {platform}").click()
    expect(page.locator(".panel")).to_have_count(3)
    for way in page.locator("#ways label").all():
        way.click()
        expect(page.locator(".htmx-request")).to_have_count(0)
        assert page.locator("#main-verb").evaluate(_LINES) <= 2


def test_on_a_narrow_phone_a_decision_takes_two_lines_at_most(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--approvals", "--timezone", "UTC")
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(owner)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.locator(".acc").click()
    text_field(page).fill("Rye on Saturday")
    page.locator("#ways").get_by_text("Tomorrow 09:00").click()
    with next_page(page):
        page.get_by_role("button", name="Review link").click()
    reader = visitor.page(width=320, height=640)
    reader.goto(page.locator(".secret").inner_text())

    buttons = reader.locator(".decide > button")
    expect(buttons).to_have_count(2)
    assert {one.evaluate("one => one.offsetHeight") for one in buttons.all()} == {50}


@pytest.mark.costly
def test_whoever_sits_in_another_zone_is_told_the_time_there_and_here(visitor: Visitor) -> None:
    workspace, member = visitor.workspace("--timezone", "UTC")
    visitor.test_account(workspace, "linkedin")
    visitor.timezone = "Asia/Tokyo"
    page = visitor.signed_in(member)
    save_draft(page, "Rye on Saturday")
    pick_time(page, "2030-01-31T09:00")
    expect(page.locator(".when [data-own-zone]")).to_contain_text("(Asia/Tokyo)")
    with next_page(page):
        page.get_by_role("button", name="Schedule for").click()

    time = page.locator(".when2 time")
    time.hover()
    expect(time).to_have_attribute("title", "Thu 18:00 on your own clock (Asia/Tokyo)")

    visitor.timezone = "UTC"
    here = visitor.signed_in(member)
    here.goto(page.url)
    here.locator(".when2 time").hover()
    expect(here.locator("[data-own-zone]").first).to_be_hidden()
    assert here.locator(".when2 time").get_attribute("title") is None
