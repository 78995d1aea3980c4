"""The kernel refuses calls of the engine: strace, which others wrote, makes the errors.

A caller is told each time that the store does not answer, and once the kernel takes calls again,
everything is done. strace(1), "Tampering".
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.shared_sync import UNWRITABLE
from tests.support.emulator import PROJECT

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")

DONE = ["done"] * 3
_WORKS = """
import sys
from itertools import count
from pathlib import Path
from botocore.exceptions import EndpointConnectionError
from chalicelib.kit.aws_on_sqlite.engine import FILES, Engine
from chalicelib.kit.aws_on_sqlite.files import Files

engine, number = Engine(Path(sys.argv[1]), synced=True), count()
files = Files(engine.folder / FILES, synced=True)
works = {
    "read": lambda: engine.find_made("queue", "0"),
    "write": lambda: engine.make("queue", str(next(number)), {}),
    "file": lambda: files.read([files.keep([b"bread"])[0]], 0, 5),
}

def tried(work):
    try:
        work()
    except EndpointConnectionError:
        return "no answer"
    return "done"

print("ready", flush=True)
for _ in sys.stdin:
    print(*(tried(work) for work in works.values()), sep=",", flush=True)
"""


class Working:
    """A process that reads, writes and keeps a file when it is asked to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WORKS, str(folder)],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._said() == "ready"

    def outcomes(self) -> list[str]:
        """Return how each of the three ended."""
        assert self.process.stdin is not None
        print(file=self.process.stdin, flush=True)
        return self._said().split(",")

    def _said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    @contextmanager
    def refused(self, call: str) -> Iterator[None]:
        """Have the kernel refuse a call of this process meanwhile."""
        names = call.partition(":")[0]
        told = ["-f", "-o", "/dev/null", "-e", f"trace={names}", "-e", f"inject={call}"]
        with subprocess.Popen(
            ["strace", *told, "-p", str(self.process.pid)], stderr=subprocess.PIPE, text=True
        ) as strace:
            assert strace.stderr is not None
            if "attached" not in (said := strace.stderr.readline()):
                pytest.skip(f"no process may be watched here: {said}")
            yield
            strace.terminate()


@pytest.fixture
def working(tmp_path: Path) -> Iterator[Working]:
    """Return a process that has done everything once."""
    working = Working(tmp_path / "engine")
    assert working.outcomes() == DONE
    yield working
    working.process.kill()
    working.process.communicate()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("pread64:error=EIO", ["no answer", "done", "done"]),
        ("pwrite64:error=EIO", ["done", "no answer", "done"]),
        ("pwrite64:error=ENOSPC", ["done", "no answer", "done"]),
        ("pwrite64:error=EINTR:when=1+2", DONE),
        ("flock:error=ENOLCK", ["done", "no answer", "done"]),
        ("openat:error=EMFILE", ["done", "done", "no answer"]),
        ("write:error=EDQUOT:when=1", ["done", "done", "no answer"]),
        ("fsync:error=EIO:when=1", ["done", "done", "no answer"]),
        ("fsync:error=EIO:when=2", ["done", "done", "no answer"]),
    ],
)
def test_a_refused_call_is_no_answer_and_the_next_one_is_done(
    working: Working, call: str, expected: list[str]
) -> None:
    with working.refused(call):
        found = working.outcomes()

    assert found == expected
    assert working.outcomes() == DONE


def test_a_process_whose_log_was_not_synced_ends(working: Working) -> None:
    """What it wrote may be lost however often it is synced later: nothing is said but a mark."""
    with working.refused("fdatasync:error=EIO"):
        found = working.outcomes()

    assert found == [""]
    assert working.process.wait(60) == UNWRITABLE
    assert (working.folder / "turn").stat().st_size == 1
