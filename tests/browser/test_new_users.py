"""What somebody new stumbles over without a mouse, without scripts or by thumb."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from chalicelib.domain.platforms.platform import Platform
from tests.browser.composer_page import next_page, save_draft, text_field
from tests.browser.test_reviews import add_member
from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT

pytestmark = pytest.mark.browser

PLATFORMS = (Platform.INSTAGRAM, Platform.X, Platform.LINKEDIN, Platform.BLUESKY, Platform.THREADS)


def _composer(visitor: Visitor, *platforms: Platform, scripts: bool = True) -> Page:
    """Open a new post of somebody who has an account of each platform."""
    workspace, member = visitor.workspace("--timezone", "UTC")
    for platform in platforms:
        visitor.test_account(workspace, platform, f"Bakery by the sea on {platform}")
    page = visitor.signed_in(member, scripts=scripts)
    page.goto(f"{visitor.base_url}/app/posts/new")
    return page


@pytest.mark.costly
def test_what_has_the_focus_keeps_it_when_its_part_comes_anew(visitor: Visitor) -> None:
    page = _composer(visitor, Platform.INSTAGRAM)
    page.locator(".acc").click()
    text_field(page).fill("Without a photo")
    expect(page.locator("#ready")).to_contain_text("1 thing to fix")

    for place in ("#ready a", "#wrongs a", "#beside .seg button"):
        focused = page.locator(place).first
        focused.focus()
        focused.evaluate("one => { one.dataset.old = '1'; }")
        with page.expect_response("**/compose?part=beside"):
            text_field(page).dispatch_event("input")
        expect(page.locator(f"{place}:not([data-old])").first).to_be_focused()


def test_an_account_that_has_the_focus_is_wholly_in_sight(visitor: Visitor) -> None:
    page = _composer(visitor, *PLATFORMS)
    boxes = page.get_by_role("checkbox", name="Bakery by the sea")
    for place in range(3):
        boxes.nth(place).check()
    boxes.first.focus()

    for place in range(1, len(PLATFORMS)):
        page.keyboard.press("Tab")
        expect(boxes.nth(place)).to_be_focused()
        row, own = page.locator("#accounts").bounding_box(), boxes.nth(place).bounding_box()
        assert row is not None
        assert own is not None
        assert own["x"] + own["width"] <= row["x"] + row["width"] + 1


def test_arrows_go_past_the_time_to_type_and_a_press_goes_into_it(visitor: Visitor) -> None:
    page = _composer(visitor, Platform.X)
    pick, typed = page.get_by_role("radio", name="Pick a time"), page.locator("#at")
    page.get_by_role("radio", name="Next queue time").focus()

    page.keyboard.press("ArrowRight")
    expect(pick).to_be_checked()
    expect(pick).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Golden hour")).to_be_checked()
    page.locator("#ways label").filter(has_text="Pick a time").click()

    expect(typed).to_be_focused()


def test_the_first_text_has_its_key_before_any_account_is_chosen(visitor: Visitor) -> None:
    page = _composer(visitor, Platform.X)

    page.keyboard.press("Alt+1")

    expect(text_field(page)).to_be_focused()


def test_without_scripts_the_button_names_no_time_and_a_refusal_has_the_focus(
    visitor: Visitor,
) -> None:
    page = _composer(visitor, Platform.X, scripts=False)
    page.locator("#ways").get_by_text("Tomorrow 09:00").click()

    page.get_by_role("button", name="Schedule", exact=True).click()

    expect(page.get_by_role("alert").filter(has_text="at least one account")).to_be_focused()


def test_who_sends_a_form_by_a_key_goes_on_from_there(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace()
    add_member(visitor, workspace, "Jonas", "viewer")
    page = visitor.signed_in(owner)
    page.goto(f"{visitor.base_url}/app/settings?page=members")
    page.get_by_label("Role of Jonas").select_option("contributor")
    page.get_by_label("Role of Jonas").focus()
    page.keyboard.press("Tab")

    with next_page(page):
        page.keyboard.press("Enter")

    expect(page.locator(".notice")).to_contain_text("The role was changed.")
    row = page.locator('[id^="member-"]', has_text="Jonas")
    expect(row.get_by_role("button", name="Change")).to_be_focused()


@pytest.mark.costly
def test_a_thumb_meets_the_tick_of_a_post(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, Platform.X)
    page = visitor.signed_in(member, width=320, height=640)
    save_draft(page, "Rye")
    page.goto(f"{visitor.base_url}/app/posts")
    tick = page.get_by_role("checkbox", name="Select Rye")
    box = tick.bounding_box()
    assert box is not None

    page.mouse.click(box["x"] + box["width"] / 2, box["y"] - 12)

    expect(tick).to_be_checked()


def test_on_the_narrowest_phone_no_word_of_a_day_stands_under_a_photo(visitor: Visitor) -> None:
    page = _composer(visitor, *PLATFORMS[1:4])
    page.locator("#uploader input[type=file]").set_input_files(PROJECT / "docs" / "sample.jpg")
    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    page.get_by_role("button", name="Choose all").click()
    text_field(page).fill("Rye on Saturday")
    page.locator("#ways").get_by_text("Tomorrow 09:00").click()
    with next_page(page):
        page.locator("#main-verb").click()
    page.set_viewport_size({"width": 320, "height": 640})
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)

    page.goto(f"{visitor.base_url}/app/calendar?view=day&day={tomorrow}")

    photo, state = (page.locator(f".dentry {one}").bounding_box() for one in (".th", ".st"))
    assert photo is not None
    assert state is not None
    assert state["x"] + state["width"] <= photo["x"]


def test_a_menu_low_on_the_screen_opens_upwards(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, Platform.X)
    page = visitor.signed_in(member)
    save_draft(page, "Rye")
    page.goto(f"{visitor.base_url}/app/posts")
    opener = page.locator(".posts tbody details.pop > summary")
    place = opener.bounding_box()
    assert place is not None
    page.set_viewport_size({"width": 1280, "height": round(place["y"]) + 60})

    opener.click()

    menu = page.locator(".posts tbody details.pop > .menu").bounding_box()
    assert menu is not None
    assert menu["y"] >= 0
    assert menu["y"] + menu["height"] <= place["y"]


@pytest.mark.parametrize("address", ["/app/settings?page=workspace", "/app/posts?status=published"])
def test_a_row_of_pages_shows_the_open_one_on_a_phone(visitor: Visitor, address: str) -> None:
    _, member = visitor.workspace()
    page = visitor.signed_in(member, width=390, height=844)

    page.goto(f"{visitor.base_url}{address}")

    open_one = page.locator(":is(.tabs, .setnav) > [aria-current]")
    expect(open_one).to_be_in_viewport(ratio=0.9)
