"""The composer and a post's page as a person uses them, for journeys that need a post."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

A_POST = re.compile(r"/app/posts/[0-9a-f]{32}$")


@contextmanager
def next_page(page: Page) -> Iterator[None]:
    """Wait until what is done meanwhile has led to another page, wholly loaded.

    The address tells nothing of that: a new post gets its own while it is written, and a form may
    lead to the page that it stands on.
    """
    page.evaluate("document.documentElement.dataset.left = '1'")
    yield
    page.locator("html:not([data-left])").wait_for(state="attached")
    page.wait_for_load_state()


def text_field(page: Page) -> Locator:
    """Return the field of the shared text."""
    return page.locator("#caption")


def save_draft(page: Page, caption: str) -> None:
    """Save a draft on the one account that there is."""
    page.get_by_role("link", name="New post").locator("visible=true").first.click()
    text_field(page).fill(caption)
    page.get_by_label("bakery").check()
    expect(page.locator(".panel")).to_have_count(1)
    with next_page(page):
        choose(page, "Save draft", "Ask for review")
    page.wait_for_url(A_POST)


def pick_time(page: Page, at: str) -> None:
    """Type a time, which has a chip of its own among the others, or the only place."""
    page.locator("#at").wait_for(state="attached")  # behind the chips
    chip = page.locator("#ways label").filter(has_text="Pick a time")
    if chip.count():
        chip.click()
    page.locator("#at").fill(at)


def open_tab(page: Page, name: str) -> None:
    """Open the tab of an account."""
    page.get_by_role("tab", name=name).click()


def choose(page: Page, *names: str) -> None:
    """Press the button with a name, for a time that is a chip, or in the menu."""
    main, chip = page.locator("#main-verb"), page.locator("#ways label").filter(has_text=names[0])
    main.wait_for()  # behind the chips
    if chip.count():
        chip.click()
        main.click()
        return
    if not main.inner_text().startswith(names):
        page.get_by_label("Other ways to send it").click()
        page.locator("#send .menu button").filter(has_text=names[0]).first.click()
        return
    main.click()


def publish_now(page: Page) -> None:
    """Open the menu, and say once more that it shall go out at once."""
    page.get_by_label("Other ways to send it").click()
    page.get_by_text("Publish now…").click()
    page.get_by_role("button", name="Publish now", exact=True).click()


def state_shown(page: Page, state: str) -> Locator:
    """Return the state of the post's one target."""
    return page.locator("#progress").get_by_text(state.capitalize(), exact=True)
