"""The app in WebKit, where it differs from what other tests drive.

Where there is none these tests are skipped.
"""

from collections.abc import Iterator

import pytest

from chalicelib.web.messages import SESSION_COOKIE
from tests.browser.crowded_workspace import Crowded
from tests.browser.webkit import WebKit, opened_webkit

pytestmark = pytest.mark.browser


@pytest.fixture
def webkit(crowded: Crowded) -> Iterator[WebKit]:
    """Start WebKit with the owner signed in."""
    with opened_webkit() as started:
        started.open(f"{crowded.base_url}/app/sign-in")
        started.keep_cookie(SESSION_COOKIE, crowded.session)
        yield started


def test_who_follows_the_link_to_the_search_writes_there(webkit: WebKit, crowded: Crowded) -> None:
    webkit.open(f"{crowded.base_url}/app")
    webkit.read("document.querySelector('.pagehead [href$=\"#q\"]').click()")
    webkit.until("document.activeElement.id === 'q' && getSelection().rangeCount")  # a cursor

    webkit.type("rye")

    webkit.until("document.querySelector('#q').value === 'rye'")


def test_a_text_has_room_where_its_field_does_not_grow(webkit: WebKit, crowded: Crowded) -> None:
    webkit.open(f"{crowded.base_url}/app/posts/new")
    room = "document.querySelector('#caption').clientHeight"

    assert webkit.read(f"CSS.supports('field-sizing: content') || {room} >= 220")


def test_back_after_sending_says_so_of_a_page_kept_in_memory(
    webkit: WebKit, crowded: Crowded
) -> None:
    """What is sent in the moment after a key is not kept as unsaved by the page that comes back."""
    bluesky = crowded.bakery.room.accounts["bluesky"]
    webkit.open(f"{crowded.base_url}/app/posts/new")
    webkit.until("document.activeElement.id === 'caption'")
    webkit.type("Rye from seven")
    webkit.read(f"document.querySelector('[name=account][value=\"{bluesky}\"]').click()")
    webkit.until("document.querySelectorAll('.panel').length === 1")
    webkit.read(
        "[document.querySelector('#caption').dispatchEvent(new Event('input', { bubbles: true })),"
        " document.querySelector('#main-verb').click()]"
    )
    webkit.until("document.querySelector('.notice') && document.readyState === 'complete'")

    webkit.back()

    webkit.until("document.querySelector('#kept') && !document.querySelector('#kept').hidden")
    said = webkit.read("document.querySelector('#kept').innerText")
    assert said.startswith("What you wrote here was sent and is a post now.")
