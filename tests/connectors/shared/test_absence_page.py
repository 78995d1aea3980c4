"""The numbers of the pages on absence and on verdicts are those that the connectors go by."""

from datetime import timedelta

import pytest

from chalicelib.connectors.facebook import reconciliation as facebook
from chalicelib.connectors.google_business_profile import reconciliation as google
from chalicelib.connectors.linkedin import reconciliation as linkedin
from chalicelib.connectors.pinterest import reconciliation as pinterest
from chalicelib.connectors.reddit import reconciliation as reddit
from chalicelib.connectors.shared.meta import reconciliation as meta
from chalicelib.connectors.shared.reconciliation import WITNESS_WITHIN
from chalicelib.connectors.tiktok import reconciliation as tiktok
from chalicelib.connectors.youtube import reconciliation as youtube
from chalicelib.domain.engine import absence, verdicts
from chalicelib.domain.outcome import CALL_DEADLINE, CLOCK_SKEW
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.publishing.run import MAY_BEGIN_WITHIN

NEVER = "never"


def minutes(*times: timedelta) -> str:
    """Return times as the page writes them."""
    return ", ".join(f"{time // timedelta(minutes=1)}" for time in times) + " min"


def after_call(*platforms: Platform) -> str:
    """Return the page's words for a call's end and the lag of platforms that are alike."""
    (lag,) = {FACTS[platform].read_lag for platform in platforms}
    return f"end + {lag // timedelta(seconds=1)} s"


WITNESSED = minutes(WITNESS_WITHIN)
SAID = {
    "Bluesky": [("at once", NEVER)],
    "Facebook": [
        (after_call(Platform.FACEBOOK), NEVER),
        (minutes(facebook.LONGEST_LAG), f"{minutes(facebook.LIST_LAG)}; a retry looks again"),
    ],
    "Google Business Profile": [(f"{google._CERTAIN // timedelta(seconds=1)} s", WITNESSED)],
    "Instagram, Threads": [
        (after_call(Platform.INSTAGRAM, Platform.THREADS), minutes(meta._TOLD_WITHIN))
    ],
    "LinkedIn": [(after_call(Platform.LINKEDIN), WITNESSED)],
    "Pinterest": [(minutes(pinterest.LONGEST_LAG), minutes(pinterest.LONGEST_LAG))],
    "Reddit": [
        (
            f"end + {minutes(reddit.TEXT_LAG, reddit.IMAGE_LAG, reddit.ACCEPTED_LAG)}",
            f"end + {WITNESSED}",
        )
    ],
    "TikTok": [
        (after_call(Platform.TIKTOK), NEVER),
        (NEVER, minutes(tiktok._PHOTO_LOOKS)),
    ],
    "X": [(after_call(Platform.X), WITNESSED)],
    "YouTube": [
        ("at once", NEVER),
        (minutes(youtube.LIST_LAG), minutes(youtube.LIST_LAG)),
    ],
}


def told() -> dict[str, list[tuple[str, str]]]:
    """Return what the page says: from when on an absence is certain, and when it is given up."""
    _, _, page = str(absence.__doc__).partition("| platform |")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines()]
    found: dict[str, list[tuple[str, str]]] = {}
    for name, _, certain, given_up in (row for row in rows[2:] if len(row) == 4):
        platform = name or list(found)[-1]
        found.setdefault(platform, []).append((certain, given_up))
    return found


@pytest.mark.parametrize("platform", sorted(SAID))
def test_a_row_has_the_times_that_the_connector_goes_by(platform: str) -> None:
    expected = SAID[platform]

    assert told()[platform] == expected


def test_the_page_has_no_row_that_nobody_checks() -> None:
    rows = set(told())

    assert rows == set(SAID), "Give SAID, above, the times by which the connector goes."


def test_every_platform_has_a_row() -> None:
    named = {name for row in told() for name in row.split(", ")}

    assert named == {facts.name for facts in FACTS.values()}, (
        'chalicelib/domain/engine/absence.py: step 5 of "Adding a platform" in CONTRIBUTING.md.'
    )


def test_linkedin_is_asked_by_sending_for_as_long_as_the_page_says() -> None:
    hours = linkedin._MEMORY // timedelta(hours=1)

    assert f"the same text is refused, within {hours} h" in str(absence.__doc__)


def test_a_post_that_x_answered_by_a_500_is_sent_again_when_the_page_says() -> None:
    ended = MAY_BEGIN_WITHIN + CLOCK_SKEW + CALL_DEADLINE
    certain = (ended + FACTS[Platform.X].read_lag) // timedelta(minutes=1)

    assert f"on X from about 09:0{certain} on" in str(verdicts.__doc__)
