"""A photo cropped by hand in the composer: by pointer, touch or keys, for one account or all."""

import re

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.composer_page import open_tab
from tests.browser.visitor import Visitor
from tests.browser.wire import Wire
from tests.local.running_stack import PROJECT

pytestmark = pytest.mark.browser

PHOTO = PROJECT / "docs" / "sample.jpg"
SIDES = ("left", "top", "width", "height")


def _with_photo(visitor: Visitor, *platforms: str, width: int = 1280) -> tuple[Page, list[str]]:
    workspace, member = visitor.workspace()
    accounts = [visitor.test_account(workspace, one, f"on {one}") for one in platforms]
    page = visitor.signed_in(member, width=width)
    page.goto(f"{visitor.base_url}/app/posts/new")
    for one in platforms:
        page.get_by_label(f"on {one}").check()
    expect(page.locator(".panel")).to_have_count(len(platforms))
    page.locator("#uploader input[type=file]").set_input_files(PHOTO)
    expect(page.get_by_role("button", name="Crop", exact=True)).to_be_visible()
    return page, accounts


def _opened(page: Page) -> None:
    page.get_by_role("button", name="Crop", exact=True).click()
    expect(page.locator("#crop .stage[data-ready]")).to_be_visible()


def _keeps_the_crop(answer: Response) -> bool:
    """Tell whether a draft is kept by itself, with its crop: the text alone may be kept before."""
    sent = answer.request.post_data if answer.url.endswith("/app/compose/kept") else None
    return re.search(r"crop\.width=\d", sent or "") is not None


def _fields(page: Page, account: str) -> list[str]:
    return [page.locator(f'[name="a.{account}.o.crop.{side}"]').input_value() for side in SIDES]


@pytest.mark.costly
def test_keys_crop_one_account_and_the_other_keeps_all_of_the_photo(
    visitor: Visitor, axe: str
) -> None:
    page, (linkedin, x) = _with_photo(visitor, "linkedin", "x")
    wire = Wire(page)
    open_tab(page, "on linkedin")

    _opened(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    expect(page.locator("#crop .stage")).to_be_focused()
    for _ in range(10):
        page.keyboard.press("Shift+ArrowLeft")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(f'[name="a.{linkedin}.o.crop.width"]')).to_have_value(re.compile(r"\d"))

    left, top, width, height = map(float, _fields(page, linkedin))
    assert [one["id"] for one in found] == []
    assert [left, top, width, height] == pytest.approx([4, 0, 90, 100], abs=0.3)
    assert ["", "", "", ""] == _fields(page, x)
    expect(page.locator(f'#beside [data-of="{linkedin}"] svg.cropped')).to_be_visible()
    assert 0 == page.locator(f'#beside [data-of="{x}"] svg.cropped').count()
    assert 1 == len([path for path in wire.asked.values() if "cropper.min.js" in path])


@pytest.mark.costly
def test_a_frame_is_drawn_with_the_pointer_and_undone(visitor: Visitor) -> None:
    page, accounts = _with_photo(visitor, "linkedin", "instagram", width=390)
    page.locator("#caption").fill("Rye, on Fridays")
    _opened(page)
    expect(page.get_by_role("button", name="9:16")).to_have_count(0)  # Instagram takes it not
    page.get_by_role("button", name="Square").click()
    with page.expect_response(_keeps_the_crop):
        page.get_by_role("button", name="Apply").click()

    for account in accounts:
        expect(page.locator(f'[name="a.{account}.o.crop.width"]')).to_have_value(re.compile(r"\d"))
    page.wait_for_url(re.compile(r"/posts/[0-9a-f]{32}"))
    page.reload()
    expect(page.locator(f'[name="a.{accounts[0]}.o.crop.width"]')).to_have_value(re.compile(r"\d"))

    _opened(page)
    page.get_by_role("button", name="Use all of it").click()
    for side in SIDES:
        expect(page.locator(f'[name="a.{accounts[0]}.o.crop.{side}"]')).to_have_value("")
    expect(page.locator("#beside svg.cropped")).to_have_count(0)


@pytest.mark.costly
def test_another_photo_has_no_crop_of_the_one_before(visitor: Visitor) -> None:
    page, (account,) = _with_photo(visitor, "linkedin")
    _opened(page)
    page.get_by_role("button", name="Square").click()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#beside svg.cropped")).to_be_visible()

    page.get_by_role("button", name="Remove the file").click()

    expect(page.locator(f'[name="a.{account}.o.crop.width"]')).to_have_count(0)
