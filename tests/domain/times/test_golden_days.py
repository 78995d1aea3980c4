"""Golden hours of many days at once are those that one after the other are next."""

from datetime import UTC, date, datetime, timedelta

import pytest

from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import Audience, Region
from chalicelib.domain.times.golden_hour import golden_hour, golden_hours_of

FIRST = date(2026, 9, 1)
DAYS = [FIRST + timedelta(days=ahead) for ahead in range(240)]
LIFTED = Learned(
    timezone="America/New_York",
    lifts={Platform.X: tuple(300 if hour == 6 else 100 for hour in range(24))},
)


@pytest.mark.parametrize("platform", [Platform.X, Platform.INSTAGRAM, Platform.PINTEREST])
@pytest.mark.parametrize(
    "audience",
    [
        Audience(timezone="UTC"),
        Audience(timezone="Europe/Paris", weights={Region.EUROPE: 2, Region.UNITED_STATES: 1}),
        Audience(timezone="Australia/Lord_Howe", weights={Region.INDIA: 1, Region.UK: 1}),
        Audience(timezone="America/Sao_Paulo"),
    ],
    ids=["utc", "two clocks", "half hours", "no change"],
)
def test_they_are_the_next_ones_through_every_change_of_the_clocks(
    platform: Platform, audience: Audience
) -> None:
    found = list(golden_hours_of(platform, audience, DAYS, LIFTED))

    one_by_one: list[datetime] = []
    at = datetime(2026, 8, 30, tzinfo=UTC)
    while len(one_by_one) < len(found) + 4:
        at = golden_hour(platform, audience, at, LIFTED)
        one_by_one.append(at)
    assert set(found) <= set(one_by_one)
    assert len(found) == len(set(found)) == len(DAYS)
