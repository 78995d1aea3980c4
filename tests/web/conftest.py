"""The app over a deployment in the emulator: pages without a socket, as a browser sees them."""

import pytest

from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON
from tests.web.browser import Browser


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    """Wire a deployment with tables of this file's own."""
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace on the Studio plan at noon of 20 November 2026, a Friday."""
    house.clock.now = NOON
    return house.room()


@pytest.fixture
def browser(room: Room) -> Browser:
    """Return a browser in which the workspace's owner is signed in."""
    return Browser.of(room).with_session()
