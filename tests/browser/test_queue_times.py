"""The week of queue times: pressed, by keys too, and saved at once, without scripts as well."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import next_page
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser


def _settings(visitor: Visitor, *, scripts: bool = True) -> Page:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    visitor.test_account(workspace, "x", "other")
    page = visitor.signed_in(member, scripts=scripts)
    page.goto(f"{visitor.base_url}/app/settings")
    return page


def test_hours_are_pressed_looked_at_for_an_account_and_saved_once(visitor: Visitor) -> None:
    page = _settings(visitor)
    _change(page)

    page.get_by_role("button", name="Save queue times").click()

    expect(page.locator(".notice")).to_contain_text("The queue times were saved.")
    expect(page.get_by_label("Sunday 08:00")).to_be_checked()
    expect(page.get_by_label("Monday 09:00")).not_to_be_checked()


def test_without_scripts_the_week_is_saved_and_undone(visitor: Visitor) -> None:
    page = _settings(visitor, scripts=False)
    _change(page)

    page.get_by_role("button", name="Save queue times").click()
    expect(page.get_by_label("Sunday 08:00")).to_be_checked()
    page.get_by_role("button", name="Undo").click()

    expect(page.get_by_label("Monday 09:00")).to_be_checked()
    expect(page.get_by_label("Sunday 08:00")).not_to_be_checked()


def test_enter_in_a_field_saves_and_a_space_ticks_an_hour(visitor: Visitor) -> None:
    page = _settings(visitor)
    page.get_by_label("Sunday 08:00").focus()
    page.keyboard.press("Space")
    page.get_by_text("A time between the hours").click()
    page.get_by_label("Tuesday", exact=True).check()
    page.get_by_label("Time, such as 09:30").fill("07:45")
    with next_page(page):
        page.keyboard.press("Enter")

    expect(page.get_by_label("Sunday 08:00")).to_be_checked()
    expect(page.get_by_label("Tuesday 07:45")).to_be_checked()


def _change(page: Page) -> None:
    page.get_by_label("Sunday 08:00").check()
    page.get_by_label("Monday 09:00").uncheck()
    page.get_by_title("Whose golden hours are shown").click()
    page.get_by_role("button", name="LinkedIn").click()
    expect(page.locator("td[title='Golden hour: LinkedIn']")).to_have_count(7)
    page.get_by_role("button", name="Use golden hours").click()
    expect(page.locator(".qfoot")).to_contain_text("Not saved yet.")
    expect(page.locator("td.g :checked").first).to_be_attached()
