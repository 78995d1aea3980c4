"""What every room's tests share: an AWS for the whole run, started on first use."""

import gc
import os
import shutil
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, find, settings, strategies
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.support import engines, loopback_only
from tests.support.closed_at_end import opening
from tests.support.emulator import EmulatorProcess
from tests.support.engines import Engine
from tests.support.kept_logging import kept_logging
from tests.support.sampled import a_twelfth_of

# A busy machine takes longer than Hypothesis allows a test, and that is no defect of what it tests.
settings.register_profile(
    "untimed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("untimed")

pytest_plugins = ["tests.support.costly_tests"]

TESTS = Path(__file__).parent

LANES = {
    "stacks held to their seconds": (
        "tests/local/",
        "tests/journeys/test_first_post.py",
        "tests/journeys/test_wrong_clock.py",
    ),
    "stacks that may take long": (
        "tests/journeys/test_chaos.py",
        "tests/journeys/test_killed_in_a_burst.py",
        "tests/journeys/test_moved_between_servers.py",
    ),
}
"""Tests of whole stacks mostly wait: one process runs a lane's one by one, beside other tests."""

WHOLE_STACKS = tuple(file for files in LANES.values() for file in files)

SLOW_ROOMS = ("tests/journeys", "tests/attacks", "tests/simulation", "tests/cli", "tests/workers")
"""Their files take longest: begun last, one process would still run when all others are done."""

QUICK_ROOM = "tests/domain"
"""It is done before another process has read what there is to test."""

_LESS_URGENT = 5

MARKED_ROOMS = {TESTS / "browser": "browser", TESTS / "servers" / "localstack": "localstack"}
"""All tests of these folders have that mark, and import what nothing else needs."""

SHARING_ROOMS = (
    "tests/deployment/packages/test_runtime.py",
    "tests/deployment/policies",
    "tests/deployment/templates",
    "tests/deployment/test_reimport.py",
    "tests/deployment/test_releases.py",
)
"""They need the packaged app, which takes three seconds of processor."""

_CONVERTER = "chalicelib.workers.media.isolated.converter"
PROGRAM_ROOMS = ("tests/workers/media/", "tests/attacks/")
"""Their tests are about the program that converts files, and start it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the caller say which AWS the tests run on."""
    parser.addoption(
        "--engine",
        choices=[each.value for each in Engine],
        default=Engine.EMBEDDED.value,
        help="which AWS the tests run on (tests/support/engines.py)",
    )
    parser.addoption(
        "--sample", metavar="SEED", help="run a twelfth of the files, picked by a seed"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Apply what tests say of the engine, let long proofs take their time, begin with the slow."""
    has_compiler = shutil.which("cc") is not None
    for item in items:
        if not has_compiler and item.get_closest_marker("compiler"):
            item.add_marker(pytest.mark.skip(reason="there is no C compiler (cc)"))
        engines.mark_for(Engine(config.getoption("--engine")), item)
        if item.get_closest_marker("prove") or item.get_closest_marker("deploy"):
            item.add_marker(pytest.mark.timeout(0))
    items.sort(key=_begins_with)


def _is_left_out(path: Path, config: pytest.Config) -> bool:
    """Tell whether a file of tests is in the part that need not even be read."""
    seed = config.getoption("--sample")
    if not seed or not path.match("test_*.py"):
        return False
    return path not in a_twelfth_of(tuple(config.args), seed)


def _begins_with(item: pytest.Item) -> int:
    """Return which of the slow rooms an item is in; whole stacks come first, the quick last."""
    is_stack, is_slow = (item.nodeid.startswith(rooms) for rooms in (WHOLE_STACKS, SLOW_ROOMS))
    return 0 if is_stack else 1 if is_slow else 2


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many processes run the tests; 0 is this one alone.

    Two more than there are cores, since tests wait, too; but each reads all tests before it begins.
    """
    is_little = all(one.startswith(QUICK_ROOM) or ".py" in one for one in config.args)
    return 0 if is_little else (os.cpu_count() or 1) + 2


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what the marks that are asked for leave out anyway: reading it takes a second."""
    mark = MARKED_ROOMS.get(collection_path)
    is_marked_out = mark is not None and f"not {mark}" in config.getoption("-m")
    return True if is_marked_out or _is_left_out(collection_path, config) else None


class Urgency:
    """Lets whole stacks go first where they share the processors with other tests.

    A process that has begun with other tests takes second place from then on: it cannot go back.
    """

    def __init__(self) -> None:
        self._is_first = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Take second place before the first test that can wait."""
        if self._is_first and not item.nodeid.startswith(WHOLE_STACKS):
            self._is_first = False
            os.nice(_LESS_URGENT)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let each of several processes begin to import at another place of the list.

    On a fresh checkout nothing is compiled yet: in one order, each would compile everything.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is not None and session.config.args == ["tests"]:
        number, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        files = sorted(TESTS.glob("*/**/test_*.py"))
        begin = len(files) * number // count
        for path in (*files[begin:], *files[:begin]):
            is_read = MARKED_ROOMS.keys().isdisjoint(path.parents)
            if is_read and not _is_left_out(path, session.config):
                with suppress(Exception):  # which pytest tells with all that it knows, later
                    import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Let no test decide what others' log takes, also of the memory that is measured."""
    with kept_logging():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    """Close what a fixture opens when that fixture ends, whoever builds it for the fixture."""
    end = ExitStack()
    fixturedef.addfinalizer(end.close)
    with opening(end):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Close what a test opens itself when it ends."""
    with ExitStack() as end, opening(end):
        return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Stay on this machine, know what is urgent among processes, read the tests without pauses."""
    config.pluginmanager.register(loopback_only.guard())
    gc.disable()
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Urgency())


def pytest_collection_finish() -> None:
    """Let the garbage collector pass by the modules and tests, which stay to the end anyway."""
    # Hypothesis asks the collector whether anything keeps the source of its chance, and on Python
    # 3.14 gets no answer about what is passed by: it makes it here.
    find(strategies.none(), lambda _: True)
    gc.collect()
    gc.freeze()
    gc.enable()


class RoomScheduling(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """A file's tests run in one process, and those of the rooms that share what takes long."""

    def _split_scope(self, nodeid: str) -> str:
        for lane, files in LANES.items():
            if nodeid.startswith(files):
                return lane
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


@pytest.fixture(scope="module", autouse=True)
def _ready_children(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let children that convert files be ready when a test needs one: loading takes most of it."""
    if request.node.nodeid.startswith(PROGRAM_ROOMS) or _CONVERTER not in sys.modules:
        yield
        return
    from tests.support.ready_children import ready_children  # noqa: PLC0415 - as `engines.py`

    with ready_children():
        yield


@pytest.fixture
def stack_environment(engine: Engine, request: pytest.FixtureRequest) -> Mapping[str, str]:
    """Return what makes a stack that a test starts use the same engine."""
    if engine is Engine.EMBEDDED:
        return {}
    return engines.stack_environment(engine, request.getfixturevalue("emulator"))
