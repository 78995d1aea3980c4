"""Attacks in a real browser: stored scripts, links used twice or stolen, forms of other sites."""

import re

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.composer_page import next_page
from tests.browser.visitor import Visitor
from tests.support.other_name import by_address
from tests.web.browser import a_photo

pytestmark = pytest.mark.browser

EVIL = "<img src=x onerror=owned=1><script>owned=1</script>"
BROKEN_OUT = "'\"></textarea></script><svg onload=owned=1>"
PAGES = (
    "",
    "/calendar?view=month",
    "/calendar",
    "/posts",
    "/posts/new",
    "/review",
    "/accounts",
    "/results",
    "/settings",
)
LEFT_BEHIND = """() => [
  ...document.querySelectorAll('script:not([src]), [onerror], [onload], img[src="x"]'),
  // What we draw has a class or a view box; what the texts above bring has neither.
  ...document.querySelectorAll('svg:not([class], [viewBox])'),
].map(one => one.outerHTML).concat(globalThis.owned ? ['it ran'] : [])"""


def test_scripts_in_captions_names_and_file_names_stay_text(visitor: Visitor) -> None:
    workspace, owner = visitor.workspace("--approvals")
    visitor.test_account(workspace, "linkedin", EVIL)
    visitor.test_account(workspace, "reddit", BROKEN_OUT[:80])
    asked = ("member", "add", workspace, "--name", EVIL, "--role", "contributor")
    hers = visitor.signed_in(visitor.operator.text(*asked, field="member_id"))
    errors = _watch(hers)
    hers.get_by_role("link", name="New post").first.click()
    file = {"name": f"{EVIL.replace('/', '_')}.jpg", "mimeType": "image/jpeg", "buffer": a_photo()}
    hers.locator("#uploader input[type=file]").set_input_files(file)  # type: ignore[arg-type]  # as declared
    expect(hers.get_by_text("Uploaded and selected.")).to_be_visible()
    hers.locator("#caption").fill(f"{BROKEN_OUT} {EVIL}")
    for account in hers.locator("input[name=account]").all():
        account.check()
    expect(hers.locator(".look")).to_have_count(2)
    with next_page(hers):
        hers.get_by_role("button", name="Ask for review").click()
    hers.wait_for_url(re.compile(r"/app/posts/[0-9a-f]{32}$"))
    post = hers.url
    his = visitor.signed_in(owner)
    errors_his = _watch(his)
    his.goto(f"{visitor.base_url}/app/settings?page=you")
    his.get_by_label("Name of the key").fill(EVIL)
    his.get_by_role("button", name="Create key").click()
    his.get_by_role("link", name="Review").first.click()
    his.get_by_role("button", name="Share for review").click()
    stranger = visitor.page()
    stranger.goto(his.locator(".secret").inner_text())
    looked = [*_left_behind(hers), *_left_behind(his), *_left_behind(stranger)]
    stranger.locator(".revsays").get_by_label("Your name").fill(EVIL)
    stranger.get_by_label("Note").fill(BROKEN_OUT)
    stranger.get_by_role("button", name="Approve").click()
    expect(stranger.get_by_text("The post was approved.")).to_be_visible()

    for address in (*(f"{visitor.base_url}/app{path}" for path in PAGES), post):
        his.goto(address)
        looked += _left_behind(his)

    assert looked == []
    assert errors == errors_his == []
    his.goto(post)
    expect(his.locator("#caption")).to_have_value(f"{BROKEN_OUT} {EVIL}")
    his.locator("summary").filter(has_text="History").click()
    expect(his.get_by_text(f"{EVIL} (review link)").first).to_be_visible()


def test_a_link_that_was_used_or_stolen_signs_nobody_in_twice(visitor: Visitor) -> None:
    _, owner = visitor.workspace()
    link = by_address(visitor.operator.text("member", "sign-in", owner, field="url"))
    thief, victim = visitor.page(), visitor.page()
    thief.goto(link)
    thief.get_by_role("button", name="Sign in as").click()
    thief.wait_for_url("**/app")

    victim.goto(link)

    expect(victim.get_by_role("alert")).to_contain_text("no longer works")
    assert victim.context.cookies() == []
    visitor.operator.ask("member", "sign-out", owner)
    thief.goto(f"{visitor.base_url}/app/posts")
    thief.wait_for_url("**/app/sign-in")


def test_a_session_planted_by_somebody_else_is_gone_after_signing_in(visitor: Visitor) -> None:
    _, owner = visitor.workspace()
    attacker, victim = visitor.signed_in(owner), visitor.page()
    victim.context.add_cookies(attacker.context.cookies())  # type: ignore[arg-type]  # its own

    victim.goto(by_address(visitor.operator.text("member", "sign-in", owner, field="url")))
    victim.get_by_role("button", name="Sign in as").click()
    victim.wait_for_url("**/app")

    (planted,), (own,) = attacker.context.cookies(), victim.context.cookies()
    assert planted.get("value") != own.get("value")
    attacker.goto(f"{visitor.base_url}/app/posts")
    attacker.wait_for_url("**/app/sign-in")


@pytest.mark.parametrize("site", ["https://evil.example/", "http://127.0.0.1:9999/"])
def test_a_form_on_another_site_does_nothing(visitor: Visitor, site: str) -> None:
    """The page knows the form token: what refuses it is where it comes from."""
    workspace, owner = visitor.workspace()
    page = visitor.signed_in(owner)
    page.goto(f"{visitor.base_url}/app/settings?page=members")
    token = page.locator("input[name=form_token]").first.get_attribute("value")
    form = (
        f'<form method="post" action="{visitor.base_url}/app/settings/members">'
        f'<input name="form_token" value="{token}"><input name="name" value="Eve">'
        '<input name="role" value="owner"><button>Win a cake</button></form>'
    )
    page.route(f"{site}**", lambda route: route.fulfill(content_type="text/html", body=form))

    page.goto(site)
    page.get_by_role("button", name="Win a cake").click()

    page.wait_for_url(f"{visitor.base_url}/app/**")
    assert [one["name"] for one in visitor.listed("member", "list", workspace)] == ["Ada"]


def _watch(page: Page) -> list[str]:
    """Return what the console will tell: a broken policy shows that something tried to run."""
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if _is_told(said) else None)
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    return errors


def _is_told(said: ConsoleMessage) -> bool:
    """Tell whether it is an error, and not a request that the next page cut short."""
    return said.type == "error" and not said.text.startswith("htmx:")


def _left_behind(page: Page) -> list[str]:
    found: list[str] = page.evaluate(LEFT_BEHIND)
    return found
