"""Keys of the app: each acts where nobody types, and none where somebody does."""

import pytest
from playwright.sync_api import expect

from tests.browser.composer_page import state_shown, text_field
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser


def test_keys_write_send_and_lead_anywhere_and_none_acts_while_somebody_types(
    visitor: Visitor,
) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_url("**/app/posts/new")
    page.get_by_label("bakery").check()
    text_field(page).press_sequentially("njkes/? by keys")
    expect(text_field(page)).to_have_value("njkes/? by keys")
    page.keyboard.press("Alt+2")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("LinkedIn")
    page.keyboard.press("Control+Enter")
    expect(state_shown(page, "scheduled")).to_be_visible()

    page.wait_for_load_state()  # scripts listen from then on
    page.keyboard.press("Control+k")
    page.get_by_label("Go to").last.press_sequentially("calen")
    page.keyboard.press("Enter")
    page.wait_for_url("**/app/calendar")
    page.wait_for_load_state()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Hold an entry")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.wait_for_url("**/app/posts#q")
