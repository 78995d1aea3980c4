"""What tests against Bluesky's own server share: it is started once."""

from collections.abc import Iterator

import pytest

from tests.connectors.bluesky.server import BlueskyServer, start_bluesky_server


@pytest.fixture(scope="session")
def server() -> Iterator[BlueskyServer]:
    """Start Bluesky's own server: the one that DID documents name."""
    running = start_bluesky_server()
    yield running
    running.stop()
