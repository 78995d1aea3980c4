"""A train's line: what is written on it is saved later, sent never, and shown to nobody else."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import save_draft, text_field
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.costly]

_READY = "navigator.serviceWorker.ready.then(() => true)"
_HELD_BACK = """async () => {
  const isHeld = () => Object.values(localStorage).some((kept) => kept.includes("A+whole"));
  while (!isHeld()) await new Promise(requestAnimationFrame);
}"""
_CACHED = """async () => {
  const names = await caches.keys();
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return kept.flat().map((request) => new URL(request.url).pathname).sort();
}"""
_SHELL = ["app.css", "icon.svg", "instrument-sans.woff2", "offline.html", "offline.js"]


def _on_a_train(visitor: Visitor, member: str) -> Page:
    """Sign a member in, in a browser whose worker is there."""
    page = visitor.page(workers=True)
    visitor.sign_in(page, member)
    page.evaluate(_READY)
    return page


def _write_without_a_line(page: Page, visitor: Visitor, text: str) -> None:
    page.context.set_offline(True)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("Text").fill(text)
    page.get_by_label("bakery, LinkedIn").check()
    expect(page.get_by_text("It becomes a draft when the connection is back")).to_be_visible()


def test_what_is_written_without_a_line_becomes_a_draft_and_nothing_goes_out(
    visitor: Visitor,
) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = _on_a_train(visitor, member)

    _write_without_a_line(page, visitor, "Written in a tunnel")
    page.goto(f"{visitor.base_url}/app/calendar")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.locator("#waiting li")).to_have_text(["Written in a tunnel"])
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()

    expect(page.get_by_role("heading", level=1)).not_to_have_text("No connection")
    page.get_by_role("status").get_by_role("link", name="Open it").click()
    expect(text_field(page)).to_have_value("Written in a tunnel")
    expect(page.get_by_role("checkbox", name="bakery")).to_be_checked()
    page.goto(f"{visitor.base_url}/app/posts")
    expect(page.locator("[data-row]")).to_have_count(1)
    expect(page.locator("[data-row]")).to_contain_text("Draft")
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('un'))") == []
    assert page.evaluate(_CACHED) == [f"/app/static/{name}" for name in _SHELL]


def test_a_composer_that_loses_the_line_is_saved_by_the_next_page(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = _on_a_train(visitor, member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    expect(page.get_by_role("tab", name="LinkedIn")).to_be_visible()

    page.context.set_offline(True)
    text_field(page).fill("Half a thought")
    expect(page.locator("#saved")).to_contain_text("No connection")
    text_field(page).fill("A whole thought")
    page.evaluate(_HELD_BACK)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{visitor.base_url}/app")
    expect(page.locator("#waiting li")).to_have_text(["A whole thought"])
    page.context.set_offline(False)
    page.goto(f"{visitor.base_url}/app/posts")

    page.get_by_role("status").get_by_role("link", name="Open it").click()
    expect(text_field(page)).to_have_value("A whole thought")
    page.goto(f"{visitor.base_url}/app/posts/new")
    expect(page.locator("#kept")).to_be_hidden()
    expect(text_field(page)).to_have_value("")


def test_the_page_without_a_line_has_fields_like_any_other(visitor: Visitor) -> None:
    """A box stands beside its account, and the text is no narrow box of the browser's."""
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = _on_a_train(visitor, member)

    _write_without_a_line(page, visitor, "Written in a tunnel")

    box = page.get_by_label("bakery, LinkedIn").bounding_box()
    name = page.locator("#whom label").bounding_box()
    text, card = page.get_by_label("Text").bounding_box(), page.locator("#note").bounding_box()
    assert box is not None
    assert name is not None
    assert text is not None
    assert card is not None
    assert name["height"] < 2 * box["height"]
    assert text["width"] > card["width"] / 2


def test_a_press_in_vain_is_told_of_until_the_line_is_back(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    save_draft(page, "Rye bread at seven")
    page.context.set_offline(True)
    page.locator("#main-verb").click()
    expect(page.locator("#waits")).to_contain_text("Not sent: there is no connection.")

    page.context.set_offline(False)

    expect(page.locator("#waits")).to_be_empty()


def test_a_draft_that_another_device_changed_meanwhile_is_not_written_over(
    visitor: Visitor,
) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    train = _on_a_train(visitor, member)
    save_draft(train, "Rye bread at seven")
    train.context.set_offline(True)
    text_field(train).fill("Rye bread at half past seven")
    expect(train.locator("#saved")).to_contain_text("No connection")

    desk = visitor.signed_in(member)
    desk.goto(train.url)
    text_field(desk).fill("Rye bread at eight")
    expect(desk.locator("#saved")).to_contain_text("Saved")
    train.context.set_offline(False)

    expect(train.get_by_text("This draft was changed elsewhere meanwhile.")).to_be_visible()
    desk.reload()
    expect(text_field(desk)).to_have_value("Rye bread at eight")
    train.get_by_text("Show both").click()
    both = train.get_by_role("region", name="Written in two places")
    expect(both.locator(".diff ins")).to_have_text(["half past seven"])
    both.get_by_text("Keep mine").click()
    expect(text_field(train)).to_have_value("Rye bread at half past seven")


@pytest.mark.parametrize("signs_out", [True, False])
def test_nobody_else_sees_or_sends_what_somebody_wrote(
    visitor: Visitor, *, signs_out: bool
) -> None:
    """Whoever signs out leaves nothing; who only leaves, nothing that another person is shown."""
    (first, ada), (second, eve) = visitor.workspace(), visitor.workspace()
    visitor.test_account(first, "linkedin")
    visitor.test_account(second, "linkedin", "rival")
    page = _on_a_train(visitor, ada)
    _write_without_a_line(page, visitor, "A secret recipe")

    page.context.set_offline(False)
    if signs_out:
        page.goto(f"{visitor.base_url}/app/settings")
        page.locator(".whoami summary").click()
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/app/sign-in**")
        assert page.evaluate("Object.keys(localStorage)") == []
    page.context.clear_cookies()
    visitor.sign_in(page, eve)
    page.goto(f"{visitor.base_url}/app/posts")
    expect(page.get_by_text("Nothing written yet")).to_be_visible()
    page.context.set_offline(True)
    page.goto(f"{visitor.base_url}/app/posts")

    expect(page.get_by_label("rival, LinkedIn")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text(re.compile("secret|bakery"))


@pytest.mark.parametrize("width", [320, 390])
def test_the_words_of_a_lost_line_fit_the_head_of_a_phone_and_leave_with_it(
    visitor: Visitor, width: int
) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member, width=width, height=640)
    page.goto(f"{visitor.base_url}/app/posts/new")
    said, below = page.locator("#saved"), page.locator("#accounts")
    text_field(page).fill("Rye bread at seven")
    expect(said).to_contain_text("Kept in this browser")
    kept = below.bounding_box()
    page.get_by_label("bakery").check()
    expect(said).to_contain_text("Saved")
    before = below.bounding_box()
    assert before == kept

    page.context.set_offline(True)
    expect(said).to_contain_text("No connection")
    assert below.bounding_box() == before
    page.context.set_offline(False)

    expect(said).not_to_contain_text("No connection")
