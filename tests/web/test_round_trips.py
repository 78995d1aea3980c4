"""How many times a page waits for the tables, one read after the other; docs/app.md tells it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.http.round_trips import Meter
from tests.api.http_room import House
from tests.web.browser import Browser

PAGE = Path(__file__).parents[2] / "docs" / "app.md"
MOST_IN_SEQUENCE = {
    "/app/posts/{post}": 5,  # what it comes close to on its accounts is looked up, too
    "/app/posts/{post}/progress": 2,
    "/app/posts/new": 2,
    "/app/posts": 3,
    "/app": 4,
    "/app/calendar": 3,
    "/app/accounts": 3,
    "/app/results": 2,
    "/app/settings": 2,
    "/app/settings?page=you": 3,
    "/app/review": 2,
}
"""The session is one of them, as the key is of a call; the composer looks up what it shows."""

Measure = Callable[[str], int]


@pytest.fixture(scope="module")
def measure(house: House) -> Measure:
    """Return what opens a page in a filled workspace and counts."""
    room = house.room()
    post = room.scheduled("linkedin", "x")
    browser = Browser.of(room).signed_in()
    meter = Meter(house.deployment.clients.dynamodb, house.deployment.clients.sqs)

    def count(address: str) -> int:
        with meter.measured() as cost:
            assert browser.open(address.format(post=post["id"])).status == 200
        return cost.depth

    return count


@pytest.mark.parametrize("address", MOST_IN_SEQUENCE)
def test_a_page_waits_for_the_tables_no_more_often(measure: Measure, address: str) -> None:
    assert measure(address) == MOST_IN_SEQUENCE[address]


def test_the_page_about_the_app_tells_it() -> None:
    told = PAGE.read_text()

    assert [] == [
        address
        for address, most in MOST_IN_SEQUENCE.items()
        if f"| `{address}` | {most} |" not in told
    ]
