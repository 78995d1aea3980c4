"""Every page at two widths, light and dark: nothing for axe to find, nothing that scrolls aside."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.visitor import Scheme, Visitor

pytestmark = pytest.mark.browser

PAGES = ("", "/posts", "/posts/new", "/review", "/accounts", "/connect", "/results", "/settings")
SHOWN = {"": "calendar", "/posts/new": "new-post", "/results": "results", "/settings": "settings"}


@pytest.fixture(scope="session")
def filled() -> list[str]:
    """Remember the posts that were made once for all pages."""
    return []


def fill(visitor: Visitor, filled: list[str]) -> str:
    """Give the demo workspace something to show, once; return its owner."""
    demo = json.loads((visitor.stack.data_dir / "demo.json").read_text())
    owner = str(visitor.operator("member", "list", demo["workspace_id"])["data"][0]["member_id"])  # type: ignore[index]  # a list
    if filled:
        return owner
    request = visitor.page().request
    headers = {"Authorization": f"Bearer {demo['api_key']}"}
    accounts = {one["platform"]: one["id"] for one in demo["accounts"]}

    def post(path: str, body: object) -> dict[str, Any]:
        answer = request.post(f"{visitor.base_url}/v1{path}", headers=headers, data=body)
        assert answer.ok, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    for caption, platforms in (
        ("Fresh bread from seven", ("linkedin", "x", "bluesky")),
        ("Rye on Saturday", ("facebook", "threads")),
        ("How we fold croissants", ("linkedin", "google business profile")),
    ):
        targets = [{"account_id": accounts[platform]} for platform in platforms]
        made = post("/posts", {"caption": caption, "targets": targets})
        post(f"/posts/{made['id']}/queue", {})
        filled.append(made["id"])
    for caption in ("The oven is on", "The oven is on sandbox:fail:account_restricted"):
        targets = [{"account_id": accounts["linkedin"]}]
        made = post("/posts", {"caption": caption, "targets": targets})
        post(f"/posts/{made['id']}/publish-now", {})
        filled.append(made["id"])
    return owner


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_pages_have_nothing_for_axe_to_find(
    visitor: Visitor, filled: list[str], axe: str, screenshots: Path, width: int, scheme: Scheme
) -> None:
    owner = fill(visitor, filled)
    page = visitor.signed_in(owner, width=width, height=900, scheme=scheme)
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)

    found = [
        problem
        for address in (*PAGES, *(f"/posts/{post}" for post in filled[:1] + filled[-1:]))
        for problem in _problems(page, f"{visitor.base_url}/app{address}", axe)
    ]
    for address, name in SHOWN.items():
        page.goto(f"{visitor.base_url}/app{address}")
        page.screenshot(path=screenshots / f"app-{name}-{width}-{scheme}.png")

    assert found == []
    assert errors == []


def test_the_sign_in_page_has_nothing_for_axe_to_find(visitor: Visitor, axe: str) -> None:
    assert _problems(visitor.page(), f"{visitor.base_url}/app/sign-in", axe) == []


def _problems(page: Page, address: str, axe: str) -> list[str]:
    """Return what axe finds on a page, and whether it scrolls sideways."""
    page.goto(address)
    page.evaluate(axe)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    found = [
        f"{address}: {one['id']} {one['nodes'][0]['html'][:120]}" for one in result["violations"]
    ]
    is_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*found, *([f"{address}: scrolls sideways"] if is_wide else [])]
