"""Debian 12's own Python, 3.11.2: the oldest one that is supported, where the machine has it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.local.caller import command
from tests.support.emulator import PROJECT

OLDEST = Path("/usr/bin/python3.11")
KNOWS_TARS = "import sys, tarfile; sys.exit(hasattr(tarfile, 'data_filter'))"

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11)
    or not OLDEST.exists()
    or subprocess.run([OLDEST, "-c", KNOWS_TARS], check=False).returncode != 0,
    reason="no Python 3.11.2 beside libraries of Python 3.11 here; Debian 12 has it",
)


def test_a_backup_is_restored_by_the_oldest_python(data_dir: Path, tmp_path: Path) -> None:
    command(data_dir, "backup", f"{tmp_path}/b.tar", "--media", f"{tmp_path}/media")

    told = _on_the_oldest(
        tmp_path / "other", "restore", f"{tmp_path}/b.tar", "--media", f"{tmp_path}/media"
    )

    assert "engine resume --confirm-since" in told.stdout, told.stderr
    film = tmp_path / "other" / "engine" / "files" / "film"
    assert film.read_bytes() == b"x" * 2_000_000


def _on_the_oldest(data_dir: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    return subprocess.run(
        [OLDEST, "-m", "chalicelib", *words],
        cwd=PROJECT,
        env={
            **os.environ,
            "GOLDENHOUR_DATA_DIR": str(data_dir),
            "PYTHONPATH": os.pathsep.join(libraries),
        },
        capture_output=True,
        text=True,
        check=False,
    )
