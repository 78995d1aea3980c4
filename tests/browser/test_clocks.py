"""A browser that counts twelve hours: its fields count 24, as the pages beside them do."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import A_POST, text_field
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser


def _at_composer(visitor: Visitor) -> Page:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "bluesky")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    return page


@pytest.mark.costly
def test_a_time_is_typed_in_24_hours_and_the_button_names_it(visitor: Visitor) -> None:
    visitor.locale = "en-US"
    page = _at_composer(visitor)
    text_field(page).fill("At night")
    page.locator(".acc").filter(has_text="bakery").click()
    page.locator("#ways label").filter(has_text="Pick a time").click()

    expect(page.locator("#at")).to_be_hidden()
    day, clock = page.locator(".pick-time [type=date]"), page.locator(".pick-time [data-clock]")
    day.fill("2031-03-05")
    clock.fill("25:10")
    page.locator("#main-verb").click()
    expect(clock).to_be_focused()  # the browser says what is wrong there, and nothing is sent
    clock.fill("22:40")

    expect(page.locator("#main-verb")).to_contain_text("22:40")
    page.locator("#main-verb").click()
    page.wait_for_url(A_POST)
    expect(page.locator(".when2 time")).to_contain_text("22:40")
    expect(page.locator(".pick-time [data-clock]")).to_have_value("22:40")
    page.wait_for_load_state()
    page.keyboard.press("s")
    expect(page.locator(".pick-time [type=date]")).to_be_focused()


def test_a_browser_that_counts_24_keeps_its_own_field(visitor: Visitor) -> None:
    page = _at_composer(visitor)

    page.locator("#ways label").filter(has_text="Pick a time").click()

    expect(page.locator("#at")).to_be_visible()
    expect(page.locator("script[src*=clock]")).to_have_count(0)
    assert re.search(r"clock\.js", page.locator("body").get_attribute("data-clock") or "")
