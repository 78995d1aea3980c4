"""What the tests of every platform share: its connector over its fake."""

from collections.abc import Iterator

import pytest

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.support.every_rig import a_rig_for
from tests.connectors.support.rig import Rig


@pytest.fixture
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Return the rig of the platform whose folder the test is in, for one test."""
    made = a_rig_for(Platform[request.path.parent.name.upper()], "photo")
    yield made
    made.platform.close()
