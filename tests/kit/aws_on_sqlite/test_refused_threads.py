"""A committed write is answered as such, whether a thread is to be had for the log or not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.engine import FILE, Engine
from tests.local.running_stack import PROJECT, eventually
from tests.support.few_threads import FewThreads


def _write(engine: Engine, times: int) -> None:
    for number in range(times):
        engine.make("kind", f"name {number} {'x' * 200}", {})
        with engine.writing() as connection:
            connection.execute("UPDATE made SET about = ?", (str(number),))


def test_writes_are_answered_and_the_log_is_worked_in_once_a_thread_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, engine = FewThreads(monkeypatch), Engine(tmp_path / "engine")
    log = engine.folder / f"{FILE}-wal"

    with system.gives(0):
        _write(engine, 400)
    is_refused, grown = system.refused > 0, log.stat().st_size
    _write(engine, 1)

    assert is_refused
    assert grown > 0
    assert eventually(lambda: (engine.folder / FILE).stat().st_size > 100_000)
    engine.close()


_REALLY = """
import os, resource, tempfile, threading
from pathlib import Path
from chalicelib.kit.aws_on_sqlite.engine import FILE, Engine
from chalicelib.kit.limits.thread_places import Call, ThreadPlaces
from chalicelib.kit.limits.thread_pool import HelpedPool, ThreadPool

if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
most, hard = resource.getrlimit(resource.RLIMIT_NPROC)
engine = Engine(Path(tempfile.mkdtemp()) / "engine")
resource.setrlimit(resource.RLIMIT_NPROC, (1, hard))
try:
    threading.Thread(target=int).start()
except RuntimeError as error:
    print(error)
else:
    raise SystemExit("threads are not bounded here")
for number in range(600):
    engine.make("kind", str(number), {"x": "y" * 200})
with HelpedPool(4) as pool:
    print(sum(pool.map(int, "123")))
places, calls = ThreadPlaces(ThreadPool(4), 4), [Call("w", "s", lambda: None) for _ in range(9)]
with places._bounds.guard:
    for call in calls:
        places._waiting.add(call)
print(places._begin())
resource.setrlimit(resource.RLIMIT_NPROC, (most, hard))
places.begin([])
for call in calls:
    call.done.result(240)
engine.make("kind", "last", {})
while (engine.folder / FILE).stat().st_size < 100_000:
    pass
with engine.reading() as connection:
    print(connection.execute("SELECT count(*) FROM made").fetchone()[0])
"""


def test_nothing_is_lost_when_the_system_itself_refuses_threads() -> None:
    """As Linux does by `ulimit -u`, which binds every user but root."""
    command = [sys.executable, "-c", _REALLY]
    found = subprocess.run(
        command,
        check=False,
        cwd=PROJECT,
        env={**os.environ},
        capture_output=True,
        text=True,
        timeout=240,
    )

    assert found.returncode == 0, found.stderr
    assert found.stdout.split("\n")[:4] == ["can't start new thread", "6", "False", "601"]
