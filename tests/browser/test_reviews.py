"""Reviews in a real browser: by a stranger on a phone, by two people at once, of what was seen."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import (
    A_POST,
    next_page,
    pick_time,
    save_draft,
    state_shown,
    text_field,
)
from tests.browser.conftest import Shoot
from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT

pytestmark = pytest.mark.browser

PHOTO = PROJECT / "docs" / "sample.jpg"
_PRESSED_TWICE = "(button) => { button.click(); setTimeout(() => button.click(), 40); }"


def ask_for_review(page: Page, text: str, at: datetime) -> None:
    """Write a post with a photo as a contributor, and ask for a time."""
    page.get_by_role("link", name="New post").locator("visible=true").first.click()
    page.locator("#uploader input[type=file]").set_input_files(PHOTO)
    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    text_field(page).fill(text)
    page.get_by_label("bakery").check()
    expect(page.locator(".panel")).to_have_count(1)
    pick_time(page, f"{at:%Y-%m-%dT%H:%M}")
    with next_page(page):
        page.get_by_role("button", name="Ask for review").click()
    page.wait_for_url(A_POST)


def add_member(visitor: Visitor, workspace: str, name: str, role: str) -> str:
    """Add a member; return its id."""
    asked = ("member", "add", workspace, "--name", name, "--role", role)
    return visitor.operator.text(*asked, field="member_id")


@pytest.mark.costly
def test_a_stranger_on_a_phone_approves_what_stands_there_and_nothing_else(
    visitor: Visitor, shoot: Shoot
) -> None:
    """A contributor asks for a time, changes it while the stranger reads, and it is told."""
    workspace, owner = visitor.workspace("--approvals", "--timezone", "UTC")
    visitor.test_account(workspace, "bluesky")
    hers = visitor.signed_in(add_member(visitor, workspace, "Lin", "contributor"))
    soon = datetime.now(UTC) + timedelta(hours=30)
    later = soon + timedelta(hours=2)
    ask_for_review(hers, "Rye on Saturday?", soon)
    his = visitor.signed_in(owner)
    expect(his.get_by_role("region", name="Waiting for you")).to_contain_text("asks for review")
    his.get_by_role("link", name="Review").first.click()
    his.get_by_role("button", name="Share for review").click()
    stranger = visitor.page(width=390, height=844)

    stranger.goto(his.locator(".secret").inner_text())
    photo = stranger.locator('.revpic img[src$="/file"]')
    photo.scroll_into_view_if_needed()
    stranger.wait_for_function("image => image.naturalWidth > 0", arg=photo.element_handle())
    expect(stranger.get_by_role("heading", level=1)).to_contain_text(f"{soon:%H:%M}")
    expect(stranger.get_by_text("Times in UTC.")).to_be_visible()
    stranger.evaluate("scrollTo(0, 0)")
    shoot(stranger, "phone/review-link-light")
    pick_time(hers, f"{later:%Y-%m-%dT%H:%M}")
    with next_page(hers):
        hers.locator("#main-verb").click()
    expect(hers.locator(".notice")).to_contain_text("awaits review")
    stranger.locator(".revsays").get_by_label("Your name").fill("Grace")
    stranger.locator(".revsays").get_by_label("Your name").press("Enter")  # decides nothing
    stranger.get_by_label("Note").fill("Lovely")
    stranger.get_by_role("button", name="Approve for").click()

    expect(stranger.get_by_role("alert")).to_contain_text("changed after you opened it")
    expect(stranger.locator("ins")).to_contain_text(f"{later:%H:%M}")
    expect(stranger.get_by_label("Note")).to_have_value("Lovely")
    assert stranger.evaluate("document.documentElement.scrollWidth <= innerWidth")
    stranger.get_by_role("button", name="Approve for").click()
    expect(stranger.get_by_text("The post was approved and scheduled.")).to_be_visible()
    hers.reload()
    expect(hers.get_by_text("Grace (review link)").first).to_be_visible()
    expect(state_shown(hers, "scheduled")).to_be_visible()
    expect(hers.locator("#progress")).to_contain_text(f"{later:%H:%M}")


@pytest.mark.costly
def test_an_approval_binds_to_what_was_seen_while_another_edits(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--approvals")
    visitor.test_account(workspace, "bluesky")
    hers = visitor.signed_in(add_member(visitor, workspace, "Lin", "contributor"))
    save_draft(hers, "Harmless text")
    his = visitor.signed_in(owner, width=390, height=844)
    his.goto(f"{visitor.base_url}/app/review")
    text_field(hers).fill("Quite another text")
    with next_page(hers):
        hers.locator("#main-verb").click()
    expect(hers.locator(".notice")).to_contain_text("awaits review")

    his.get_by_role("button", name="Approve").click()

    expect(his.locator("p.problem")).to_contain_text("changed after you opened it")
    expect(his.locator("ins")).to_contain_text("Quite another")
    hers.reload()
    expect(hers.get_by_role("heading", level=1)).to_contain_text("Waiting for review")


@pytest.mark.costly
def test_of_two_people_who_decide_at_once_one_does(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--approvals")
    visitor.test_account(workspace, "bluesky")
    hers = visitor.signed_in(add_member(visitor, workspace, "Lin", "contributor"))
    ask_for_review(hers, "Rye on Saturday?", datetime.now(UTC) + timedelta(hours=30))
    first = visitor.signed_in(owner)
    second = visitor.signed_in(add_member(visitor, workspace, "Bo", "admin"), width=390)
    for page in (first, second):
        page.goto(f"{visitor.base_url}/app/review")
        expect(page.get_by_role("button", name="Request changes")).to_be_visible()

    first.get_by_label("Note").fill("Not this week")
    first.get_by_role("button", name="Request changes").click()
    expect(first.get_by_text("Changes were requested.")).to_be_visible()
    second.get_by_role("button", name="Approve for").click()

    expect(second.get_by_role("alert")).to_contain_text("somebody decided")
    hers.reload()
    expect(hers.get_by_role("heading", level=1)).to_contain_text("Changes requested")
    expect(hers.locator(".story")).to_contain_text("Not this week")


@pytest.mark.costly
def test_who_presses_twice_decides_once_and_is_told_what(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--approvals")
    visitor.test_account(workspace, "bluesky")
    hers = visitor.signed_in(add_member(visitor, workspace, "Lin", "contributor"))
    ask_for_review(hers, "Rye on Saturday?", datetime.now(UTC) + timedelta(hours=30))
    his = visitor.signed_in(owner)
    his.goto(f"{visitor.base_url}/app/review")

    sent: list[str] = []
    his.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)

    his.get_by_role("button", name="Approve and schedule").evaluate(_PRESSED_TWICE)

    expect(his.get_by_text("The post was approved and scheduled.")).to_be_visible()
    assert len(sent) == 1


def test_whoever_reviews_reads_whose_it_is_and_the_words_that_go_out_on_the_narrowest_phone(
    visitor: Visitor,
) -> None:
    """Without scripts. A browser that translates leaves alone what HTML's `translate` names."""
    workspace, owner = visitor.workspace("--approvals")
    handle = "Rechtsanwaltskanzlei Müller-Lüdenscheidt & Partner mbB"
    visitor.test_account(workspace, "linkedin", handle)
    his = visitor.signed_in(owner)
    his.goto(f"{visitor.base_url}/app/posts/new")
    text_field(his).fill("Wir haben freitags länger offen.")
    his.get_by_label(handle).check()
    expect(his.locator(".panel")).to_have_count(1)
    with next_page(his):
        his.locator("button.share").click()
    reader = visitor.page(width=320, height=640, scripts=False)

    reader.goto(his.locator(".secret").inner_text())

    assert reader.evaluate("document.documentElement.scrollWidth") == 320
    name = reader.locator(".revtext .soft", has_text=handle)
    assert name.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth")
    own = reader.get_by_text("Wir haben freitags länger offen.")
    assert own.evaluate_all("all => all.map((one) => one.translate)") == [False, False]
    reader.locator(".revsays").get_by_label("Your name").fill("Grace")
    reader.get_by_role("button", name="Approve").first.click()
    expect(reader.get_by_text("The post was approved").first).to_be_visible()
