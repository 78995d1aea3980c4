"""Keys of the app: each acts where nobody types, and none where somebody does."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import state_shown, text_field
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser

_A_MAC = 'Object.defineProperty(navigator, "platform", { get: () => "MacIntel" })'
_PRESSED = """([values, place]) => !(document.querySelector(place) || document.body).dispatchEvent(
  new KeyboardEvent("keydown", { ...values, bubbles: true, cancelable: true }))"""


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


def _pressed(page: Page, place: str = "body", **values: object) -> bool:
    """Press a key as another layout has it; tell whether the page took it."""
    taken: Any = page.evaluate(_PRESSED, [values, place])
    return bool(taken)


def test_letters_and_commands_work_where_keys_have_no_latin_letters(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)

    assert _pressed(page, key="л", code="KeyK", ctrlKey=True)
    expect(page.get_by_role("dialog", name="Go to")).to_be_visible()
    page.keyboard.press("Escape")
    _pressed(page, key="т", code="KeyN")
    page.wait_for_url("**/app/posts/new")
    page.goto(f"{visitor.base_url}/app/calendar?view=day&day=2030-02-02")
    with page.expect_navigation():
        _pressed(page, key="\u0435", code="KeyT")


def test_option_and_control_write_on_a_mac(visitor: Visitor) -> None:
    """Option with 3 is # there, Option with 8 a brace, and Control with K cuts a line."""
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.add_init_script(_A_MAC)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    tab = page.get_by_role("tab", selected=True)
    expect(tab).to_contain_text("All")

    for taken in (False, False):  # before keys.js is there, and after
        assert _pressed(page, "#caption", key="{", code="Digit2", altKey=True) is taken
        assert _pressed(page, "#caption", key="k", code="KeyK", ctrlKey=True) is taken
        page.wait_for_function("document.head.querySelector('script[src*=keys]')")
        page.wait_for_load_state("networkidle")
    expect(tab).to_contain_text("All")
    _pressed(page, "#caption", key="2", code="Digit2", ctrlKey=True)
    expect(tab).to_contain_text("LinkedIn")
    _pressed(page, "#caption", key="k", code="KeyK", metaKey=True)
    expect(page.get_by_role("dialog", name="Go to")).to_be_visible()


def test_alt_gr_writes(visitor: Visitor) -> None:
    """Windows tells it as Control and Alt."""
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    page.keyboard.press("Alt+2")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("LinkedIn")

    assert not _pressed(page, "#caption", key="{", code="Digit1", altKey=True, ctrlKey=True)


@pytest.mark.parametrize("ends", [{"isComposing": True}, {"keyCode": 229}])
def test_what_ends_a_word_of_an_input_method_leads_nowhere(
    visitor: Visitor, ends: dict[str, object]
) -> None:
    _, member = visitor.workspace()
    page = visitor.signed_in(member)
    page.keyboard.press("Control+k")
    field = page.get_by_label("Go to").last
    field.fill("calen")

    assert not _pressed(page, "#palette input", key="Enter", code="Enter", **ends)
