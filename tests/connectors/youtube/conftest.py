"""What the tests of this platform share: its connector over its fake."""

from collections.abc import Iterator

import pytest

from tests.connectors.youtube.rig import YouTubeRig, a_rig


@pytest.fixture
def rig() -> Iterator[YouTubeRig]:
    """Return the connector over its fake, for one test."""
    made = a_rig()
    yield made
    made.platform.close()
