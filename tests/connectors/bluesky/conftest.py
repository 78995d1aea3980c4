"""What tests against Bluesky's own server share: it is started once."""

from collections.abc import Iterator

import pytest

from tests.connectors.bluesky.product import Bluesky, a_connected_account
from tests.connectors.bluesky.server import BlueskyRelay, BlueskyServer, start_bluesky_server
from tests.support.emulator import EmulatorProcess


@pytest.fixture(scope="session")
def server() -> Iterator[BlueskyServer]:
    """Start Bluesky's own server: the one that DID documents name."""
    running = start_bluesky_server()
    yield running
    running.stop()


@pytest.fixture
def relay(server: BlueskyServer) -> Iterator[BlueskyRelay]:
    """Stand in front of it."""
    made = BlueskyRelay(server)
    yield made
    made.close()


@pytest.fixture
def bluesky(emulator: EmulatorProcess, relay: BlueskyRelay) -> Bluesky:
    """Connect Alice's account to a new workspace."""
    return a_connected_account(emulator, relay)
