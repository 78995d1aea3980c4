"""A client's page on a phone: a post that waits is commented on and approved, by one link."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import next_page, text_field
from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT

pytestmark = pytest.mark.browser

PHOTO = PROJECT / "docs" / "sample.jpg"


def _expect_the_photo_uncovered(page: Page) -> None:
    """Hold that the decision is on the screen and lies on no part of the photo, at both ends."""
    photo, decision = page.locator(".revpic img").first, page.locator(".decide").first
    expect(photo).to_be_visible()
    for place in ("0", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {place})")
        shown, bar = photo.bounding_box(), decision.bounding_box()
        assert shown is not None
        assert bar is not None
        beside = bar["x"] >= shown["x"] + shown["width"]
        below = bar["y"] >= shown["y"] + shown["height"]
        assert beside or below, (place, shown, bar)
        if place == "0":
            expect(page.get_by_role("button", name="Approve (post 1")).to_be_in_viewport()


@pytest.mark.costly
def test_a_client_comments_and_approves_by_one_link(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--approvals", "--timezone", "UTC")
    visitor.test_account(workspace, "bluesky")
    lin = visitor.operator.text(
        *("member", "add", workspace, "--name", "Lin", "--role", "contributor"), field="member_id"
    )
    hers = visitor.signed_in(lin)
    hers.goto(f"{visitor.base_url}/app/posts/new")
    text_field(hers).fill("Rye on Saturday?")
    hers.get_by_label("bakery").check()
    expect(hers.locator(".panel")).to_have_count(1)
    hers.locator("#uploader input[type=file]").set_input_files(PHOTO)
    expect(hers.get_by_role("radio", name="sample.jpg", include_hidden=True)).to_be_checked()
    with next_page(hers):
        hers.get_by_role("button", name="Ask for review").click()
    his = visitor.signed_in(owner)
    his.goto(f"{visitor.base_url}/app/review")
    his.locator("summary", has_text="one link to all posts").click()
    his.get_by_label("Client", exact=True).fill("Mill & Co")
    his.get_by_role("checkbox", name="bakery on Bluesky").check()
    his.get_by_role("button", name="Make the page").click()
    link = his.locator(".secret").inner_text()
    for width, height in ((1280, 800), (1920, 1080), (900, 700)):
        at_a_desk = visitor.page(width=width, height=height)
        at_a_desk.goto(link)
        _expect_the_photo_uncovered(at_a_desk)
        at_a_desk.context.close()
    client = visitor.page(width=390, height=844)

    client.goto(link)
    expect(client.get_by_role("heading", level=1)).to_contain_text("Mill & Co")
    assert client.evaluate("document.documentElement.scrollWidth <= innerWidth")
    client.locator("summary", has_text="Comment on this post").click()
    client.get_by_label("Your name").last.fill("Mia")
    client.get_by_label("Comment, without deciding").fill("With a photo, please")
    client.get_by_role("button", name="Comment (post 1").click()
    expect(client.get_by_role("status")).to_contain_text("Your comment was added")
    client.locator(".revsays").get_by_label("Your name").fill("Mia")
    client.get_by_role("button", name="Approve (post 1").click()

    expect(client.get_by_role("status")).to_contain_text("The post was approved.")
    hers.reload()
    expect(hers.get_by_text("With a photo, please")).to_be_visible()
    his.reload()
    his.get_by_role("button", name="Revoke").click()
    expect(his.get_by_text("The link was revoked.")).to_be_visible()
    client.reload()
    expect(client.get_by_role("alert")).to_contain_text("This link has ended")
