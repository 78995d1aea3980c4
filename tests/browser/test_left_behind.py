"""What is left in a browser of somebody who was there: for how long, and to whom."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.composer_page import text_field
from tests.browser.visitor import Visitor
from tests.support.other_name import by_address

pytestmark = pytest.mark.browser
_KEPT = """text => Object.keys(localStorage)
  .some(key => key.startsWith("draft.") && localStorage[key].includes(text))"""
_AGED = """age => {
  const seen = JSON.parse(localStorage.seen);
  for (const one of Object.values(seen)) one.at = Date.now() - age;
  localStorage.seen = JSON.stringify(seen);
}"""
"""Makes what is kept as old as that."""
_TELLS_OF_JSON = """() => {
  const read = Response.prototype.json;
  Response.prototype.json = async function () {
    const found = await read.call(this);
    setTimeout(() => { window.wasRead = true; });  // after whoever waits for it went on
    return found;
  };
}"""
_BEGINS_TO_LEAVE = "form => form.dispatchEvent(new Event('submit', {bubbles: true}))"
"""Does what pressing does until the server answers: a real one would end the page meanwhile."""
_DAYS = timedelta(days=1).total_seconds() * 1000


def _with_a_text(visitor: Visitor, member: str, text: str) -> Page:
    """Return a page of somebody who wrote and left, so that the text is in the browser alone."""
    page = visitor.signed_in(member)
    page.route("**/app/compose/kept", lambda route: route.abort())
    page.goto(f"{visitor.base_url}/app/posts/new")
    text_field(page).fill(text)
    page.wait_for_function(_KEPT, arg=text)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{visitor.base_url}/app/posts")
    return page


def _comes(visitor: Visitor, page: Page, member: str) -> None:
    link = visitor.operator.text("member", "sign-in", member, field="url")
    page.goto(by_address(link))
    page.get_by_role("button", name="Sign in as").click()
    page.wait_for_url("**/app")


def test_what_was_typed_is_kept_for_14_days(visitor: Visitor) -> None:
    _, member = visitor.workspace()
    page = _with_a_text(visitor, member, "Half a thought")

    page.evaluate(_AGED, 13 * _DAYS)
    page.reload()
    is_kept = page.evaluate(_KEPT, "Half a thought")
    page.evaluate(_AGED, 15 * _DAYS)
    page.reload()

    assert is_kept
    assert not page.evaluate(_KEPT, "Half a thought")


@pytest.mark.costly
def test_what_was_typed_goes_when_somebody_else_signs_in(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    grace = visitor.operator.text(
        *("member", "add", workspace, "--name", "Grace", "--role", "editor"), field="member_id"
    )
    page = _with_a_text(visitor, member, "Half a thought")
    page.context.clear_cookies()  # the session ended, and nobody signed out

    page.goto(f"{visitor.base_url}/app/posts")
    before = page.evaluate(_KEPT, "Half a thought")
    _comes(visitor, page, member)
    same = page.evaluate(_KEPT, "Half a thought")
    page.context.clear_cookies()
    _comes(visitor, page, grace)

    assert before
    assert same
    assert not page.evaluate(_KEPT, "Half a thought")


def test_what_comes_late_is_not_kept_any_more(visitor: Visitor) -> None:
    """Counts that were asked for are answered while signing out is under way."""
    _, member = visitor.workspace()
    page = visitor.signed_in(member)
    held: dict[str, Route] = {}
    page.add_init_script(f"sessionStorage.clear(); ({_TELLS_OF_JSON})()")
    page.route("**/app/counts*", lambda route: held.setdefault("counts", route))
    with page.expect_request("**/app/counts*"):
        page.goto(f"{visitor.base_url}/app/posts")

    page.locator("form[action$='/sign-out']").first.evaluate(_BEGINS_TO_LEAVE)
    held["counts"].fulfill(json={"Review": 3})
    page.wait_for_function("() => window.wasRead")

    assert [] == page.evaluate("Object.keys(sessionStorage).filter(one => one.includes('count'))")


def test_two_tabs_with_a_new_post_lose_neither_text(visitor: Visitor) -> None:
    """While no account is chosen this browser alone has them; a phone ends tabs that it needs."""
    _, member = visitor.workspace()
    address = f"{visitor.base_url}/app/posts/new"
    first = visitor.signed_in(member)
    second, third = first.context.new_page(), first.context.new_page()
    first.goto(address)
    text_field(first).fill("Rye at seven")
    first.wait_for_function(_KEPT, arg="Rye at seven")
    second.goto(address)
    text_field(second).fill("Buns at eight")
    second.wait_for_function(_KEPT, arg="Buns at eight")
    first.close()
    second.close()

    third.goto(address)
    third.get_by_role("button", name="Discard").click()
    third.reload()
    third.get_by_role("button", name="Restore").click()

    expect(text_field(third)).to_have_value("Rye at seven")
    assert not third.evaluate(_KEPT, "Buns at eight")
