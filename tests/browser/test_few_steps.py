"""What a new user does often takes few steps: each is counted from home, with the pages loaded.

Three texts, ten posts and a photo for all are in `test_journeys`, the keys of a move in
`test_calendar`.
"""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from chalicelib.domain.platforms.platform import Platform
from tests.browser.composer_page import choose, next_page, save_draft, state_shown, text_field
from tests.browser.counter import Counter
from tests.browser.test_calendar import a_bakery, at, carry, hour_of, next_monday
from tests.browser.test_reviews import add_member
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.costly]


def from_home(visitor: Visitor, member: str, *, width: int = 1280, height: int = 900) -> Counter:
    """Open home as a member and count from there."""
    page = visitor.signed_in(member, width=width, height=height)
    page.goto(f"{visitor.base_url}/app")
    counter = Counter(page)
    counter.watch()
    return counter


def test_a_post_that_failed_is_mended_in_three_steps(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    first = visitor.signed_in(member)
    save_draft(first, "Sold out sandbox:fail:media_rejected")
    visitor.have_sent(workspace, first)
    first.reload()
    expect(state_shown(first, "failed")).to_be_visible()
    counter = from_home(visitor, member)
    page = counter.page

    counter.does(
        page.get_by_role("region", name="Waiting for you").get_by_text("Change the file").click
    )
    counter.does(partial(text_field(page).fill, "Sold out, more tomorrow"))
    counter.does(page.get_by_role("button", name="Save and retry").click)

    expect(state_shown(page, "published")).to_be_visible()
    assert counter.interactions == 3
    assert counter.loads <= 3


def test_a_post_that_failed_is_tried_again_from_a_phones_first_screen(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member, width=390, height=844)
    save_draft(page, "Sold out sandbox:fail:media_rejected")
    visitor.have_sent(workspace, page)
    page.reload()
    expect(state_shown(page, "failed")).to_be_visible()
    page.goto(page.url)  # anew, and from its top: it may have opened before it failed

    retry = page.locator("#buttons").get_by_role("button", name="Save and retry")

    expect(retry).to_be_in_viewport(timeout=5000)
    retry.click()
    expect(page.get_by_text("It is going out now.")).to_be_visible()


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_a_post_is_moved_in_two_steps(visitor: Visitor, by: str) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    day = next_monday()
    bakery.plan(visitor.page(), "Rye to be moved", at(day, 9))
    counter = from_home(visitor, bakery.owner, width=1280 if by == "mouse" else 900)
    page = counter.page

    counter.does(partial(page.goto, f"{visitor.base_url}/app/calendar?day={day}"))
    entry = hour_of(page, day, 9).locator(".entry")
    aim = hour_of(page, day + timedelta(days=1), 9)
    expect(entry).to_be_visible()
    counter.does(partial(entry.drag_to, aim) if by == "mouse" else partial(carry, entry, aim))

    expect(aim.locator(".entry")).to_be_visible()
    assert counter.interactions == 2
    assert counter.loads <= 2


@pytest.mark.parametrize("reader", ["named on the link", "approved before"])
def test_four_accounts_are_approved_on_a_phone_in_two_steps_and_two_screens(
    visitor: Visitor, reader: str
) -> None:
    """The link and the button, in sight from the first: the page knows who reads it."""
    workspace, owner = visitor.workspace("--approvals", "--timezone", "UTC")
    for platform in (Platform.LINKEDIN, Platform.X, Platform.BLUESKY, Platform.THREADS):
        visitor.test_account(workspace, platform, f"on {platform}")
    hers = visitor.signed_in(add_member(visitor, workspace, "Lin", "contributor"))
    his, page = visitor.signed_in(owner), visitor.page(width=390, height=844)
    if reader == "approved before":
        _ask_for_review(hers, "Pretzels until ten, and then no more.")
        page.goto(_share(his, ""))
        page.locator(".revsays").get_by_label("Your name").fill("Grace")
        page.get_by_role("button", name="Approve").first.click()
        expect(page.get_by_text("was approved")).to_be_visible()
    _ask_for_review(hers, "Rye on Saturday, from seven: the first hundred loaves at the old price.")
    link = _share(his, "Grace" if reader == "named on the link" else "")
    counter = Counter(page)
    counter.watch()

    counter.does(partial(page.goto, link))
    approve = page.get_by_role("button", name="Approve").first
    expect(approve).to_be_in_viewport(timeout=5000)
    assert (
        page.evaluate("document.documentElement.scrollHeight / innerHeight") <= 3
    )  # so two screens of scrolling
    counter.does(approve.click)

    expect(page.get_by_text("was approved")).to_be_visible()
    hers.reload()
    expect(hers.locator(".story")).to_contain_text("Grace (review link)")
    assert counter.interactions == 2
    assert counter.loads <= 2


def _ask_for_review(page: Page, text: str) -> None:
    page.goto(f"{page.url.partition('/app')[0]}/app/posts/new")
    page.get_by_role("button", name="Choose all").click()
    text_field(page).fill(text)
    with next_page(page):
        choose(page, "Ask for review")


def _share(page: Page, reader: str) -> str:
    page.goto(f"{page.url.partition('/app')[0]}/app/review")
    page.get_by_label("Name of the reviewer").fill(reader)
    page.get_by_role("button", name="Share for review").click()
    return page.locator(".secret").inner_text()


def test_a_test_account_is_connected_in_three_steps(visitor: Visitor) -> None:
    _, member = visitor.workspace()
    counter = from_home(visitor, member)
    page = counter.page

    counter.does(page.get_by_role("link", name="Connect an account").click)
    counter.does(partial(page.get_by_label("Name").fill, "Lighthouse Bakery"))
    counter.does(page.get_by_role("button", name="Connect the test account").click)

    expect(page.get_by_text("The test account is connected.")).to_be_visible()
    assert counter.interactions == 3
    assert counter.loads <= 2


def test_last_week_is_compared_in_two_steps(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    counter = from_home(visitor, member)
    page = counter.page

    counter.does(page.get_by_role("link", name="Results").first.click)
    counter.does(page.get_by_role("link", name="7 days").click)

    expect(page.locator(".pagehead")).to_contain_text("beside the 7 days before")
    assert counter.interactions == 2
    assert counter.loads <= 2


def test_a_member_is_invited_changed_and_removed_where_one_stands(visitor: Visitor) -> None:
    _, owner = visitor.workspace()
    counter = from_home(visitor, owner)
    page = counter.page

    counter.does(page.get_by_role("link", name="Settings").first.click)
    counter.does(page.get_by_role("link", name="Members").click)
    counter.does(partial(page.get_by_label("Name").fill, "Jonas"))
    counter.does(page.get_by_role("button", name="Add").click)
    row = page.locator('[id^="member-"]', has_text="Jonas")
    expect(row.locator(".secret")).to_be_visible()
    _in_sight(page)
    counter.does(partial(row.get_by_label("Role of Jonas").select_option, "viewer"))
    counter.does(row.get_by_role("button", name="Change").click)
    expect(row.locator(".state")).to_have_text("viewer")
    _in_sight(page)
    counter.does(row.get_by_text("Remove", exact=True).click)
    counter.does(row.get_by_role("button", name="Remove Jonas").click)

    expect(page.locator('[id^="member-"]', has_text="Jonas")).to_have_count(0)
    assert counter.interactions <= 8
    assert counter.loads <= 5


def _in_sight(page: Page) -> None:
    """Hold that the member just changed is on the screen."""
    expect(page.locator('[id^="member-"]', has_text="Jonas")).to_be_in_viewport(timeout=5000)


def test_on_a_phone_the_sheet_has_the_times_and_the_button_follows(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--timezone", "UTC")
    visitor.test_account(workspace, "bluesky")
    page = visitor.signed_in(owner, width=390, height=844)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    text_field(page).fill("Rye on Saturday")
    page.get_by_label("Other ways to send it").click()
    expect(page.get_by_role("heading", name="When should it go out?")).to_be_visible()

    over = "([one, other]) => getComputedStyle(one).zIndex - getComputedStyle(other).zIndex"
    bars = [page.locator(at).element_handle() for at in (".send", ".chead")]
    assert page.evaluate(over, bars) > 0, "its shade lies over the whole page"

    page.locator("#others").get_by_role("button", name="Tomorrow 09:00").click()

    tomorrow = f"{datetime.now(UTC) + timedelta(days=1):%a %-d %b}, 09:00"
    expect(page.locator("#main-verb")).to_have_text(f"Schedule for {tomorrow}")
    expect(page.locator("#others")).not_to_have_attribute("open", "")
    page.get_by_label("Other ways to send it").click()
    chosen = page.locator("#others [aria-pressed=true]")
    expect(chosen).to_contain_text(tomorrow)
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(chosen).to_be_hidden()  # where the chips are in sight, the menu has no second ones


def test_links_to_the_forms_of_the_accounts_open_them(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace()
    visitor.test_account(workspace, "bluesky")
    page = visitor.signed_in(owner, scripts=False)
    page.goto(f"{visitor.base_url}/app/accounts")
    expect(page.get_by_role("button", name="Make the link")).to_be_hidden()

    page.get_by_role("link", name="Invite a client to connect").click()
    page.get_by_role("button", name="Make the link").click()

    expect(page.locator(".secret")).to_contain_text("/connect/")
