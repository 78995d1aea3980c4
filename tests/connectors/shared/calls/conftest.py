"""The platform that the tests of calls talk to."""

from collections.abc import Iterator

import pytest

from tests.connectors.shared.calls.echo import Echo


@pytest.fixture
def echo() -> Iterator[Echo]:
    platform = Echo()
    yield platform
    platform.close()
