"""What a form says when it is not alone: Back after it was sent, another's text in one post."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import A_POST, choose, next_page, save_draft, text_field
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.costly]


def test_back_after_sending_says_so_and_cannot_send_it_twice(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    # Once a slow machine had kept the draft, its page would be the post's, and Back lead before it.
    page.route("**/app/compose/kept", lambda route: route.abort())
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    text_field(page).fill("Rye from seven")
    with next_page(page):
        choose(page, "Next queue time")
    page.wait_for_url(A_POST)
    post = page.url

    page.go_back()

    expect(page.get_by_text("What you wrote here was sent and is a post now.")).to_be_visible()
    expect(text_field(page)).to_have_value("")
    page.get_by_role("button", name="Open it").or_(page.get_by_role("link", name="Open it")).click()
    page.wait_for_url(post)
    page.goto(f"{visitor.base_url}/app/posts?status=scheduled")
    expect(page.locator(".posts tbody tr")).to_have_count(1)


def test_a_new_post_is_deleted_where_it_is_written_once_it_was_kept(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    more = page.locator(".chead").get_by_label("More")
    more.click()
    expect(page.get_by_text("Delete…")).to_be_hidden()
    page.get_by_label("bakery").check()
    text_field(page).fill("Rye from seven")
    expect(page.locator("#saved")).to_contain_text("Saved")

    if not page.locator("#deletes").is_visible():
        more.click()
    page.get_by_text("Delete…").click()
    with next_page(page):
        page.get_by_role("button", name="Delete this post").click()

    expect(page.get_by_text("The post was deleted.")).to_be_visible()
    expect(page.locator(".posts tbody tr")).to_have_count(0)


@pytest.mark.parametrize("verb", ["Take theirs", "Keep mine"])
def test_two_people_in_one_draft_see_both_texts_and_choose(visitor: Visitor, verb: str) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    hers = visitor.signed_in(member)
    save_draft(hers, "Rye bread at seven")
    his = visitor.signed_in(member)
    his.goto(hers.url)

    text_field(his).fill("Rye bread at eight")
    expect(his.locator("#saved")).to_contain_text("Saved")
    text_field(hers).fill("Wheat bread at seven")
    _show_both(hers)
    both = hers.get_by_role("region", name="Written in two places")
    expect(both.locator(".diff del")).to_have_text(["Rye", "eight"])
    expect(both.locator(".diff ins")).to_have_text(["Wheat", "seven"])
    both.get_by_text(verb).click()

    expect(both).to_have_count(0)
    kept = "Rye bread at eight" if verb == "Take theirs" else "Wheat bread at seven"
    expect(text_field(hers)).to_have_value(kept)
    his.reload()
    expect(text_field(his)).to_have_value(kept)


def _show_both(page: Page) -> None:
    """Press what the composer offers once it could not keep its text."""
    expect(page.get_by_text("This draft was changed elsewhere meanwhile.")).to_be_visible()
    page.get_by_text("Show both").click()


def test_two_texts_of_a_scheduled_post_are_in_sight_on_a_phone(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    hers = visitor.signed_in(member, width=390, height=844)
    _schedule(hers, f"{visitor.base_url}/app/posts/new", "Rye bread at seven")
    his = visitor.signed_in(member)
    his.goto(hers.url)
    _save(his, "Rye bread at eight")

    _save(hers, "Wheat bread at seven")

    both = hers.get_by_role("region", name="Written in two places")
    expect(both).to_be_in_viewport(ratio=1)
    with next_page(hers):
        both.get_by_text("Keep mine").click()
    expect(both).to_have_count(0)
    expect(text_field(hers)).to_have_value("Wheat bread at seven")


def _schedule(page: Page, address: str, caption: str) -> None:
    page.goto(address)
    page.get_by_label("bakery").check()
    text_field(page).fill(caption)
    with next_page(page):
        choose(page, "Next queue time")
    page.wait_for_url(A_POST)


def _save(page: Page, caption: str) -> None:
    text_field(page).fill(caption)
    with next_page(page):
        page.locator("#main-verb").click()
