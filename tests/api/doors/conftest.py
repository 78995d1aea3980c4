"""What tests of the front share: its process, and a line to it."""

from collections.abc import Iterator

import pytest

from tests.api.doors.forms import Line
from tests.api.doors.front_server import FrontProcess, start_front
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import MediaRooms, media_rooms


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    """Make tables of this file's own."""
    return media_rooms(make_resources(emulator.endpoint))


@pytest.fixture(scope="module")
def front(rooms: MediaRooms) -> Iterator[FrontProcess]:
    """Start a front over them."""
    started = start_front(rooms.settings)
    yield started
    started.stop()


@pytest.fixture
def line(front: FrontProcess) -> Iterator[Line]:
    """Connect to it."""
    opened = Line(front.address)
    yield opened
    opened.close()
