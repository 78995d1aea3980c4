"""The stack as a whole: starting, refusing to start, stopping, and leaving nothing behind."""

import errno
import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chalicelib.doctor.server_checks import ServerChecks
from chalicelib.kit.aws_on_sqlite.shared_sync import UNWRITABLE
from chalicelib.local import data_directory
from chalicelib.local.data_directory import CannotStart
from chalicelib.local.processes.process import NO_THREADS, Child, Program
from tests.local.caller import command
from tests.local.running_stack import CHILDREN, Stack, eventually, running
from tests.support.free_port import free_port


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Start one on a machine that reaches nothing but by a proxy, which cannot be reached."""
    with running(
        Stack(tmp_path_factory.mktemp("stack"), http_proxy="http://127.0.0.1:9")
    ) as started:
        yield started


def _alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_demo_note_names_the_address_and_is_for_its_owner_alone(stack: Stack) -> None:
    note = stack.data_dir / "demo.json"

    content = json.loads(note.read_text())

    assert f"http://127.0.0.1:{stack.port}" == content["base_url"]
    assert set(content) == {"base_url", "api_key", "workspace_id", "accounts"}
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert stack.answers()


def test_a_clean_stop_leaves_no_log_with_what_was_deleted(tmp_path: Path) -> None:
    with running(Stack(tmp_path)) as stack:
        stack.send({"note": "words"})
        stack.end()

    left = [one for one in tmp_path.rglob("*-wal") if one.stat().st_size > 0]

    assert (tmp_path / "engine" / "tables.db").exists()
    assert left == []


def test_a_second_stack_on_the_data_directory_is_refused(stack: Stack) -> None:
    second = Stack(stack.data_dir)

    process = second.launch()
    _, said = process.communicate(timeout=240)

    assert process.returncode == 1
    assert said.splitlines() == [
        f"Another stack already runs on the data directory {stack.data_dir}."
    ]
    assert stack.answers()


def test_a_lock_that_cannot_be_had_is_not_taken_for_another_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: object, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)

    with pytest.raises(CannotStart, match="is not writable: No locks available"):
        data_directory.take(tmp_path)


def test_a_taken_port_is_named(stack: Stack, tmp_path: Path) -> None:
    second = Stack(tmp_path)
    second.port = stack.port

    process = second.launch()
    _, said = process.communicate(timeout=240)

    assert process.returncode == 1
    assert f"Port {stack.port} on 127.0.0.1 is taken: set GOLDENHOUR_PORT to a free one." in said
    assert len(said.splitlines()) == 1


def test_an_unwritable_data_directory_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a directory")

    process = Stack(file / "data").launch()
    _, said = process.communicate(timeout=240)

    assert process.returncode == 1
    assert f"The data directory {file / 'data'} is not writable" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("folder", ["engine", "sandbox"])
def test_damaged_data_is_named_with_what_helps(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "tables.db").write_bytes(b"no database" * 1_000)

    process = Stack(tmp_path).launch()
    _, said = process.communicate(timeout=240)
    listed = command(tmp_path, "workspace", "list")

    told = f"The data in {tmp_path / folder / 'tables.db'} cannot be read (file is not a database)"
    assert (process.returncode, listed.returncode) == (1, 1)
    assert said.startswith(f"{told}. If that does not pass, restore a backup")
    assert listed.stderr.startswith(f"Error: {told}")
    assert len(said.splitlines()) == len(listed.stderr.splitlines()) == 1


@pytest.mark.parametrize(("status", "rests_s"), [(UNWRITABLE, 0.0), (NO_THREADS, 0.0), (1, 10.0)])
def test_what_dies_often_rests_unless_disk_or_threads_are_waited_for(
    status: int, rests_s: float
) -> None:
    ends = [sys.executable, "-S", "-c", f"raise SystemExit({status})"]
    child = Child(Program(name="emulator", command=ends, environment={}), lambda: 100.0)
    rested = []

    for _ in range(5):
        eventually(child.has_died)
        child.note_death()
        rested.append(child.rests_s)
        child.restart()

    assert [0.0] * 4 + [rests_s] == rested
    assert child.dies_often is (status == 1)
    child.end(time.monotonic() + 5)


def test_a_process_that_has_not_died_often_of_late_starts_again_at_once() -> None:
    ends = [sys.executable, "-S", "-c", "raise SystemExit(1)"]
    now = iter(range(0, 6_000, 20))
    child = Child(Program(name="emulator", command=ends, environment={}), lambda: next(now))

    for _ in range(6):
        eventually(child.has_died)
        child.note_death()
        assert child.rests_s == 0.0
        child.restart()

    child.end(time.monotonic() + 5)


@pytest.mark.parametrize(
    ("error", "status"), [("can't start new thread", NO_THREADS), ("anything else", 1)]
)
def test_a_process_that_gets_no_thread_to_begin_with_says_so_by_its_status(
    error: str, status: int
) -> None:
    begins = (
        "from chalicelib.local.processes.process import needing_threads\n"
        f"with needing_threads():\n    raise RuntimeError({error!r})"
    )

    ended = subprocess.run([sys.executable, "-c", begins], capture_output=True, check=False)

    assert ended.returncode == status
    assert (ended.stderr == b"") is (status == NO_THREADS)


def test_a_process_whose_engine_finds_no_room_to_begin_with_says_so_by_its_status(
    tmp_path: Path,
) -> None:
    """Else it would be told as one that dies again and again, perhaps of a post."""
    begins = (
        "import resource; from pathlib import Path\n"
        "from chalicelib.kit.aws_on_sqlite.engine import Engine\n"
        "from chalicelib.local.processes.process import needing_disk\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        f"with needing_disk():\n    Engine(Path({str(tmp_path)!r}))"
    )

    ended = subprocess.run([sys.executable, "-c", begins], capture_output=True, check=False)

    assert (ended.returncode, ended.stderr) == (UNWRITABLE, b"")


def test_localstack_that_does_not_answer_is_named(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    stack = Stack(tmp_path, GOLDENHOUR_STACK="localstack", LOCALSTACK_HOST=address)

    process = stack.launch()
    _, said = process.communicate(timeout=240)

    assert process.returncode == 1
    assert said.splitlines() == [f"LocalStack does not answer at http://{address}."]


@pytest.mark.parametrize("name", ["front", "triggers", "convert"])
def test_a_killed_process_is_started_again(stack: Stack, name: str) -> None:
    before = eventually(lambda: stack.children().get(name)) or 0

    os.kill(before, signal.SIGKILL)

    assert eventually(lambda: stack.children().get(name) not in (None, before))
    assert eventually(stack.answers)


@pytest.mark.costly
def test_a_process_that_dies_again_and_again_does_not_end_the_others(tmp_path: Path) -> None:
    killed = {0}
    with running(Stack(tmp_path)) as stack:
        for _ in range(5):
            eventually(lambda: stack.children().get("triggers", 0) not in killed, within_s=120)
            pid = stack.children()["triggers"]
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)

        told = eventually(lambda: _deaths(tmp_path), within_s=120)
        starts = eventually(lambda: stack.children().get("triggers", 0) not in killed, within_s=120)

        assert starts
        assert stack.answers()
    assert "The triggers process died again and again" in told


def _deaths(data_dir: Path) -> str:
    """Return what the doctor says of the processes of a stack, or nothing."""
    checks = ServerChecks(data_dir=data_dir, clock=lambda: datetime.now(UTC))
    return "".join(one.message for one in checks.run() if one.subject == "processes")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_during_the_start_is_clean(tmp_path: Path, number: int) -> None:
    stack = Stack(tmp_path)
    stack.process = stack.launch()
    eventually(lambda: "triggers" in stack.children() and (tmp_path / "address").exists())

    stack.process.send_signal(number)
    _, said = stack.process.communicate(timeout=240)

    assert stack.process.returncode == 0
    assert "Traceback" not in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_is_clean_quick_and_leaves_no_process(tmp_path: Path, number: int) -> None:
    with running(Stack(tmp_path)) as stack:
        eventually(lambda: len(stack.children()) == len(CHILDREN))
        pids = stack.children()

        began = time.monotonic()
        status = stack.end(number)
        took = time.monotonic() - began

    assert status == 0
    assert took < 5
    assert not any(map(_alive, pids.values()))


@pytest.mark.costly
def test_nothing_survives_the_kill_of_the_supervisor_and_the_next_start_is_clean(
    tmp_path: Path,
) -> None:
    with running(Stack(tmp_path)) as stack:
        eventually(lambda: len(stack.children()) == len(CHILDREN))
        pids = stack.children()

        stack.end(signal.SIGKILL)

        assert eventually(lambda: not any(map(_alive, pids.values())), within_s=2)
        stack.start()  # which waits for an answer, but for less than a lock or lease would last
        assert stack.answers()
