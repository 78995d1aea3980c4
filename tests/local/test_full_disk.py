"""What an operator's command says where the disk takes nothing more: one sentence, no traceback."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.__main__ import open_services
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.aws_on_sqlite.shared_sync import UNWRITABLE
from tests.local.caller import command
from tests.support.emulator import PROJECT

OWNER = ("--name", "Bakery", "--plan", "studio", "--timezone", "UTC", "--owner-name", "Ada")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Return a data directory with a workspace."""
    (tmp_path / "data").mkdir()
    made = command(tmp_path / "data", "workspace", "create", *OWNER)
    assert made.returncode == 0, made.stderr
    return tmp_path / "data"


def on_a_full_disk(
    data_dir: Path, *words: str, room: int = 0
) -> "subprocess.CompletedProcess[str]":
    """Carry out a command whose files cannot grow beyond so many bytes."""

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return subprocess.run(
        [sys.executable, "-m", "chalicelib", *words],
        cwd=PROJECT,
        env={**os.environ, "GOLDENHOUR_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=fill,
    )


@pytest.mark.parametrize(
    ("room", "told"), [(0, "is not writable"), (16, "Make room on its disk")], ids=str
)
def test_a_command_that_changes_something_says_that_the_disk_takes_nothing(
    data_dir: Path, room: int, told: str
) -> None:
    """There may be room for a note in the directory, or not even for that."""
    done = on_a_full_disk(data_dir, "engine", "pause", room=room)

    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: {'The data directory ' * (room == 0)}{data_dir}")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_engine_that_cannot_write_any_more_ends_a_command_with_a_sentence(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDENHOUR_DATA_DIR", str(data_dir))
    full = EndpointConnectionError(endpoint_url=f"{data_dir}/engine/tables.db: disk is full")

    with pytest.raises(OperatorError) as told, open_services(None):
        raise full

    assert told.value.message.startswith(f"{data_dir}/engine/tables.db: disk is full. Make room")


def test_a_command_whose_change_the_disk_does_not_sync_says_so_in_one_sentence(
    data_dir: Path,
) -> None:
    """It ends as a server does, with status 73, but nobody stands above it who says why."""
    unsynced = (
        "import errno, runpy, sys\n"
        "from chalicelib.kit.aws_on_sqlite import shared_sync\n"
        "def lost(descriptor): raise OSError(errno.EIO, 'Input/output error')\n"
        "shared_sync._sync = lost\n"
        "sys.argv = ['goldenhour', 'engine', 'pause']\n"
        "runpy.run_module('chalicelib', run_name='__main__')"
    )

    done = subprocess.run(
        [sys.executable, "-c", unsynced],
        cwd=PROJECT,
        env={**os.environ, "GOLDENHOUR_DATA_DIR": str(data_dir), "GOLDENHOUR_SYNC": "full"},
        capture_output=True,
        text=True,
        check=False,
    )

    log = data_dir / "engine" / "tables.db-wal"
    assert done.returncode == UNWRITABLE
    assert done.stdout == ""
    assert done.stderr == (
        f"The disk did not take what was written to {log} (Input/output error), so this process "
        "ends. Mend the disk, and see whether the last change is there before you repeat it.\n"
    )


@pytest.mark.costly
def test_a_command_whose_log_finds_no_room_still_does_its_work(data_dir: Path) -> None:
    room = max(file.stat().st_size for file in data_dir.rglob("*.db*")) + 1_000_000
    (data_dir / "commands.log").write_bytes(bytes(room))

    done = on_a_full_disk(data_dir, "workspace", "create", *OWNER, room=room)

    assert (0, "") == (done.returncode, done.stderr)
    assert "Bakery" in command(data_dir, "workspace", "list").stdout


def test_a_backup_that_finds_no_room_says_where(data_dir: Path, tmp_path: Path) -> None:
    done = on_a_full_disk(data_dir, "backup", str(tmp_path / "b.tar"))

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"cannot be copied to {data_dir / 'backup.tmp'}" in done.stderr
    assert not (data_dir / "backup.tmp").exists()


def test_a_restore_that_finds_no_room_does_not_blame_the_backup(
    data_dir: Path, tmp_path: Path
) -> None:
    command(data_dir, "backup", str(tmp_path / "b.tar"))

    done = on_a_full_disk(tmp_path / "other", "restore", str(tmp_path / "b.tar"), room=4096)

    assert done.returncode == 1
    assert "make room there" in done.stderr
    assert not (tmp_path / "other").exists()
