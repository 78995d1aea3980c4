"""Many callers at once see of each post what they would see if they came one after the other.

Porcupine (github.com/anishathalye/porcupine, MIT) says so of what a running stack answered: texts,
times, statuses, accounts and ETags of posts, alone and in lists. It found a list by time without a
post that was moved meanwhile, and posts listed as they never were.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.histories.recording import History
from tests.local.running_stack import Stack, running
from tests.support.go_modules import fetched

pytestmark = [pytest.mark.node, pytest.mark.timeout(300)]

CHECKER = Path(__file__).parent / "checker"


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the checker."""
    folder = tmp_path_factory.mktemp("checker")
    go = fetched(CHECKER, ("go.mod", "go.sum", "main.go"), folder, "Porcupine")
    subprocess.run([go, "build", "-o", "checker", "."], cwd=folder, check=True)
    return folder / "checker"


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(Stack(tmp_path_factory.mktemp("stack"), "chalicelib.local.wiring")) as started:
        yield started


def _unfit(checker: Path, history: History, folder: Path) -> str:
    """Return what the checker says of a history: nothing if it can be put into an order."""
    written = folder / f"{history.seed}.json"
    written.write_text(json.dumps(history.calls))
    done = subprocess.run([checker, written], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("seed", range(8))
def test_what_callers_at_once_are_answered_fits_an_order(
    checker: Path, stack: Stack, tmp_path: Path, seed: int
) -> None:
    history = History(stack.data_dir, seed)

    history.record()

    assert "" == _unfit(checker, history, tmp_path)
