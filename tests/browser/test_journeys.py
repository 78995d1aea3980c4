"""What people come for, in a real browser: a first post, a review by a link, the keyboard alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT

pytestmark = pytest.mark.browser

PHOTO = PROJECT / "docs" / "sample.jpg"
MOST_INTERACTIONS = 10


def test_a_first_post_on_a_phone_takes_few_interactions(
    visitor: Visitor, screenshots: Path
) -> None:
    member = visitor.workspace()["member_id"]
    page = visitor.signed_in(member, width=390, height=844)
    steps = 1  # the link

    page.get_by_role("link", name="Accounts").click()
    page.get_by_label("Name").fill("Lighthouse Bakery")
    page.get_by_role("button", name="Connect the test account").click()
    steps += 3
    page.get_by_role("link", name="New post").click()
    page.locator("input[type=file]").set_input_files(PHOTO)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Uploaded and chosen.")).to_be_visible()
    page.get_by_label("Caption", exact=True).fill("Fresh bread from seven")
    page.get_by_label("Lighthouse Bakery").check()
    page.get_by_role("button", name="Make the draft").click()
    page.get_by_role("button", name="Publish now").click()
    steps += 7
    expect(page.locator("#progress").get_by_text("published", exact=True)).to_be_visible()
    page.screenshot(path=screenshots / "app-post-phone.png")

    assert steps - 1 <= MOST_INTERACTIONS
    expect(page.get_by_role("link", name="open the live post")).to_be_visible()


def test_a_stranger_approves_by_a_link(visitor: Visitor, screenshots: Path) -> None:
    made = visitor.workspace("--approvals")
    workspace, owner = made["workspace_id"], made["member_id"]
    asked = ("--platform", "bluesky", "--handle", "bakery", "--test")
    visitor.operator("account", "connect", workspace, *asked)
    writer = visitor.operator("member", "add", workspace, "--name", "Lin", "--role", "contributor")
    hers = visitor.signed_in(writer["member_id"])
    hers.get_by_role("link", name="New post").click()
    hers.get_by_label("Caption", exact=True).fill("Rye on Saturday?")
    hers.get_by_label("bakery").check()
    hers.get_by_role("button", name="Make the draft").click()
    his = visitor.signed_in(owner)
    his.get_by_role("link", name="Review").click()
    his.get_by_role("button", name="Share for review").click()
    stranger = visitor.page(width=390, height=844)

    stranger.goto(his.locator(".secret").inner_text())
    stranger.screenshot(path=screenshots / "app-review-link.png")
    stranger.get_by_label("Your name").fill("Grace")
    stranger.get_by_label("Note").fill("Lovely")
    stranger.get_by_role("button", name="Approve").click()

    expect(stranger.get_by_text("The post was approved.")).to_be_visible()
    hers.reload()
    expect(hers.get_by_text("Grace (review link)")).to_be_visible()


def test_a_post_is_written_with_the_keyboard_alone(visitor: Visitor) -> None:
    made = visitor.workspace()
    asked = ("--platform", "linkedin", "--handle", "bakery", "--test")
    visitor.operator("account", "connect", made["workspace_id"], *asked)
    page = visitor.signed_in(made["member_id"])
    page.get_by_role("link", name="New post").focus()

    page.keyboard.press("Enter")
    page.wait_for_url("**/app/posts/new")
    _tab_to(page.locator("#caption"))
    page.keyboard.type("By keyboard")
    _tab_to(page.get_by_label("bakery"))
    page.keyboard.press("Space")
    _tab_to(page.get_by_role("button", name="Make the draft"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Publish now")).to_be_visible()
    expect(page.locator("#caption")).to_have_value("By keyboard")


def _tab_to(wanted: Locator) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(60):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        wanted.page.keyboard.press("Tab")
    raise AssertionError("Tab never came there")
