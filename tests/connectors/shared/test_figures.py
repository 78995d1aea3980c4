"""Each connector reads the figures that its platform's page says are counted, and no others."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import ReportsMetrics
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.google_business_profile.fake import FakeGoogleBusinessProfile
from tests.connectors.support.every_rig import a_rig_for
from tests.connectors.support.fake_platform import FakePlatform
from tests.connectors.youtube.fake import FakeYouTube


def _youtube(fake: FakePlatform, video: str) -> None:
    assert isinstance(fake, FakeYouTube)
    fake.counted[video] = {"viewCount": "9", "likeCount": "3", "commentCount": "2"}
    fake.rows = [[video, 3, 1]]


def _google(fake: FakePlatform, post: str) -> None:
    assert isinstance(fake, FakeGoogleBusinessProfile)
    fake.views[post] = 9


COUNTED: Mapping[Platform, Callable[[FakePlatform, str], None]] = {
    Platform.YOUTUBE: _youtube,
    Platform.GOOGLE_BUSINESS_PROFILE: _google,
}
"""Fakes that count nothing by themselves."""


@pytest.mark.parametrize("platform", Platform)
def test_a_platform_tells_the_figures_of_its_page(platform: Platform) -> None:
    told = {
        name
        for kind in ("text", "photo", "video")
        for name, figure in _figures(platform, kind).items()
        if figure is not None
    }

    assert told == FACTS[platform].figures


def _figures(platform: Platform, shape: str) -> dict[str, int | None]:
    """Publish a post of a shape and read its figures two hours later."""
    rig = a_rig_for(platform, shape)
    try:
        if shape not in rig.shapes:
            return {}
        end = rig.drive(shape).run()
        assert isinstance(end, Done)
        assert isinstance(rig.connector, ReportsMetrics)
        if platform in COUNTED:
            COUNTED[platform](rig.platform, end.remote_id)
        rig.clock.pass_time(timedelta(hours=2))
        (metrics,) = rig.connector.metrics([rig.live(end)])
        return {} if metrics is None else asdict(metrics)
    finally:
        rig.platform.close()
