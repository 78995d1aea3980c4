"""The app over a deployment in the emulator: pages without a socket, as a browser sees them."""

import os

import pytest
from jinja2 import FileSystemBytecodeCache

from chalicelib.web.rendering import _environment
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON
from tests.web.browser import Browser


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let each process of a run use the templates that another compiled: all of them take seconds.

    Another run compiles them anew: what they become depends on the filters' code, too.
    """
    mine = tmp_path_factory.getbasetemp()
    kept = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / "templates"
    kept.mkdir(exist_ok=True)
    _environment().bytecode_cache = FileSystemBytecodeCache(str(kept))


@pytest.fixture(scope="module")
def house(
    emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory, compiled_templates: None
) -> House:
    """Wire a deployment with tables of this file's own."""
    del compiled_templates
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
