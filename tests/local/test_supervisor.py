"""What the system refuses the supervisor for a moment neither ends the stack nor its order."""

import errno
import os
import signal
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from chalicelib.local.front import demo
from chalicelib.local.options import Options
from chalicelib.local.processes.process import Child, Program
from chalicelib.local.processes.supervisor import Supervisor
from tests.local.running_stack import Stack, eventually, running

resource = pytest.importorskip("resource")


@pytest.mark.costly
@pytest.mark.skipif(sys.platform != "linux", reason="another process's limit is set on Linux alone")
def test_a_process_that_cannot_be_started_is_tried_until_it_can_be(tmp_path: Path) -> None:
    """Without a file handle or memory for a moment there is no process, which ended the stack."""
    with running(Stack(tmp_path)) as stack:
        before = eventually(lambda: stack.children().get("front")) or 0
        assert stack.process is not None
        assert stack.process.stderr is not None
        limit = (stack.process.pid, resource.RLIMIT_NOFILE)
        handles = resource.prlimit(*limit)

        resource.prlimit(*limit, (4, handles[1]))
        os.kill(before, signal.SIGKILL)
        said = takewhile(lambda line: "is tried again" not in line, stack.process.stderr)
        assert "Traceback" not in "".join(said)
        resource.prlimit(*limit, handles)

        assert eventually(lambda: stack.children().get("front") not in (None, before))
        assert eventually(stack.answers)
        assert stack.end() == 0


@pytest.mark.costly
def test_a_stack_whose_words_find_no_room_goes_on(tmp_path: Path) -> None:
    """As when they go to a file on the disk that is full, which is what they would tell."""
    with running(Stack(tmp_path)) as stack:
        before = eventually(lambda: stack.children().get("front")) or 0
        assert stack.process is not None
        assert stack.process.stderr is not None
        stack.process.stderr.close()

        os.kill(before, signal.SIGKILL)

        assert eventually(lambda: stack.children().get("front") not in (None, before))
        assert eventually(stack.answers)
        assert stack.end() == 0


def test_a_disk_that_takes_nothing_keeps_no_process_from_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_folder: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(demo, "hide", refuse)
    waits = [sys.executable, "-S", "-c", "import time; time.sleep(240)"]
    child = Child(Program(name="front", command=waits, environment={}))
    supervisor = Supervisor(Options.from_environment({"GOLDENHOUR_DATA_DIR": str(tmp_path)}))
    supervisor._children["front"] = child

    supervisor._end()
    for end in (supervisor._wake_read, supervisor._wake_write):
        end.close()

    assert child._process.returncode == -signal.SIGTERM
