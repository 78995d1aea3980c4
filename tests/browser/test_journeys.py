"""What people come for, in a real browser: posts, reviews, the keyboard alone, no JavaScript.

Each types before it presses, and what goes out is what stood on the screen.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from chalicelib.domain.platforms.platform import Platform
from tests.browser.composer_page import (
    A_POST,
    choose,
    next_page,
    open_tab,
    pick_time,
    publish_now,
    save_draft,
    state_shown,
    text_field,
)
from tests.browser.conftest import Shoot
from tests.browser.counter import Counter
from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT
from tests.support.other_name import by_address

pytestmark = pytest.mark.browser

PHOTO = PROJECT / "docs" / "sample.jpg"
MOST_INTERACTIONS = 10


def test_a_first_post_on_a_phone_takes_few_interactions(visitor: Visitor, shoot: Shoot) -> None:
    _, member = visitor.workspace()
    page = visitor.signed_in(member, width=390, height=844)
    steps = 2  # the link and its button

    page.get_by_role("link", name="Connect an account").click()
    page.get_by_label("Name").fill("Lighthouse Bakery")
    page.get_by_role("button", name="Connect the test account").click()
    steps += 3
    page.get_by_role("link", name="New post").last.click()
    page.locator("#uploader input[type=file]").set_input_files(PHOTO)
    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    text_field(page).fill("Fresh bread from seven")
    page.get_by_label("Lighthouse Bakery").check()
    publish_now(page)
    steps += 5
    expect(state_shown(page, "published")).to_be_visible()
    expect(page.locator("#state")).to_have_text("Published")
    expect(page.locator("#composer")).to_be_hidden()
    shoot(page, "phone/published-light")

    assert steps <= MOST_INTERACTIONS + 2
    expect(page.get_by_role("link", name="Open the live post")).to_be_visible()


def test_three_platforms_with_texts_of_their_own_tomorrow(visitor: Visitor) -> None:
    """At most eight interactions, and one load after the page."""
    workspace, member = visitor.workspace()
    for platform in ("linkedin", "x", "bluesky"):
        visitor.test_account(workspace, platform, f"on {platform}")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    counter = Counter(page)
    counter.watch()

    for platform, name in (("linkedin", "LinkedIn"), ("x", "X"), ("bluesky", "Bluesky")):
        counter.does(page.locator(".acc").filter(has_text=f"on {platform}").click)
        area = text_field(page)
        if name != "LinkedIn":  # who ticks another account after a text gets its own
            expect(page.get_by_role("tab", selected=True)).to_contain_text(name)
            area = page.get_by_label(f"Text for {name}", exact=False)
        counter.does(partial(area.fill, f"Rye, as {name} likes it"))
    counter.does(page.locator("#ways label").filter(has_text="Tomorrow 09:00").click)
    counter.does(page.get_by_role("button", name=re.compile("Schedule for .* 09:00")).click)

    expect(page.locator("#progress").get_by_text("Scheduled", exact=True)).to_have_count(3)
    assert counter.interactions == 8
    assert counter.loads <= 1
    for name in ("LinkedIn", "X", "Bluesky"):
        expect(page.locator(".previews")).to_contain_text(f"Rye, as {name} likes it")


@pytest.mark.costly
def test_one_photo_goes_to_all_eleven_platforms(visitor: Visitor) -> None:
    """What each platform needs is asked for beside the form; 13 interactions and two loads."""
    workspace, member = visitor.workspace()
    for platform in Platform:
        visitor.test_account(workspace, platform)
    page = visitor.signed_in(member)
    counter = Counter(page)
    counter.watch()

    counter.does(page.get_by_role("link", name="New post").first.click)
    counter.does(partial(text_field(page).fill, "The oven is thirty years old today"))
    counter.does(partial(page.locator("#uploader input[type=file]").set_input_files, PHOTO))
    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    counter.does(page.get_by_role("button", name="Choose all").click)
    counter.does(page.get_by_role("checkbox", name="YouTube").uncheck)  # which takes no photo
    expect(page.locator("#wrongs li")).to_have_count(3)
    for _ in range(3):
        left = page.locator("#wrongs li").count()
        counter.does(page.locator("#wrongs a").first.click)
        field = page.locator(":focus")
        is_list = field.evaluate("one => one.tagName") == "SELECT"
        counter.does(partial(field.select_option, index=1) if is_list else partial(field.fill, "x"))
        expect(page.locator("#wrongs li")).to_have_count(left - 1)
    counter.does(page.locator("#ways label", has_text="Next queue time").click)
    counter.does(page.locator("#main-verb").click)

    expect(page.locator("#progress").get_by_text("Scheduled", exact=True)).to_have_count(10)
    assert counter.interactions <= 13
    assert counter.loads <= 2


@pytest.mark.costly
def test_ten_posts_are_queued_with_little_work(visitor: Visitor) -> None:
    """At most 22 interactions and 2 loads: the next one begins on the page of the last."""
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    counter = Counter(page)
    counter.watch()

    counter.does(page.get_by_role("link", name="New post").first.click)
    counter.does(page.get_by_label("bakery").check)
    for number in range(10):
        counter.does(partial(text_field(page).fill, f"Loaf number {number}"))
        counter.does(page.get_by_role("button", name="And another").click)
        expect(text_field(page)).to_have_value("")
        expect(text_field(page)).to_be_focused()
        expect(page.locator(".notice")).to_contain_text("Scheduled for")
        assert _covered(page) == [], "the next one is sent without waiting for the notice to go"

    assert counter.interactions <= 22
    assert counter.loads <= 2
    page.goto(f"{visitor.base_url}/app/posts?status=scheduled")
    expect(page.locator(".posts tbody tr")).to_have_count(10)


@pytest.mark.costly
def test_the_next_post_has_nothing_of_the_last(visitor: Visitor) -> None:
    """Also where the last had kept itself as a draft: it is that one which goes."""
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    visitor.test_account(workspace, "x", "on X")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    page.get_by_label("on X").check()
    text_field(page).fill("The first")
    open_tab(page, "X")
    page.get_by_label("Text for X", exact=False).fill("The first, for X")
    page.locator("#uploader input[type=file]").set_input_files(PHOTO)
    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    expect(page.locator("#saved")).to_contain_text("open on every device")

    page.get_by_role("button", name="And another").click()
    expect(page.locator(".notice")).to_contain_text("Scheduled for")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("All accounts")
    text_field(page).fill("The second")
    open_tab(page, "X")
    expect(page.get_by_label("Text for X", exact=False)).to_have_value("The second")
    choose(page, "Save draft")

    page.wait_for_url(A_POST)
    assert _kept(visitor, page, workspace) == ("The second", None)
    expect(page.locator("#chosen")).to_be_hidden()
    page.goto(f"{visitor.base_url}/app/posts")
    expect(page.locator(".posts tbody tr")).to_have_count(2)


def test_another_post_begins_only_if_the_last_was_taken(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    text_field(page).fill("Too late")
    pick_time(page, "2001-01-01T09:00")

    text_field(page).press("Control+Shift+Enter")

    expect(page.locator("#write > .problem").first).to_contain_text("passed")
    expect(text_field(page)).to_have_value("Too late")


def _covered(page: Page) -> list[int]:
    """Return the widths at which a notice stands over what sends, and go back to the first."""
    notice, send = page.locator(".notice"), page.locator(".send")
    found = []
    for width in (390, 800, 1000, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        (one, other) = (
            place.bounding_box() or pytest.fail("not there") for place in (notice, send)
        )
        is_beside = one["x"] >= other["x"] + other["width"]
        if not is_beside and one["y"] + one["height"] > other["y"]:
            found.append(width)
    return found


@pytest.mark.parametrize(
    ("width", "verb"),
    [(1280, "Schedule for"), (390, "Next queue time"), (1280, "Golden hour"), (390, "now")],
)
def test_what_stands_on_the_screen_is_what_goes_out(
    visitor: Visitor, width: int, verb: str
) -> None:
    """The text was changed after the draft was saved, and no button drops that."""
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member, width=width)
    save_draft(page, "OLD TEXT WITH A TYPO")

    text_field(page).fill("New corrected text")
    open_tab(page, "LinkedIn")
    page.get_by_label("Text for LinkedIn", exact=False).fill("And its own for LinkedIn")
    if verb == "Schedule for":
        soon = datetime.now(UTC) + timedelta(hours=3)
        pick_time(page, f"{soon:%Y-%m-%dT%H:%M}")
    with next_page(page):
        if verb == "now":
            publish_now(page)
        else:
            choose(page, verb)

    assert _kept(visitor, page, workspace) == ("New corrected text", "And its own for LinkedIn")


def test_an_open_menu_stays_open_while_its_buttons_come_anew(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")

    page.get_by_label("Other ways to send it").click()
    page.get_by_text("Publish now…").click()
    page.get_by_label("bakery").evaluate(_TICK)
    page.get_by_text("It goes out at once on LinkedIn bakery.").wait_for()  # so they are new

    expect(page.get_by_role("button", name="Publish now", exact=True)).to_be_visible()


_TICK = """box => {
  box.checked = true;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}"""
"""A tick that presses nothing: a press beside a menu closes it."""


def test_no_press_is_lost_while_buttons_come_anew(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    text_field(page).fill("Pressed for a while")
    page.locator("#main-verb").hover()

    page.mouse.down()
    page.get_by_label("bakery").evaluate("box => box.click()")
    expect(page.locator(".panel")).to_have_count(1)  # the buttons came with it
    page.mouse.up()

    expect(state_shown(page, "scheduled")).to_be_visible()


@pytest.mark.costly
def test_a_post_is_moved_cancelled_and_fails_with_what_to_do(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    # At noon: the calendar folds the hours of the night.
    soon = (datetime.now(UTC) + timedelta(days=2)).replace(hour=12, minute=0)
    save_draft(page, "Rye on Saturday")
    pick_time(page, f"{soon:%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Schedule for").click()
    expect(state_shown(page, "scheduled")).to_be_visible()

    page.goto(f"{visitor.base_url}/app/calendar?day={soon:%Y-%m-%d}")
    entry = page.locator(".entry").filter(has_text="Rye on Saturday")
    entry.get_by_role("checkbox").check()
    page.locator("#chosen summary").filter(has_text="Move").click()
    page.get_by_label("New time").fill("2020-01-01T09:00")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("0 of 1 moved. That time has passed")
    later = soon + timedelta(days=7)
    page.goto(f"{visitor.base_url}/app/calendar?day={soon:%Y-%m-%d}")
    entry.get_by_role("checkbox").check()
    page.locator("#chosen summary").filter(has_text="Move").click()
    page.get_by_label("New time").fill(f"{later:%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Move", exact=True).click()
    page.wait_for_url(f"**/app/calendar?view=week&day={later:%Y-%m-%d}")
    entry.get_by_role("link").first.click()
    expect(page.locator("#progress")).to_contain_text(f"{later:%H:%M}")
    page.get_by_role("button", name="Cancel schedule").click()
    expect(state_shown(page, "cancelled")).to_be_visible()

    save_draft(page, "Sold out sandbox:fail:account_restricted")
    publish_now(page)
    expect(state_shown(page, "failed")).to_be_visible()
    retry = page.get_by_role("button", name="Save and retry")
    anew = page.get_by_role("link", name="Show what can be done now")
    retry.or_(anew).first.wait_for()  # the page may have opened before it failed, or after
    page.reload()
    expect(retry).to_be_visible()
    page.get_by_role("link", name="Home").first.click()
    needs = page.get_by_role("region", name="Waiting for you")
    expect(needs).to_contain_text("Sold out")
    expect(needs.get_by_role("button", name="Retry Sold out")).to_be_visible()


@pytest.mark.costly
@pytest.mark.parametrize("width", [390, 1280])
def test_a_session_that_ends_loses_no_text(visitor: Visitor, width: int) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member, width=width)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    text_field(page).fill("Written over night")
    visitor.operator.ask("member", "sign-out", member)
    choose(page, "Next queue time")
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.get_by_text("Written over night")).to_be_visible()

    tab = page.context.new_page()
    tab.goto(by_address(visitor.operator.text("member", "sign-in", member, field="url")))
    tab.get_by_role("button", name="Sign in as").click()
    page.get_by_role("button", name="Continue with what I typed").click()

    expect(text_field(page)).to_have_value("Written over night")
    choose(page, "Next queue time")
    expect(state_shown(page, "scheduled")).to_be_visible()


_NONE_KEPT = "() => !Object.keys(localStorage).some(name => name.startsWith('draft.'))"
_KEPT = """text => Object.keys(localStorage)
  .some(key => key.startsWith("draft.") && localStorage[key].includes(text))"""
"""The browser keeps what was typed."""


@pytest.mark.costly
def test_a_text_left_behind_is_offered_again(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.route("**/app/compose/kept", lambda route: route.abort())  # so it is in the browser alone
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    text_field(page).fill("Half a thought")
    page.wait_for_function(_KEPT, arg="Half a thought")
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{visitor.base_url}/app/posts")

    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_role("button", name="Restore").click()

    expect(text_field(page)).to_have_value("Half a thought")
    expect(page.get_by_role("checkbox", name="bakery")).to_be_checked()
    choose(page, "Next queue time")
    expect(state_shown(page, "scheduled")).to_be_visible()
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.wait_for_function(_NONE_KEPT)
    expect(page.get_by_role("button", name="Restore")).to_be_hidden()


def test_a_text_that_was_taken_is_not_offered_though_no_answer_came(visitor: Visitor) -> None:
    """The line broke, or the tab was closed, after the service had taken what was sent."""
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    expect(page.locator(".panel")).to_have_count(1)
    text_field(page).fill("Sent once")
    page.route("**/app/compose/kept", lambda route: route.abort())

    def cut(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()

    page.route("**/app/posts/new", cut)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/posts/new")):
        choose(page, "Next queue time")
    page.unroute_all()

    page.goto(f"{visitor.base_url}/app/posts/new")
    page.wait_for_function(_NONE_KEPT)

    expect(page.get_by_role("button", name="Restore")).to_be_hidden()


def _type_until_it_arrives(page: Page, text: str) -> None:
    """Type what is saved as a draft, whose answer does not come before the page is left."""
    with page.expect_event("console", lambda said: said.text == "arrived"):
        text_field(page).fill(text)


def _hold_answers(page: Page) -> None:
    def hold(route: Route) -> None:
        route.fetch()
        page.evaluate("console.log('arrived')")

    page.on("dialog", lambda dialog: dialog.accept())
    page.route("**/app/compose/kept", hold)


@pytest.mark.costly
def test_a_draft_that_arrived_as_its_page_was_left_is_not_offered_as_unsaved(
    visitor: Visitor,
) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    _hold_answers(page)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.get_by_label("bakery").check()
    _type_until_it_arrives(page, "Bread at noon ")

    page.reload()
    page.wait_for_function(_NONE_KEPT)
    expect(page.get_by_role("button", name="Restore")).to_be_hidden()

    page.get_by_label("bakery").check()
    _type_until_it_arrives(page, "Cake")
    text_field(page).fill("Cake at one")
    page.wait_for_function(_KEPT, arg="Cake at one")
    page.reload()
    page.unroute_all()
    page.get_by_role("button", name="Restore").click(timeout=20_000)
    expect(page.get_by_text("open on every device")).to_be_attached()
    page.goto(f"{visitor.base_url}/app/posts?tab=drafts")
    expect(page.get_by_text("Bread at noon")).to_be_visible()
    expect(page.get_by_text(re.compile("^Cake"))).to_have_text("Cake at one")


@pytest.mark.costly
def test_a_page_that_was_made_before_its_draft_arrived_is_made_anew(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts")
    save_draft(page, "Bread")
    earlier = page.request.get(page.url).text()
    _hold_answers(page)
    _type_until_it_arrives(page, "Bread at noon")

    page.route(page.url, lambda route: route.fulfill(body=earlier), times=1)
    page.reload()

    expect(text_field(page)).to_have_value("Bread at noon")
    page.wait_for_function(_NONE_KEPT)
    expect(page.get_by_role("button", name="Restore")).to_be_hidden()


def test_signing_out_leaves_nothing_in_the_browser(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    page.goto(f"{visitor.base_url}/app/posts/new")
    text_field(page).fill("For nobody else")
    page.wait_for_function(_KEPT, arg="For nobody else")

    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("form[action$='/sign-out']").first.evaluate("form => form.requestSubmit()")
    page.wait_for_url("**/app/sign-in")

    left = page.evaluate("({...localStorage, ...sessionStorage})")
    assert {"/app/sign-in"} >= set(left.values()), left  # htmx notes where it is
    assert [] == [one for one in page.context.cookies() if "session" in str(one["name"])]


@pytest.mark.costly
def test_a_post_is_written_with_the_keyboard_alone(visitor: Visitor) -> None:
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)

    _press(page, page.get_by_role("link", name="New post").first)
    page.wait_for_url("**/app/posts/new")
    _tab_to(text_field(page))
    page.keyboard.type("By keyboard")
    _press(page, page.get_by_label("bakery"), "Space")
    expect(page.locator(".panel")).to_have_count(1)
    _press(page, page.locator("#main-verb"))  # the next queue time is chosen at first
    expect(state_shown(page, "scheduled")).to_be_visible()
    _press(page, page.get_by_role("button", name="Cancel schedule"))
    expect(state_shown(page, "cancelled")).to_be_visible()
    _press(page, page.get_by_label("Other ways to send it"))
    _press(page, page.locator("summary").filter(has_text="Publish now…"))
    _press(page, page.get_by_role("button", name="Publish now", exact=True))

    expect(state_shown(page, "published")).to_be_visible()


def test_every_essential_flow_works_without_javascript(visitor: Visitor) -> None:
    workspace, member = visitor.workspace("--approvals")
    page = visitor.signed_in(member, width=390, height=844, scripts=False)
    page.goto(f"{visitor.base_url}/app/accounts")
    page.get_by_label("Name").fill("bakery")
    page.get_by_role("button", name="Connect the test account").click()

    page.get_by_role("link", name="New post").last.click()
    page.get_by_label("Photo or video").click()
    page.locator("input[type=file]").set_input_files(PHOTO)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("radio", name="sample.jpg", include_hidden=True)).to_be_checked()
    text_field(page).fill("Without scripts")
    page.get_by_label("bakery").check()
    page.get_by_role("button", name="Show the options").click()
    page.locator("summary").filter(has_text="Alt text").click()
    page.get_by_label("Alt text").fill("A loaf on a table")
    with next_page(page):
        choose(page, "Save draft")
    expect(page.get_by_label("Alt text")).to_have_value("A loaf on a table")
    text_field(page).fill("Without any script")
    with next_page(page):
        publish_now(page)
    _reload_until(page, "published")
    page.get_by_role("button", name="Use again").click()
    expect(text_field(page)).to_have_value("Without any script")
    choose(page, "Next queue time")
    expect(state_shown(page, "scheduled")).to_be_visible()

    page.goto(f"{visitor.base_url}/app/results")
    page.get_by_text("As a table").first.click()
    expect(page.get_by_role("columnheader", name="Engagement")).to_be_visible()
    asked = ("member", "add", workspace, "--name", "Lin", "--role", "contributor")
    hers = visitor.signed_in(
        visitor.operator.text(*asked, field="member_id"), scripts=False, width=390
    )
    hers.get_by_role("link", name="New post").last.click()
    text_field(hers).fill("May this go out?")
    hers.get_by_label("bakery").check()
    hers.get_by_role("button", name="Ask for review").click()
    page.get_by_role("link", name="Review").last.click()
    page.get_by_role("button", name="Request changes").click()
    expect(page.get_by_text("Nothing to review.")).to_be_visible()
    page.locator("summary").filter(has_text="Ada").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/app/sign-in")


def _kept(visitor: Visitor, page: Page, workspace: str) -> tuple[str, str | None]:
    """Return what the service keeps of the post on a page: its text, and its first account's."""
    post_id = page.url.partition("?")[0].rpartition("/")[2]
    post = visitor.operator.local.stores.posts.get(workspace, post_id)
    return post.caption, post.targets[0].caption_override


def _reload_until(page: Page, state: str) -> None:
    """Open the page again until the target is in a state, as people without scripts do."""
    for _ in range(240):
        if state_shown(page, state).count():
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


@pytest.mark.costly
def test_a_caption_keeps_the_line_breaks_it_begins_with(visitor: Visitor) -> None:
    """HTML 13.1.2.5: a browser takes away one line break right behind the tag of a text field."""
    caption = "\n\nFresh bread"
    workspace, member = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    save_draft(page, caption)

    for more in ("", " from seven"):
        page.reload()
        expect(text_field(page)).to_have_value(caption)
        caption += more
        text_field(page).press("Control+End")
        text_field(page).press_sequentially(more)
        with next_page(page):
            choose(page, "Save", "Save draft")

    page.reload()
    expect(text_field(page)).to_have_value(caption)
