"""What takes seconds of processor: of all tests run together a quarter that a seed picks."""

import os
import random

import pytest

from tests.support.sampled import runs_by

_SEED = "COSTLY_TESTS_SEED"
"""Where the first process of a run leaves the seed for the others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the caller say which of the costly tests run."""
    parser.addoption(
        "--costly", metavar="SEED", help="which quarter of costly tests runs; all of them"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Pick a seed where the caller named none and runs all tests."""
    if config.getoption("--costly") is None:
        is_whole = config.args == ["tests"]
        seed = str(random.SystemRandom().randrange(1000)) if is_whole else "all"
        # Other processes of this run take over what the first one picked.
        config.option.costly = os.environ.setdefault(_SEED, seed)


def pytest_report_header(config: pytest.Config) -> str:
    """Say which costly tests run, so that the same ones can be run again."""
    return f"costly tests: --costly {config.getoption('--costly')}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the costly tests that the seed does not pick."""
    seed = config.getoption("--costly")
    if passed_over := [item for item in items if _is_passed_over(item, seed)]:
        config.hook.pytest_deselected(items=passed_over)
        kept = set(items).difference(passed_over)
        items[:] = [item for item in items if item in kept]


def _is_passed_over(item: pytest.Item, seed: str) -> bool:
    """Tell whether a test is costly and not in the quarter that the seed picks.

    Tests whose marks name the same thing, which all of them need and which takes long to make, are
    picked together.
    """
    mark = item.get_closest_marker("costly")
    return mark is not None and not runs_by(seed, mark.args[0] if mark.args else item.nodeid)
