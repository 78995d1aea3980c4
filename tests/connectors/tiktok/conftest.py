"""What the tests of this platform share: its connector over its fake."""

from collections.abc import Iterator

import pytest

from tests.connectors.tiktok.rig import TikTokRig, a_rig


@pytest.fixture
def rig() -> Iterator[TikTokRig]:
    """Return the connector over its fake, for one test."""
    made = a_rig("video", "photo")
    yield made
    made.platform.close()
