"""Where the cursor stands in the composer, and what of its rows is in sight."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import open_tab, text_field
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser

_PLATFORMS = ("linkedin", "x", "bluesky", "instagram")


def _new_post(page: Page, visitor: Visitor, member: str) -> Page:
    visitor.sign_in(page, member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    return page


@pytest.fixture
def member(visitor: Visitor) -> str:
    """Make a workspace with four accounts; return its owner."""
    workspace, owner = visitor.workspace()
    for platform in _PLATFORMS:
        visitor.test_account(workspace, platform, f"on {platform}")
    return owner


@pytest.fixture
def phone(visitor: Visitor) -> Iterator[Page]:
    """Open the window of a narrow phone, which has no keyboard of its own."""
    context = visitor.chromium.new_context(
        viewport={"width": 320, "height": 640},
        is_mobile=True,
        has_touch=True,
        locale="en-GB",
        service_workers="block",
    )
    context.set_default_timeout(120_000)  # as long as a busy machine may take
    yield context.new_page()
    context.close()


def _choose_all(page: Page) -> None:
    page.locator("#all-accounts").click()
    expect(page.locator(".panel")).to_have_count(len(_PLATFORMS))


def test_at_a_desk_a_new_post_is_written_at_once(visitor: Visitor, member: str) -> None:
    page = _new_post(visitor.page(), visitor, member)
    expect(page).to_have_title("New post · goldenhour")
    expect(text_field(page)).to_be_focused()

    page.keyboard.type("Rye on Saturday")

    expect(text_field(page)).to_have_value("Rye on Saturday")


def test_on_a_phone_a_new_post_opens_no_keyboard(
    visitor: Visitor, member: str, phone: Page
) -> None:
    page = _new_post(phone, visitor, member)

    expect(text_field(page)).not_to_be_focused()


def test_a_tab_that_is_pressed_is_written_in_next(visitor: Visitor, member: str) -> None:
    """By the mouse; who goes through tabs by keys stays on them."""
    page = _new_post(visitor.page(), visitor, member)
    page.keyboard.type("Rye on Saturday")
    _choose_all(page)

    open_tab(page, "Bluesky")
    expect(page.get_by_label("Text for Bluesky")).to_be_focused()
    page.keyboard.type("!")
    expect(page.get_by_label("Text for Bluesky")).to_have_value("Rye on Saturday!")

    tab = page.get_by_role("tab", name="LinkedIn")
    page.get_by_role("tab", name="All accounts").focus()
    page.keyboard.press("ArrowRight")
    expect(tab).to_be_focused()
    page.keyboard.press("Enter")
    expect(tab).to_be_focused()


def test_on_a_phone_a_tab_keeps_the_keyboard_that_is_open_and_opens_none(
    visitor: Visitor, member: str, phone: Page
) -> None:
    page = _new_post(phone, visitor, member)
    _choose_all(page)

    open_tab(page, "X")
    expect(page.get_by_label("Text for X")).not_to_be_focused()

    page.get_by_label("Text for X").tap()
    open_tab(page, "LinkedIn")
    expect(page.get_by_label("Text for LinkedIn")).to_be_focused()


def test_on_a_phone_what_is_open_and_chosen_stays_in_sight(
    visitor: Visitor, member: str, phone: Page
) -> None:
    """The tab after its counts came anew, the time from the first moment."""
    page = _new_post(phone, visitor, member)
    expect(page.locator("#ways label:has(:checked)")).to_be_in_viewport(ratio=0.9)
    text_field(page).fill("Rye on Saturday")
    _choose_all(page)

    open_tab(page, "Instagram")
    with page.expect_response("**/app/compose?part=beside"):
        page.get_by_label("Text for Instagram").fill("Rye, at last")

    tab = page.get_by_role("tab", name="Instagram")
    expect(tab).to_contain_text("12")
    expect(tab).to_be_in_viewport(ratio=0.9)


def test_what_is_missing_is_said_at_the_text_and_counted_at_the_button(
    visitor: Visitor, member: str
) -> None:
    """It stands there as an alert only when somebody pressed the button in vain."""
    page = _new_post(visitor.page(), visitor, member)
    page.keyboard.type("Rye on Saturday")
    page.locator(".acc").filter(has_text="on instagram").click()

    expect(page.locator("#wrongs")).to_contain_text("Instagram needs a photo or a video.")
    expect(page.locator("#ready")).to_contain_text("1 thing to fix")
    expect(page.locator("#waits")).to_be_empty()


def test_a_warning_is_no_error_at_a_field(visitor: Visitor, member: str) -> None:
    page = _new_post(visitor.page(), visitor, member)
    page.locator(".acc").filter(has_text="on x").click()
    text_field(page).fill("Rye: https://example.com/rye")

    expect(page.locator("#wrongs")).to_contain_text("(warning)")
    assert page.locator("p.wrong:not(:empty), [aria-invalid=true]").count() == 0


def test_many_accounts_leave_the_text_on_the_screen(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace()
    for number in range(24):
        visitor.test_account(workspace, _PLATFORMS[number % 3], f"Branch of the bakery {number}")
    page = _new_post(visitor.page(height=500), visitor, owner)

    expect(text_field(page)).to_be_in_viewport(ratio=1)
    page.locator(".acc").last.click()
    expect(page.locator(".acc").last.locator("input")).to_be_checked()


def test_all_previews_lead_back_to_the_text_one_wrote(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    for platform in ("linkedin", "x"):
        visitor.test_account(workspace, platform, f"on {platform}")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    for platform in ("linkedin", "x"):
        page.get_by_label(f"on {platform}").check()
    page.get_by_role("tab", name="X").click()
    back = page.get_by_role("button", name="Back to the text")
    expect(back).to_be_hidden()

    page.get_by_role("group", name="Preview of").get_by_role("button", name="All").click()
    expect(page.locator(".look:visible")).to_have_count(2)
    back.click()

    expect(page.get_by_label("Text for X", exact=False)).to_be_focused()
    expect(page.locator(".look:visible")).to_have_count(1)
