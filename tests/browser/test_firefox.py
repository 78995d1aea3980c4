"""The app in Firefox: that its pages open without an error, its main task, and where it differs.

Where there is no Firefox these tests are skipped.
"""

from collections.abc import Iterator

import pytest

from chalicelib.web.messages import SESSION_COOKIE
from tests.browser.crowded_workspace import Crowded
from tests.browser.firefox import Firefox, opened_firefox
from tests.browser.pictures.serving import served
from tests.support.free_port import free_port
from tests.support.sampled import a_quarter_of

pytestmark = pytest.mark.browser

_KEPT = 'document.querySelector("#told").textContent.startsWith("Kept in this browser. It becomes")'


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Start Firefox, once."""
    with opened_firefox(tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox


@pytest.fixture
def firefox(started: Firefox, crowded: Crowded) -> Firefox:
    """Return Firefox with the owner signed in."""
    started.keep_cookie(SESSION_COOKIE, crowded.session)
    return started


@pytest.mark.costly
def test_every_page_opens_without_an_error(firefox: Firefox, crowded: Crowded) -> None:
    """Pages of a crowded workspace: the gate opens a quarter (`tests/support/sampled.py`)."""
    pages, wide = dict(crowded.addresses()), []
    for name in a_quarter_of(pages):
        firefox.open(pages[name])
        if firefox.read("document.documentElement.scrollWidth > innerWidth"):
            wide.append(name)

    assert wide == []
    assert firefox.errors == []


def test_a_post_gets_a_text_of_its_own_for_an_account_and_a_typed_time(
    firefox: Firefox, crowded: Crowded
) -> None:
    firefox.open(f"{crowded.base_url}/app/posts/new")
    firefox.until('document.activeElement.id === "caption"')
    firefox.type("For all of them")
    for account in ("x", "bluesky"):
        firefox.click(f'label:has([value="{crowded.bakery.room.accounts[account]}"])')
    firefox.until('document.querySelectorAll("[data-tab]").length === 3')
    firefox.click('[data-tab]:not([data-tab="all"])')
    firefox.type(", and for X")
    firefox.click("#ways label:has([value=pick])")
    firefox.until('document.activeElement.matches(".pick-time [type=date]")')
    firefox.read('document.activeElement.value = "2030-02-02"')  # whose parts take keys in a window
    firefox.click(".pick-time [data-clock]")
    firefox.type("1815")
    firefox.until('document.querySelector("#main-verb").textContent.includes("18:15")')
    firefox.click("#main-verb")

    firefox.until(
        'document.querySelector(".notice")?.textContent.includes("Scheduled for Sat 2 Feb")'
    )
    texts = firefox.read('[...document.querySelectorAll("textarea.text")].map((one) => one.value)')
    assert texts == ["For all of them", "For all of them, and for X", ""]
    assert firefox.errors == []


def test_without_a_line_one_writes_on_a_page_of_ours_and_it_becomes_a_draft(
    firefox: Firefox, crowded: Crowded
) -> None:
    port = free_port()
    app = f"http://127.0.0.1:{port}/app"
    with served(crowded.pipeline, port):
        firefox.open(app)
        firefox.read("navigator.serviceWorker.ready.then(() => true)")

    firefox.open(f"{app}/posts")
    firefox.click("#note textarea")
    firefox.type("Written in a tunnel")
    firefox.click("#whom label")
    firefox.until(_KEPT)
    with served(crowded.pipeline, port):
        firefox.click("#again")
        firefox.until(
            'document.querySelector(".notices")?.textContent.includes("Saved as a draft")'
        )


def test_back_shows_nothing_to_whoever_comes_after_a_sign_out(
    firefox: Firefox, crowded: Crowded
) -> None:
    """Firefox keeps the pages in memory, as they were left."""
    firefox.open(f"{crowded.base_url}/app/posts")
    firefox.open(f"{crowded.base_url}/app/labels")

    firefox.click(".side .me > summary")
    firefox.click('form[action$="/sign-out"] button')
    firefox.until('location.pathname === "/app/sign-in"')
    for _ in range(2):
        firefox.back()

        firefox.until('location.pathname === "/app/sign-in" && document.readyState === "complete"')
