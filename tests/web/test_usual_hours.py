"""How much more than the usual an hour brings, told where a time is chosen, from own results."""

import re
from html import unescape

import pytest

from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.platforms.platform import Platform
from tests.web.browser import Browser

BEST = 15
LIFT = tuple(210 if hour == BEST else 115 for hour in range(24))


@pytest.fixture
def taught(browser: Browser) -> Browser:
    """Return a browser of a workspace whose results taught about LinkedIn, and not about X."""
    room = browser.room
    reads = room.house.deployment.posting.golden_hours.results
    reads.keep_learned(room.workspace_id, Learned(timezone="UTC", lifts={Platform.LINKEDIN: LIFT}))
    return browser


def _told(browser: Browser, **typed: str) -> list[str]:
    """Return what the previews of both accounts say about their times."""
    accounts = [browser.room.account(name) for name in ("linkedin", "x")]
    fields = {"caption": "Rye", "account": accounts, **typed}
    page = browser.send("/app/compose?part=beside", fields).text
    return re.findall(r"</svg>([^<>]* your usual[^<]*\.)</li>", page)


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param({"way": "best"}, id="golden hours"),
        pytest.param({"way": "pick", "at": "2026-11-21T15:30"}, id="a time that was typed"),
    ],
)
def test_a_preview_says_what_its_time_brings(taught: Browser, typed: dict[str, str]) -> None:
    (told,) = _told(taught, **typed)

    assert re.fullmatch(r"\w\w\w 15:[03]0 reaches 2.1 times your usual\.", told)


def test_a_preview_compares_with_the_weekday_that_results_tell_of(taught: Browser) -> None:
    saturday = (Platform.LINKEDIN, 5)
    better = tuple(310 if hour == BEST else 0 for hour in range(24))
    learned = Learned(
        timezone="UTC", lifts={Platform.LINKEDIN: LIFT}, on_weekdays={saturday: better}
    )
    reads = taught.room.house.deployment.posting.golden_hours.results
    reads.keep_learned(taught.room.workspace_id, learned)

    told = [*_told(taught, way="pick", at="2026-11-21T15:30")]
    told += _told(taught, way="pick", at="2026-11-22T15:30")

    assert told == [
        "Sat 15:30 reaches 3.1 times your usual Saturday.",
        "Sun 15:30 reaches 2.1 times your usual.",
    ]


def test_a_preview_says_nothing_of_an_hour_like_others(taught: Browser) -> None:
    assert _told(taught, way="pick", at="2026-11-21T16:30") == []


def test_the_calendar_says_it_with_its_golden_hours(taught: Browser) -> None:
    for platform in ("linkedin", "x"):
        taught.room.account(platform)

    week = taught.open("/app/calendar").text

    assert 'title="Golden hour: LinkedIn 2.1 \N{MULTIPLICATION SIGN} your usual"' in week
    assert re.search(r"<li>\w\w\w: X</li>", week)


def test_a_free_golden_hour_says_it(taught: Browser) -> None:
    taught.room.account("linkedin")
    taught.send("/app/settings/queue", {"weekday": "0", "time": f"{BEST}:00"})

    day = taught.open("/app/calendar?view=day&day=2026-11-23").text

    assert (
        "Write a post for 15:00: LinkedIn 2.1 \N{MULTIPLICATION SIGN} your usual</span>"
        in unescape(day)
    )
