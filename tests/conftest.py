"""What every room's tests share: an AWS for the whole run, started on first use."""

from collections.abc import Iterator, Mapping

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.support import engines
from tests.support.emulator import EmulatorProcess
from tests.support.engines import Engine

SLOW_ROOMS = ("tests/simulation", "tests/cli", "tests/workers")
"""Their files take longest: begun last, one process would still run when all others are done."""

SHARING_ROOMS = ("tests/deployment/templates", "tests/deployment/policies")
"""All their tests begin with the packaged app."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the caller say which AWS the tests run on."""
    parser.addoption(
        "--engine",
        choices=[each.value for each in Engine],
        default=Engine.MINISTACK.value,
        help="which AWS the tests run on (tests/support/engines.py)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Apply what tests say of the engine, let long proofs take their time, begin with the slow."""
    for item in items:
        engines.mark_for(Engine(config.getoption("--engine")), item)
        if item.get_closest_marker("prove") or item.get_closest_marker("deploy"):
            item.add_marker(pytest.mark.timeout(0))
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW_ROOMS))


class RoomScheduling(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """A file's tests run in one process, and those of the rooms that share what takes long."""

    def _split_scope(self, nodeid: str) -> str:
        return "packaged app" if nodeid.startswith(SHARING_ROOMS) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> RoomScheduling:
    """Return what gives tests to the processes of `pytest -n`."""
    return RoomScheduling(config, log)


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> Engine:
    """Return which AWS the tests run on."""
    return Engine(request.config.getoption("--engine"))


@pytest.fixture(scope="session")
def emulator(engine: Engine) -> Iterator[EmulatorProcess]:
    """Start an emulator in memory; make resources in it under a prefix of your own."""
    with engines.running(engine) as started:
        yield started


@pytest.fixture
def stack_environment(engine: Engine, request: pytest.FixtureRequest) -> Mapping[str, str]:
    """Return what makes a stack that a test starts use the same engine."""
    if engine is Engine.MINISTACK:
        return {}
    return engines.stack_environment(engine, request.getfixturevalue("emulator"))
