"""A backup that was told as written is there after a power cut, with all of its media.

And a power cut leaves the whole engine of a restore, or none. `write_backup` and `read_backup` are
recorded; what a cut leaves at each moment is read as the next restore, or the next start, would.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from chalicelib.local.server.backup import write_backup
from chalicelib.local.server.restoring import read_backup
from tests.local.power_cuts.disk import Disk
from tests.local.power_cuts.recording import Recording
from tests.support.emulator import PROJECT

pytestmark = pytest.mark.compiler

FILM = Path("engine", "files", "film")
TRIED = 30
_BACK_UP = """
import sys
from pathlib import Path
from chalicelib.local.server.backup import write_backup
live, backups = map(Path, sys.argv[1:])
write_backup(live, backups / "today.tar", media=backups / "media")
"""
_RESTORE = """
import sys
from pathlib import Path
from chalicelib.local.server.restoring import read_backup
backup, data = map(Path, sys.argv[1:])
read_backup(backup, data / "live")
"""


def record(program: str, root: Path, folder: Path, *words: Path) -> Recording:
    """Run a program to its end; return what it did below a folder."""
    root.mkdir()
    recording = Recording(root, folder)
    subprocess.run(
        [sys.executable, "-c", program, *words],
        env={**os.environ, **recording.environment},
        cwd=PROJECT,
        check=True,
    )
    return recording


def cuts_of(recording: Recording, folder: Path) -> Iterator[Path]:
    """Yield what cuts leave at some moments, and at last what one leaves after the end."""
    records, chance, disk = list(recording.records()), Random(23), Disk()
    cuts = {*chance.sample(range(len(records)), min(TRIED, len(records))), len(records) - 1}
    for place, one in enumerate(records):
        disk.play(one)
        if place in cuts:
            is_last = place == len(records) - 1
            left = folder / f"left-{place}"
            disk.leave(left, chance=chance if place % 2 and not is_last else None)
            yield left
            shutil.rmtree(left)


def _rows(data_dir: Path) -> int:
    with closing(sqlite3.connect(data_dir / "engine" / "tables.db")) as file:
        assert [("ok",)] == file.execute("PRAGMA integrity_check").fetchall()
        return int(file.execute("SELECT count(*) FROM item").fetchone()[0])


def _is_whole(restored: Path, data_dir: Path) -> bool:
    same_film = (restored / FILM).read_bytes() == (data_dir / FILM).read_bytes()
    return same_film and _rows(restored) == _rows(data_dir)


def test_a_backup_has_its_media_from_the_moment_that_it_is_there(
    data_dir: Path, tmp_path: Path
) -> None:
    backups = tmp_path / "backups"
    recording = record(_BACK_UP, backups, tmp_path, data_dir, backups)

    found = []
    for left in cuts_of(recording, tmp_path):
        found.append((left / "today.tar").exists())
        if found[-1]:
            read_backup(left / "today.tar", left / "other", media=left / "media")
            assert _is_whole(left / "other", data_dir)

    assert found[-1], "it was told as written"
    assert not found[0]


def test_a_restore_leaves_the_whole_engine_or_none(data_dir: Path, tmp_path: Path) -> None:
    write_backup(data_dir, tmp_path / "today.tar")
    recording = record(
        _RESTORE, tmp_path / "data", tmp_path, tmp_path / "today.tar", tmp_path / "data"
    )

    found = []
    for left in cuts_of(recording, tmp_path):
        found.append((left / "live" / "engine").exists())
        if found[-1]:
            assert _is_whole(left / "live", data_dir)

    assert found[-1], "it was told as restored"
    assert not found[0]
