"""What tests of publishing by containers share: both platforms that do it, in turn."""

from collections.abc import Iterator

import pytest

from tests.connectors.shared.meta.containers_rig import KINDS, Kind
from tests.connectors.support.rig import Rig


@pytest.fixture(params=KINDS, ids=["instagram", "threads"])
def kind(request: pytest.FixtureRequest) -> Kind:
    """Name the platform that the test is played on."""
    chosen: Kind = request.param
    return chosen


@pytest.fixture
def rig(kind: Kind) -> Iterator[Rig]:
    """Connect an account of it."""
    made = kind.make()
    yield made
    made.platform.close()
