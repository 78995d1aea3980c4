"""What people come for, in a real browser: posts, reviews, the keyboard alone, no JavaScript."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shoot
from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT

pytestmark = pytest.mark.browser

PHOTO = PROJECT / "docs" / "sample.jpg"
MOST_INTERACTIONS = 10


def test_a_first_post_on_a_phone_takes_few_interactions(visitor: Visitor, shoot: Shoot) -> None:
    _, member = visitor.workspace()
    page = visitor.signed_in(member, width=390, height=844)
    steps = 1  # the link

    page.get_by_role("link", name="Accounts").click()
    page.get_by_label("Name").fill("Lighthouse Bakery")
    page.get_by_role("button", name="Connect the test account").click()
    steps += 3
    page.get_by_role("link", name="New post").click()
    page.locator("input[type=file]").set_input_files(PHOTO)
    expect(page.get_by_text("Uploaded and chosen.")).to_be_visible()
    page.get_by_label("Caption", exact=True).fill("Fresh bread from seven")
    page.get_by_label("Lighthouse Bakery").check()
    page.get_by_role("button", name="Make the draft").click()
    page.get_by_role("button", name="Publish now").click()
    steps += 6
    expect(_target(page, "published")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Post published")
    expect(page.get_by_role("button", name="Cancel", exact=True)).to_have_count(0)
    shoot(page, "phone/published-light")

    assert steps <= MOST_INTERACTIONS
    expect(page.get_by_role("link", name="open the live post")).to_be_visible()


def test_a_post_is_moved_cancelled_and_fails_with_what_to_do(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    soon = datetime.now(UTC) + timedelta(hours=30)
    _draft(page, "Rye on Saturday")
    page.get_by_label("Time (Europe/Paris)").first.fill(f"{soon:%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Schedule").click()
    expect(_target(page, "scheduled")).to_be_visible()

    page.goto(f"{visitor.base_url}/app?day={soon:%Y-%m-%d}")
    entry = page.locator(".entry").filter(has_text="Rye on Saturday")
    entry.locator("summary").click()
    entry.get_by_label("New time").fill("2020-01-01T09:00")
    entry.get_by_role("button", name="Move").click()
    expect(page.get_by_role("alert")).to_contain_text("That time has passed")
    later = soon + timedelta(days=7)
    page.goto(f"{visitor.base_url}/app?day={soon:%Y-%m-%d}")
    entry.locator("summary").click()
    entry.get_by_label("New time").fill(f"{later:%Y-%m-%dT%H:%M}")
    entry.get_by_role("button", name="Move").click()
    page.wait_for_url(f"**/app?day={later:%Y-%m-%d}")
    entry.get_by_role("link").first.click()
    expect(page.locator("#progress")).to_contain_text(f"{later:%H:%M}")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(_target(page, "cancelled")).to_be_visible()

    _draft(page, "Sold out sandbox:fail:account_restricted")
    page.get_by_role("button", name="Publish now").click()
    expect(_target(page, "failed")).to_be_visible()
    page.get_by_role("link", name="Calendar").click()
    needs = page.get_by_role("region", name="Needs somebody")
    expect(needs).to_contain_text("Sold out")
    expect(needs.get_by_role("button", name="Retry Sold out")).to_be_visible()


def test_a_stranger_approves_by_a_link(visitor: Visitor, shoot: Shoot) -> None:
    workspace, owner = visitor.workspace("--approvals")
    visitor.test_account(workspace, "bluesky")
    asked = ("member", "add", workspace, "--name", "Lin", "--role", "contributor")
    hers = visitor.signed_in(visitor.operator.text(*asked, field="member_id"))
    _draft(hers, "Rye on Saturday?")
    his = visitor.signed_in(owner)
    his.get_by_role("link", name="Review").click()
    his.get_by_role("button", name="Share for review").click()
    link = his.locator(".secret").inner_text()
    stranger = visitor.page(width=390, height=844)

    stranger.goto(link)
    shoot(stranger, "phone/review-link-light")
    stranger.get_by_label("Your name").fill("Grace")
    stranger.get_by_label("Note").fill("Lovely")
    stranger.get_by_role("button", name="Approve").click()

    expect(stranger.get_by_text("The post was approved.")).to_be_visible()
    hers.reload()
    expect(hers.get_by_text("Grace (review link)")).to_be_visible()


def test_a_post_is_written_with_the_keyboard_alone(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)

    _press(page, page.get_by_role("link", name="New post"))
    page.wait_for_url("**/app/posts/new")
    _tab_to(page.locator("#caption"))
    page.keyboard.type("By keyboard")
    _press(page, page.get_by_label("bakery"), "Space")
    _press(page, page.get_by_role("button", name="Make the draft"))
    expect(page.locator("#caption")).to_have_value("By keyboard")
    _press(page, page.get_by_role("button", name="Next queue time"))
    expect(_target(page, "scheduled")).to_be_visible()
    _press(page, page.get_by_role("button", name="Cancel", exact=True))
    expect(_target(page, "cancelled")).to_be_visible()
    _press(page, page.get_by_role("button", name="Publish now"))

    expect(_target(page, "published")).to_be_visible()


def test_every_essential_flow_works_without_javascript(visitor: Visitor) -> None:
    workspace, member = visitor.workspace("--approvals")
    page = visitor.signed_in(member, width=390, height=844, scripts=False)
    page.get_by_role("link", name="Accounts").click()
    page.get_by_label("Name").fill("bakery")
    page.get_by_role("button", name="Connect the test account").click()

    page.get_by_role("link", name="New post").click()
    page.locator("input[type=file]").set_input_files(PHOTO)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_label("sample.jpg")).to_be_checked()
    page.get_by_label("Caption", exact=True).fill("Without scripts")
    page.get_by_label("bakery").check()
    page.get_by_role("button", name="Make the draft").click()
    page.get_by_role("link", name="Check it before it goes out").click()
    expect(page.get_by_text("Nothing stands in the way.")).to_be_visible()
    page.go_back()
    page.locator("#caption").fill("Without any script")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("button", name="Publish now").click()
    expect(page.locator("h1 .state")).not_to_have_text("draft")
    _reload_until(page, "published")
    page.get_by_role("button", name="Duplicate").click()
    page.get_by_role("button", name="Next queue time").click()
    expect(_target(page, "scheduled")).to_be_visible()

    page.get_by_role("link", name="Results").click()
    page.get_by_text("As a table").first.click()
    expect(page.get_by_role("columnheader", name="Engagement")).to_be_visible()
    asked = ("member", "add", workspace, "--name", "Lin", "--role", "contributor")
    hers = visitor.signed_in(
        visitor.operator.text(*asked, field="member_id"), scripts=False, width=390
    )
    _draft(hers, "May this go out?")
    page.get_by_role("link", name="Review").click()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_text("Nothing waits for a review.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/app/sign-in")


def _draft(page: Page, caption: str) -> None:
    """Make a draft on the one account that there is."""
    page.get_by_role("link", name="New post").click()
    page.get_by_label("Caption", exact=True).fill(caption)
    page.get_by_label("bakery").check()
    page.get_by_role("button", name="Make the draft").click()
    page.wait_for_url("**/app/posts/*")


def _target(page: Page, state: str) -> Locator:
    """Return the state of the post's one target."""
    return page.locator("#progress").get_by_text(state, exact=True)


def _reload_until(page: Page, state: str) -> None:
    """Open the page again until the target is in a state, as people without scripts do."""
    for _ in range(60):
        if _target(page, state).count():
            return
        page.wait_for_timeout(250)
        page.reload()
    raise AssertionError(f"It was not {state} in time.")


def _press(page: Page, wanted: Locator, key: str = "Enter") -> None:
    _tab_to(wanted)
    page.keyboard.press(key)


def _tab_to(wanted: Locator) -> None:
    """Press Tab until an element has the focus."""
    wanted.wait_for()
    for _ in range(80):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        wanted.page.keyboard.press("Tab")
    raise AssertionError("Tab never came there")
