"""What tests of reports about files share: a convert lane over the embedded engine's storage."""

import pytest

from tests.support.copies import Copies
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import media_rooms


@pytest.fixture(scope="session")
def copies(emulator: EmulatorProcess) -> Copies:
    """Return a lane that makes copies of files."""
    return Copies(media_rooms(make_resources(emulator.endpoint)).store)
