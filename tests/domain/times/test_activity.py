"""The activity curves: one for every platform, each with its source's best hour on top."""

import pytest

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform


@pytest.mark.parametrize(
    ("platform", "best_hours"),
    [
        (Platform.INSTAGRAM, [10]),
        (Platform.TIKTOK, [16]),
        (Platform.YOUTUBE, [16]),
        (Platform.LINKEDIN, [10]),
        (Platform.X, [11]),
        (Platform.FACEBOOK, [9]),
        (Platform.THREADS, [10, 11]),
        (Platform.PINTEREST, [21]),
        (Platform.BLUESKY, [9]),
        (Platform.REDDIT, [7]),
        (Platform.GOOGLE_BUSINESS_PROFILE, [11]),
    ],
)
def test_the_best_hour_is_what_the_sources_name_most(
    platform: Platform, best_hours: list[int]
) -> None:
    curve = FACTS[platform].activity

    assert [hour for hour, activity in enumerate(curve) if activity == 100] == best_hours


@pytest.mark.parametrize("platform", Platform)
def test_a_curve_has_a_share_of_its_best_for_each_hour(platform: Platform) -> None:
    curve = FACTS[platform].activity

    assert len(curve) == 24
    assert min(curve) >= 1
    assert max(curve) == 100
