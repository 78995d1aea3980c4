"""What a screen reader is told of each page: the accessibility tree as Chromium computes it.

axe judges elements one by one. Here stands what somebody hears who goes through a page by its
headings or by a list of its controls: levels without gaps, one main part, and a name for each
control that tells it from the others.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.shown_workspace import ShownWorkspace
from tests.browser.test_reviews import add_member, ask_for_review
from tests.browser.visitor import Visitor
from tests.support.other_name import by_address

pytestmark = [pytest.mark.browser, pytest.mark.costly]

PAGES = (
    *("", "/calendar", "/posts", "/posts/new", "/posts/{scheduled}", "/posts/{draft}"),
    *("/library", "/words", "/labels", "/series", "/plans", "/groups", "/waiting", "/review"),
    *("/settings", "/settings?page=members", "/settings?page=notices", "/settings?page=you"),
    *("/settings?page=workspace", "/accounts", "/results"),
)
WIDTHS = (1280, 390)
CONTROLS = frozenset(
    {"button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "tab"}
    | {"switch", "slider", "spinbutton", "menuitem", "Date", "DateTime", "InputTime"}
)
ACTS = frozenset({"button", "textbox", "checkbox", "radio", "combobox", "searchbox"})


@pytest.mark.parametrize("width", WIDTHS)
def test_headings_and_controls_make_sense_without_the_page(
    visitor: Visitor, workspace: ShownWorkspace, width: int
) -> None:
    """A phone has other menus and other orders than a desk."""
    page = visitor.signed_in(workspace.owner, width=width, height=844)

    found = []
    for path in PAGES:
        address = f"/app{path}".format(scheduled=workspace.scheduled, draft=workspace.draft)
        page.goto(f"{visitor.base_url}{address}")
        found += [f"{path or '/'}: {one}" for one in _wrong(_tree(page))]

    assert found == []


def test_pages_of_those_who_are_no_members_make_sense_without_the_page(visitor: Visitor) -> None:
    """A review link, a client's page with three posts, signing in, connecting; and who reviews."""
    workspace, owner = visitor.workspace("--approvals", "--timezone", "UTC")
    visitor.test_account(workspace, "bluesky")
    hers = visitor.signed_in(add_member(visitor, workspace, "Lin", "contributor"))
    soon = datetime.now(UTC) + timedelta(hours=30)
    for days, text in enumerate(("Rye on Saturday?", "Buns on Sunday?", "Cake next week?")):
        ask_for_review(hers, text, soon + timedelta(days=3 * days))
    his = visitor.signed_in(owner)
    links = _links_for_strangers(visitor, his, owner, workspace)

    found = []
    for width in WIDTHS:
        stranger = visitor.page(width=width, height=844)
        for what, address in links.items():
            stranger.goto(address)
            found += [f"{what}, {width} wide: {one}" for one in _wrong(_tree(stranger))]
        his.set_viewport_size({"width": width, "height": 844})
        his.goto(f"{visitor.base_url}/app/review")
        found += [f"three to review, {width} wide: {one}" for one in _wrong(_tree(his))]
    his.get_by_role("button", name="Revoke link").first.click()
    expect(his.get_by_role("status")).to_be_visible()
    stranger.goto(links["a client's page"])
    found += [f"a link that ended: {one}" for one in _wrong(_tree(stranger))]

    assert found == []


def _links_for_strangers(visitor: Visitor, his: Page, owner: str, workspace: str) -> dict[str, str]:
    """Return what people without an account open, by what it is; the review has a comment."""
    his.goto(f"{visitor.base_url}/app/review")
    his.locator("summary", has_text="one link to all posts").click()
    his.get_by_label("Client", exact=True).fill("Mill & Co")
    his.get_by_role("checkbox", name="bakery on Bluesky").check()
    his.get_by_role("button", name="Make the page").click()
    clients = his.locator(".secret").inner_text()
    his.goto(f"{visitor.base_url}/app/review")
    his.get_by_role("button", name="Share for review").first.click()
    review = his.locator(".secret").inner_text()
    stranger = visitor.page()
    stranger.goto(review)
    stranger.get_by_label("Your name").last.fill("Mia")
    stranger.get_by_label("Comment, without deciding").fill("With a photo, please")
    stranger.get_by_role("button", name="Comment", exact=True).click()
    expect(stranger.get_by_role("status")).to_contain_text("Your comment was added.")
    signs_in = by_address(visitor.operator.text("member", "sign-in", owner, field="url"))
    invites = by_address(visitor.operator.text("account", "invite", workspace, field="url"))
    return {
        "a client's page": clients,
        "a review link": review,
        "signing in": f"{visitor.base_url}/app/sign-in",
        "a sign-in link": signs_in,
        "connecting an account": invites,
    }


def test_what_a_form_answers_is_said(visitor: Visitor, workspace: ShownWorkspace) -> None:
    """A notice is a status, a refusal an alert: both are read out without being looked for."""
    page = visitor.signed_in(workspace.owner)
    page.goto(f"{visitor.base_url}/app/labels")
    name = page.get_by_label("Name, at most")

    name.fill("Read out")
    page.get_by_role("button", name="Make the label").click()
    page.locator(".notice").wait_for()
    said = _said(_tree(page), "status")
    name.fill("Read out")
    page.get_by_role("button", name="Make the label").click()
    page.locator(".problem").wait_for()
    refused = _said(_tree(page), "alert")

    assert "label" in " ".join(said)
    assert "Read out" in " ".join(refused) or "label" in " ".join(refused)


def _tree(page: Page) -> list[dict[str, Any]]:
    """Return the nodes of a page in its order, with those that a screen reader passes over."""
    session = page.context.new_cdp_session(page)
    answer = session.send("Accessibility.getFullAXTree")
    session.detach()
    nodes: list[dict[str, Any]] = answer["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    ordered, left = [], [nodes[0]]
    while left:
        node = left.pop()
        ordered.append(node)
        left += [by_id[one] for one in reversed(node.get("childIds", [])) if one in by_id]
    return ordered


def _wrong(everything: list[dict[str, Any]]) -> Iterator[str]:
    nodes = [node for node in everything if not node.get("ignored")]
    levels = [(_level(node), _name(node)) for node in nodes if _role(node) == "heading"]
    if [level for level, _ in levels].count(1) != 1:
        yield f"headings of level 1: {[name for level, name in levels if level == 1]}"
    for (before, _), (level, name) in pairwise(levels):
        if level > before + 1:
            yield f"“{name}” is a heading of level {level} after one of level {before}"
    yield from (f"heading of level {level} without words" for level, name in levels if not name)
    mains = [node for node in nodes if _role(node) == "main"]
    if len(mains) != 1:
        yield f"{len(mains)} main parts"
    for node in nodes:
        if _role(node) in CONTROLS and not _name(node):
            yield f"a {_role(node)} without a name"
    acts = Counter((_role(node), _name(node)) for node in nodes if _role(node) in ACTS)
    for (role, name), count in acts.items():
        if count > 1:
            yield f"{count} times the {role} “{name}”"


def _said(nodes: list[dict[str, Any]], role: str) -> list[str]:
    """Return the words of the live regions of a kind."""
    by_id = {node["nodeId"]: node for node in nodes}
    words = []
    for region in (node for node in nodes if _role(node) == role):
        left = [region["nodeId"]]
        while left:
            node = by_id.get(left.pop())
            if node is not None:
                words += [_name(node)] * (_role(node) == "StaticText")
                left += node.get("childIds", [])
    return words


def _role(node: dict[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


def _level(node: dict[str, Any]) -> int:
    found = [one["value"]["value"] for one in node["properties"] if one["name"] == "level"]
    return int(found[0])
