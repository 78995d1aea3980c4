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
