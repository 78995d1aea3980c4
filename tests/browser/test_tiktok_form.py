"""What TikTok's reviewers look for above the button, word by word, as its boxes are ticked.

developers.tiktok.com/doc/content-sharing-guidelines, "Required UX Implementation in Your App".
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser

_DECLARATION = "By posting, you agree to TikTok's Music Usage Confirmation"
_BRANDED = "By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation"
_INDICATE = "You need to indicate if your content promotes yourself, a third party, or both."
_BRAND = "Your photo/video will be labeled as 'Promotional content'"
_PAID = "Your photo/video will be labeled as 'Paid partnership'"
_PRIVATE = "Branded content visibility cannot be set to private."
_LATER = (
    "After publishing, it may take a few minutes until the post is processed and visible on the"
    " profile."
)


def _shown(page: Page, *sentences: str) -> None:
    """Hold what stands in the bar of the button, which a phone keeps in sight, and above it."""
    expect(page.locator(".send .tiktok-says p:visible")).to_have_text([*sentences])
    expect(page.locator(".desk > .tiktok-says p:visible")).to_have_text(_LATER)


_OPEN_AROUND = """box => {
  for (let at = box.closest("details"); at; at = at.parentElement.closest("details")) at.open = true
}"""


def _tick(page: Page, name: str) -> None:
    box = page.locator(f".on-tiktok [type=checkbox][name$={name}]")
    box.evaluate(_OPEN_AROUND)
    box.check()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_sentences_follow_the_boxes_and_another_platform_has_none(
    visitor: Visitor, width: int
) -> None:
    workspace, member = visitor.workspace()
    for platform in ("tiktok", "linkedin"):
        visitor.test_account(workspace, platform, f"on {platform}")
    page = visitor.signed_in(member, width=width)
    page.goto(f"{visitor.base_url}/app/posts/new")

    page.get_by_label("on linkedin").check()
    expect(page.locator(".panel")).to_have_count(1)
    expect(page.locator(".tiktok-says:visible")).to_have_count(0)
    page.get_by_label("on tiktok").check()
    _shown(page, _DECLARATION)
    link = page.locator(".tiktok-says .plain a")
    expect(link).to_have_attribute(
        "href", "https://www.tiktok.com/legal/page/global/music-usage-confirmation/en"
    )

    page.get_by_role("tab", name="on tiktok").click()
    _tick(page, "disclose_commercial")
    _shown(page, _INDICATE, _DECLARATION)
    verb = page.locator("#main-verb:not([value=save])")
    expect(verb).to_be_disabled()
    expect(verb).to_have_attribute("title", _INDICATE)
    _tick(page, "your_brand")
    _shown(page, _BRAND, _DECLARATION)
    expect(verb).to_be_enabled()
    _tick(page, "branded_content")
    _shown(page, _PAID, _BRANDED)
    alone = page.locator(".on-tiktok option[value=SELF_ONLY]")
    expect(alone).to_be_disabled()
    expect(alone).to_have_attribute("title", _PRIVATE)

    branded = page.locator(".on-tiktok [type=checkbox][name$=branded_content]")
    branded.uncheck()
    page.locator(".on-tiktok select[name$=privacy_level]").select_option("SELF_ONLY")
    _shown(page, _PRIVATE, _BRAND, _DECLARATION)
    expect(branded).to_be_disabled()
    expect(branded).to_have_attribute("title", _PRIVATE)

    page.get_by_role("checkbox", name="TikTok on tiktok").uncheck()
    expect(page.locator(".tiktok-says:visible")).to_have_count(0)
