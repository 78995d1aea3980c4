"""Every page at two widths, light and dark: nothing for axe to find, nothing that scrolls aside."""

import re
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import ConsoleMessage, Page, Route, expect

from chalicelib.domain.platforms.platform import Platform
from tests.browser.conftest import Shoot
from tests.browser.shown_workspace import ShownWorkspace
from tests.browser.sign_in_pages import PAGES
from tests.browser.visitor import Visitor
from tests.browser.wire import Wire
from tests.support.other_name import by_address
from tests.support.sampled import a_quarter_of

pytestmark = pytest.mark.browser

WIDTHS = {"phone": 390, "desktop": 1280}

MAIN = {
    "/calendar?day={week}": "calendar",
    "/posts/{scheduled}": "post",
    "/posts/new": "new-post",
    "/results": "results",
}
OTHERS = (
    *("", "/calendar?view=month", "/calendar?view=list", "/calendar?view=day", "/posts"),
    *("/posts/{published}", "/posts/{failed}", "/posts/{draft}"),
    *("/review", "/waiting", "/plans", "/library", "/words", "/labels", "/series"),
    *("/accounts", "/connect", "/settings", "/settings?page=members"),
    *("/settings?page=notices", "/settings?page=you", "/settings?page=workspace"),
)
RARE = ("/posts/new?at=2030-01-31T09:00", "/nothing", "/posts?q=nothing", "/static/offline.html")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_pages_have_nothing_for_axe_to_find(
    visitor: Visitor, workspace: ShownWorkspace, axe: str, shoot: Shoot, device: str
) -> None:
    """Each page is opened once, and in the dark asked for what may differ there: its colours.

    Of those beside the main ones the gate opens a quarter (`tests/support/sampled.py`).
    """
    page = visitor.signed_in(workspace.owner, width=WIDTHS[device], height=844)
    errors = _errors(page)

    found = []
    for address in (*MAIN, *a_quarter_of(OTHERS)):
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        page.goto(_address(visitor, workspace, address))
        found += _problems(page, axe)
        if address in MAIN:
            shoot(page, f"{device}/{MAIN[address]}-light")
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        found += [f"dark: {one}" for one in _problems_of_colours(page)]
        if address in MAIN:
            shoot(page, f"{device}/{MAIN[address]}-dark")

    assert found == []
    assert errors == []


_MOST_SHIFT = 0.02
_MOST = {  # requests, nodes, bytes on their way
    "": (28, 700, 100_000),
    "/calendar?day={week}": (28, 1400, 100_000),
    "/posts/new": (28, 700, 110_000),
    "/results": (28, 1900, 100_000),
}
_SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });"""


_LIGHT_BUTTONS = """() => [...document.querySelectorAll(".btn:not(.sun, .icon, .menu *)")]
  .map((one) => [one.tagName, one.textContent.trim(), getComputedStyle(one).fontWeight])
  .filter(([, , weight]) => Number(weight) < 500)"""


@pytest.mark.parametrize("device", WIDTHS)
def test_pages_move_nothing_while_they_come_and_stay_small(
    as_people_have_it: Visitor, workspace: ShownWorkspace, device: str
) -> None:
    """Shift, requests, nodes and bytes of a page that is opened with nothing in the cache.

    The whole browser shows a page when its font is there, and only then is nothing moved by it.
    """
    visitor = as_people_have_it
    for address, (most_requests, most_nodes, most_bytes) in _MOST.items():
        page = visitor.signed_in(workspace.owner, width=WIDTHS[device], height=844)
        page.goto("about:blank")
        page.add_init_script(_SHIFTS)
        wire = Wire(page)
        page.goto(_address(visitor, workspace, address), wait_until="networkidle")

        shift, nodes = page.evaluate("[shifted, document.querySelectorAll('*').length]")
        told = f"{device} {address}: {shift:.3f} shift, {nodes} nodes, {wire}"
        assert shift <= _MOST_SHIFT, told
        assert len(wire.asked) <= most_requests, told
        assert nodes <= most_nodes, told
        assert wire.bytes <= most_bytes, told
        page.context.close()


_SHOWN_WHOLE = """() => document.readyState !== "loading"
  && performance.getEntriesByName("first-contentful-paint").length > 0
  && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""


@pytest.mark.costly
@pytest.mark.parametrize("late", ["woff2", "js"], ids=["the font", "scripts"])
@pytest.mark.parametrize("device", WIDTHS)
def test_what_comes_after_a_page_is_shown_moves_nothing(
    as_people_have_it: Visitor, workspace: ShownWorkspace, device: str, late: str
) -> None:
    """As on a slow line.

    A busy machine paints a page in pieces, each of which may move those before it: what the page
    itself moves is bounded above, and not counted here.
    """
    visitor = as_people_have_it
    held: list[Route] = []

    def hold(route: Route) -> None:
        page.wait_for_function(_SHOWN_WHOLE)
        if not held:
            page.evaluate("() => { window.shifted = 0; }")
        held.append(route)
        route.continue_()

    for address in _MOST:
        page = visitor.signed_in(workspace.owner, width=WIDTHS[device], height=844)
        page.goto("about:blank")
        page.add_init_script(_SHIFTS)
        held.clear()
        page.route(f"**/*.{late}*", hold)  # each address ends in a checksum
        page.goto(_address(visitor, workspace, address), wait_until="networkidle")

        assert held, address
        assert page.evaluate("shifted") <= _MOST_SHIFT / 4, address
        page.unroute_all(behavior="ignoreErrors")
        page.context.close()


FORCED = ("", "/calendar", "/posts", "/posts/new", "/posts/{published}", "/results")
EDGES = (320, 768, 1100, 1440)
_OPEN_ONE = """(turn) => {
  for (const one of document.querySelectorAll("details:is(.pop, .me)")) one.open = false;
  const box = [...document.querySelectorAll("details:is(.pop, .me)")]
    .filter((one) => one.firstElementChild.checkVisibility())[turn];
  if (box) box.open = true;
  return Boolean(box);
}"""

_OUTSIDE = """() => {
  const wide = document.documentElement.scrollWidth;
  const found = wide > innerWidth ? [`page: ${wide} wide`] : [];
  for (const menu of document.querySelectorAll("details[open] > .menu")) {
    const box = menu.getBoundingClientRect();
    if (!box.width) continue;
    if (box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight)
      found.push(`${box.left} ${box.top} ${box.right} ${box.bottom}`);
  }
  return found;
}"""


@pytest.mark.costly
@pytest.mark.parametrize("width", EDGES)
def test_pages_in_forced_colours_have_nothing_for_axe_to_find(
    visitor: Visitor, workspace: ShownWorkspace, axe: str, width: int
) -> None:
    """With the colours of who reads, at the widths where the layout changes."""
    page = visitor.signed_in(workspace.owner, width=width, height=844)
    page.emulate_media(forced_colors="active", reduced_motion="reduce")

    found = []
    for address in FORCED:
        page.goto(_address(visitor, workspace, address))
        found += _problems(page, axe)

    assert found == []


@pytest.mark.costly
@pytest.mark.parametrize("width", [320, 1440])
def test_open_menus_and_dialogs_have_nothing_for_axe_to_find(
    visitor: Visitor, workspace: ShownWorkspace, axe: str, width: int
) -> None:
    """Every menu of the main pages, one after the other, then the dialogs that keys open."""
    page = visitor.signed_in(workspace.owner, width=width, height=844)
    page.emulate_media(reduced_motion="reduce")

    found, opened = [], 0
    for address in (*FORCED, "/calendar?view=day"):
        page.goto(_address(visitor, workspace, address))
        for turn in count():
            if not page.evaluate(_OPEN_ONE, turn):
                break
            opened += 1
            found += [f"menu {turn}: {one}" for one in _problems(page, axe)]
    assert opened > len(FORCED), "each page has at least the member's own menu"
    for keys, name in (("?", "Keys"), ("Control+k", "Go to")):
        page.keyboard.press(keys)
        expect(page.get_by_role("dialog")).to_be_visible()
        found += [f"{name}: {one}" for one in _problems(page, axe)]
        page.keyboard.press("Escape")

    assert found == []


@pytest.mark.costly
def test_every_page_and_its_menus_stand_within_the_narrowest_phone(
    visitor: Visitor, workspace: ShownWorkspace
) -> None:
    """At 320 pixels nothing scrolls sideways, and no open menu hangs out of the screen."""
    page = visitor.signed_in(workspace.owner, width=320, height=640)
    page.emulate_media(reduced_motion="reduce")

    outside, opened = [], 0
    for address in (*MAIN, *OTHERS):
        page.goto(_address(visitor, workspace, address))
        outside += [f"{_path(page)} {one}" for one in page.evaluate(_OUTSIDE)]
        for turn in count():
            if not page.evaluate(_OPEN_ONE, turn):
                break
            opened += 1
            outside += [f"{_path(page)} menu {turn}: {one}" for one in page.evaluate(_OUTSIDE)]

    assert opened > len(OTHERS)
    assert outside == []


@pytest.mark.costly
def test_what_does_something_weighs_the_same_as_a_link_and_as_a_button(
    visitor: Visitor, workspace: ShownWorkspace
) -> None:
    page = visitor.signed_in(workspace.owner)

    found = set()
    for address in (*MAIN, *OTHERS):
        page.goto(_address(visitor, workspace, address))
        found |= {(_path(page), *one) for one in page.evaluate(_LIGHT_BUTTONS)}

    assert found == set()


@pytest.mark.costly
def test_rare_pages_have_nothing_for_axe_to_find(
    visitor: Visitor, workspace: ShownWorkspace, axe: str
) -> None:
    """What one sees once: refusals, questions, links for strangers, secrets shown once."""
    page, stranger = visitor.signed_in(workspace.owner), visitor.page(width=390)

    found = [
        problem
        for one in (
            *_rare_pages(visitor, workspace, page),
            *_strangers_pages(visitor, stranger),
        )
        for problem in _problems(one, axe)
    ]

    assert found == []


def _rare_pages(visitor: Visitor, workspace: ShownWorkspace, page: Page) -> Iterator[Page]:
    """Show one page after the other to a member."""
    for address in RARE:
        page.goto(_address(visitor, workspace, address))
        yield page
    page.goto(f"{visitor.base_url}/app/accounts")
    page.locator(".accts summary").first.click()
    page.get_by_role("link", name="Disconnect").first.click()
    yield page
    page.goto(f"{visitor.base_url}/app/settings?page=you")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_text("Copy the new API key now.")).to_be_visible()
    yield page
    page.goto(_address(visitor, workspace, "/posts/{published}"))
    page.get_by_role("link", name="Open the live post").click()
    yield page
    page.goto(f"{visitor.base_url}/sandbox")
    yield page


def _strangers_pages(visitor: Visitor, page: Page) -> Iterator[Page]:
    """Show what is open to people without a session."""
    client_id, secret = PAGES[Platform.FACEBOOK].client
    client = ("--client-id", client_id, "--client-secret", secret)
    visitor.operator.ask("app-credentials", "set", "facebook", *client)
    workspace, owner = visitor.workspace()
    page.goto(f"{visitor.base_url}/app/sign-in")
    yield page
    used = by_address(visitor.operator.text("member", "sign-in", owner, field="url"))
    page.goto(used)
    yield page
    other = visitor.page()
    other.goto(used)
    other.get_by_role("button", name="Sign in as").click()
    other.wait_for_url("**/app")
    page.goto(used)
    expect(page.get_by_role("alert")).to_be_visible()
    yield page
    page.goto(visitor.operator.text("account", "invite", workspace, field="url"))
    yield page
    page.get_by_role("region", name="Facebook").get_by_role("button").click()
    page.get_by_role("link", name="Allow").click()
    expect(page.get_by_role("heading", name="Choose an account")).to_be_visible()
    yield page
    page.locator(f'input[value="{PAGES[Platform.FACEBOOK].chosen}"]').check()
    page.get_by_role("button", name="Connect", exact=True).click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    yield page


def _address(visitor: Visitor, workspace: ShownWorkspace, address: str) -> str:
    named = {
        name: getattr(workspace, name)
        for name in ("scheduled", "published", "failed", "draft", "week")
    }
    return f"{visitor.base_url}/app{address.format(**named)}"


def _errors(page: Page) -> list[str]:
    """Return what the console will tell of errors: a policy that was broken, a missing file.

    What htmx tells is of requests that the next page cut short.
    """
    errors: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error" and not said.text.startswith("htmx:"):
            errors.append(said.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


def _problems(page: Page, axe: str) -> list[str]:
    """Return what axe finds on a page, and whether it scrolls sideways."""
    page.evaluate(axe)
    found = _found(page, "{resultTypes: ['violations']}")
    is_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*found, *([f"{_path(page)}: scrolls sideways"] if is_wide else [])]


def _problems_of_colours(page: Page) -> list[str]:
    """Return what axe, which is there already, finds in a page's colours."""
    rules = "['color-contrast', 'link-in-text-block']"
    return _found(page, f"{{resultTypes: ['violations'], runOnly: {rules}}}")


def _found(page: Page, options: str) -> list[str]:
    result = page.evaluate(f"axe.run(document, {options})")
    return [
        f"{_path(page)}: {one['id']} {one['nodes'][0]['html'][:120]}"
        for one in result["violations"]
    ]


def _path(page: Page) -> str:
    return re.sub(r"^https?://[^/]+", "", page.url)
