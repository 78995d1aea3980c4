"""A slow phone on a slow line: nothing typed, picked or pressed is lost to a late answer."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.composer_page import choose, next_page, open_tab, state_shown, text_field
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.costly]

_SLOWER = 4
"""How many times slower than this machine the browser computes."""


def _slow(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})


def _held_back(page: Page, pattern: str) -> Callable[[], None]:
    """Hold back what is asked for at an address; return what lets the answers come."""
    waiting: list[Route] = []
    is_open = False

    def take(route: Route) -> None:
        if is_open:
            route.continue_()
        else:
            waiting.append(route)

    def release() -> None:
        nonlocal is_open
        is_open = True
        for route in waiting:
            route.continue_()

    page.route(re.compile(pattern), take)
    return release


def _at_composer(visitor: Visitor, *platforms: str) -> Page:
    workspace, member = visitor.workspace()
    for platform in platforms:
        visitor.test_account(workspace, platform, f"on {platform}")
    page = visitor.signed_in(member)
    _slow(page)
    page.goto(f"{visitor.base_url}/app/posts/new")
    return page


def _tick(page: Page, platform: str) -> None:
    page.locator(".acc").filter(has_text=f"on {platform}").click()


def test_a_text_typed_while_the_next_account_comes_stays(visitor: Visitor) -> None:
    page = _at_composer(visitor, "linkedin", "x", "bluesky")
    _tick(page, "linkedin")
    _tick(page, "x")
    expect(page.get_by_role("tab", name=re.compile("^X "))).to_be_visible()
    open_tab(page, "LinkedIn")
    release = _held_back(page, r"/app/compose\?part=panels")

    with page.expect_request("**/app/compose?part=panels"):
        _tick(page, "bluesky")
    area = page.get_by_label("Text for LinkedIn", exact=False)
    area.fill("Typed while it came")
    area.press("Home")
    release()

    expect(page.get_by_role("tab", name="Bluesky")).to_be_visible()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("LinkedIn")
    expect(area).to_have_value("Typed while it came")
    page.keyboard.type("As ")
    expect(area).to_have_value("As Typed while it came")


def test_another_post_is_wanted_though_the_buttons_come_anew(visitor: Visitor) -> None:
    page = _at_composer(visitor, "linkedin")
    _tick(page, "linkedin")
    expect(page.get_by_role("tab", name="LinkedIn")).to_be_visible()
    release = _held_back(page, r"/app/compose\?part=beside")
    with page.expect_request("**/app/compose?part=beside"):
        text_field(page).fill("Bread")

    # As a press does, but for the events: they would ask for the buttons once more.
    page.evaluate("""() => {
      document.getElementById("main-verb").dataset.old = "1";
      document.querySelector('[name="another"]').checked = true;
    }""")
    release()

    expect(page.locator("#main-verb:not([data-old])")).to_be_attached()
    expect(page.locator('[name="another"]')).to_be_checked()


_MOST_TEXTS = """
window.mostTexts = 0;
const count = () => {
  // Nothing is drawn before the page's styles are there.
  const styles = [...document.querySelectorAll('link[rel="stylesheet"]')];
  if (!styles.every((one) => one.sheet)) return;
  const areas = [...document.querySelectorAll("textarea.text")];
  const shown = areas.filter((area) => area.checkVisibility()).length;
  window.mostTexts = Math.max(window.mostTexts, shown);
};
// After the task that changed something, which is when a browser may draw it.
const changes = { subtree: true, childList: true, attributes: true };
new MutationObserver(() => setTimeout(count)).observe(document, changes);
"""
"""Keep how many texts a person could see at once."""


def test_one_text_is_in_sight_from_the_first_moment_and_at_every_change(visitor: Visitor) -> None:
    """Also on a page that has three texts and whose scripts come late."""
    page = _at_composer(visitor, "linkedin", "x")
    page.add_init_script(_MOST_TEXTS)
    page.goto(f"{visitor.base_url}/app/posts/new")
    text_field(page).fill("For all")
    _tick(page, "linkedin")
    expect(page.locator(".panel")).to_have_count(1)
    text_field(page).fill("For all of you")
    _tick(page, "x")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("X")
    page.get_by_label("Text for X", exact=False).fill("For X")
    open_tab(page, "LinkedIn")
    assert page.evaluate("mostTexts") == 1

    with next_page(page):
        choose(page, "Save draft")
    release = _held_back(page, r"/app/static/composer\.js")
    page.goto(page.url, wait_until="commit")
    expect(text_field(page)).to_be_visible()
    release()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("All accounts")

    expect(page.locator(".panel")).to_have_count(2)
    assert page.evaluate("mostTexts") == 1


def test_who_goes_on_writing_is_not_led_to_another_text(visitor: Visitor) -> None:
    page = _at_composer(visitor, "linkedin", "x")
    _tick(page, "linkedin")
    text_field(page).fill("For all")
    release = _held_back(page, r"/app/compose\?part=panels")

    with page.expect_request("**/app/compose?part=panels"):
        _tick(page, "x")
    text_field(page).press("End")
    page.keyboard.type(" of")
    release()
    expect(page.get_by_role("tab", name=re.compile("^X "))).to_be_visible()
    page.keyboard.type(" you")

    expect(text_field(page)).to_have_value("For all of you")


def test_what_was_chosen_before_the_scripts_ran_counts(visitor: Visitor) -> None:
    page = _at_composer(visitor, "linkedin")
    release = _held_back(page, r"/app/static/htmx\.min\.js")
    page.goto(f"{visitor.base_url}/app/posts/new", wait_until="commit")
    page.get_by_label("on linkedin").check()
    text_field(page).fill("Early")
    page.locator("#ways label").filter(has_text="Tomorrow 09:00").click()
    release()

    expect(page.get_by_role("tab", name="LinkedIn")).to_be_visible()
    page.get_by_role("button", name=re.compile("Schedule for .* 09:00")).click()
    expect(state_shown(page, "scheduled")).to_be_visible()


def test_keys_pressed_before_they_are_listened_to_are_not_lost(visitor: Visitor) -> None:
    page = _at_composer(visitor, "linkedin")
    text_field(page).fill("By keys")
    panels = _held_back(page, r"/app/compose\?part=panels")
    keys = _held_back(page, r"/app/static/keys\.js")

    with page.expect_request("**/app/compose?part=panels"):
        _tick(page, "linkedin")
    with page.expect_request("**/app/static/keys.js*"):
        page.keyboard.press("Alt+2")
    page.keyboard.press("Control+k")
    keys()
    expect(page.get_by_role("dialog", name="Go to")).to_be_visible()
    panels()

    expect(page.locator("[data-tab][aria-selected=true]")).to_contain_text("LinkedIn")


def test_a_press_while_the_draft_is_kept_does_what_it_says(visitor: Visitor) -> None:
    """The buttons come anew between the press and the answer: it is still this one."""
    page = _at_composer(visitor, "linkedin")
    _tick(page, "linkedin")
    expect(page.get_by_role("tab", name="LinkedIn")).to_be_visible()
    release = _held_back(page, "/app/compose/kept")
    with page.expect_request("**/app/compose/kept"):
        text_field(page).fill("Nothing goes out")
    page.get_by_label("Other ways to send it").click()
    page.get_by_role("button", name="Save draft").click()
    with page.expect_response("**/app/compose?part=beside"):
        page.locator("#at").evaluate("field => field.form.dispatchEvent(new Event('change'))")
    release()

    expect(page.locator(".notice")).to_contain_text("Saved.")


def test_a_draft_that_takes_long_to_keep_is_kept_by_one_call_at_a_time(visitor: Visitor) -> None:
    """A second call began after ten seconds, and what was pressed then met its change."""
    page = _at_composer(visitor, "linkedin")
    _tick(page, "linkedin")
    expect(page.get_by_role("tab", name="LinkedIn")).to_be_visible()
    begun: list[str] = []
    page.on("request", lambda sent: begun.append(sent.url) if "/kept" in sent.url else None)
    release = _held_back(page, "/app/compose/kept")
    with page.expect_request("**/app/compose/kept"):
        text_field(page).fill("Rye")

    page.clock.install()
    text_field(page).fill("Rye at seven")
    page.clock.fast_forward(60_000)
    page.clock.resume()
    page.get_by_label("Other ways to send it").click()
    page.get_by_role("button", name="Save draft").click()
    assert len(begun) == 1
    release()

    expect(page.locator(".notice")).to_contain_text("Saved.")
    expect(text_field(page)).to_have_value("Rye at seven")


def test_the_first_paint_of_the_button_is_its_last(visitor: Visitor) -> None:
    """What stood there came with its words: set again, they would count as painted late."""
    page = _at_composer(visitor, "linkedin")
    page.wait_for_load_state("networkidle")

    expect(page.locator("#composer.scripted #main-verb .of-way")).to_be_visible()


def test_whoever_presses_again_while_an_answer_is_awaited_sends_once(visitor: Visitor) -> None:
    """And sees meanwhile that it is awaited. Where none came (RFC 9110, 204), it may go again."""
    _, member = visitor.workspace()
    page = visitor.signed_in(member, width=390)
    page.clock.install()
    page.goto(f"{visitor.base_url}/app/words")
    page.get_by_label("Name", exact=True).fill("Opening hours")
    page.get_by_role("textbox", name="Text").fill("Seven to twelve")
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    page.route("**/app/words", lambda route: route.fulfill(status=204))
    button = page.get_by_role("button", name="Save the text")

    button.click()
    page.clock.run_for(5000)
    expect(button).to_have_attribute("aria-busy", "true")
    button.click()
    assert len(sent) == 1

    page.clock.run_for(30_000)
    expect(button).not_to_have_attribute("aria-busy", "true")
    page.unroute("**/app/words")
    button.click()

    expect(page.get_by_text("Opening hours", exact=True).first).to_be_visible()
    assert len(sent) == 2
