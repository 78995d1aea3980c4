"""What every room's tests share: an AWS for the whole run, started on first use."""

from collections.abc import Iterator, Mapping

import pytest

from tests.support import engines
from tests.support.emulator import EmulatorProcess
from tests.support.engines import Engine

SLOW_ROOMS = ("tests/simulation", "tests/cli", "tests/workers")
"""Their files take longest: begun last, one process would still run when all others are done."""


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
