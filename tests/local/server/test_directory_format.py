"""Which data directories a version opens, and what it says of the others."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chalicelib.local import data_directory
from chalicelib.local.data_directory import CannotStart
from tests.local.caller import command
from tests.local.server.kept_directory import FIRST, unpack


def test_a_fresh_directory_is_marked(tmp_path: Path) -> None:
    with data_directory.take(tmp_path / "data"):
        mark = (tmp_path / "data" / "format").read_text()

    assert mark == "3\n"


@pytest.mark.parametrize("marked", [True, False], ids=["marked", "before the mark"])
def test_a_directory_of_the_first_form_is_taken_over_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], *, marked: bool
) -> None:
    data_dir = unpack(FIRST, tmp_path)
    if not marked:
        (data_dir / "format").unlink()

    data_directory.take(data_dir).close()
    data_directory.take(data_dir).close()

    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("Took over 50 rows, 1 files and 0 messages of an earlier version")
    assert (data_dir / "format").read_text() == "3\n"
    assert (data_dir / "emulator.before" / "state.db").exists()
    assert not (data_dir / "emulator").exists()


def test_a_takeover_that_was_cut_off_begins_anew(tmp_path: Path) -> None:
    data_dir = unpack(FIRST, tmp_path)
    (data_dir / "engine.new").mkdir()
    (data_dir / "engine.new" / "tables.db").write_bytes(b"half of it")

    data_directory.take(data_dir).close()

    with closing(sqlite3.connect(data_dir / "engine" / "tables.db")) as state:
        assert state.execute("SELECT count(*) FROM item").fetchone() == (50,)


def test_what_cannot_be_taken_over_stays_as_it_was(tmp_path: Path) -> None:
    data_dir = unpack(FIRST, tmp_path)
    (data_dir / "emulator" / "state.db").write_bytes(b"no database" * 1000)

    with pytest.raises(CannotStart, match=r"could not be taken over .*It is as it was"):
        data_directory.take(data_dir)

    assert (data_dir / "emulator" / "state.db").read_bytes() == b"no database" * 1000
    assert (data_dir / "format").read_text() == "1\n"


@pytest.mark.parametrize(
    ("mark", "advice"),
    [
        ("4\n", "was written by a newer goldenhour .form 4.*start that version again"),
        ("0\n", "has a form that this version does not know.*make a backup there"),
        ("", "has a form that this version does not know"),
        ("\0\xff", "has a form that this version does not know"),
    ],
    ids=["newer", "older", "empty", "garbage"],
)
def test_a_directory_of_another_form_says_what_to_do(
    tmp_path: Path, mark: str, advice: str
) -> None:
    (tmp_path / "format").write_text(mark, encoding="latin-1")

    with pytest.raises(CannotStart, match=advice):
        data_directory.take(tmp_path)

    assert (tmp_path / "format").read_text(encoding="latin-1") == mark


def test_a_command_on_a_directory_of_another_form_says_so_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "format").write_text("4\n")

    done = command(tmp_path, "engine", "status")

    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: The data directory {tmp_path} was written by a newer")
    assert len(done.stderr.splitlines()) == 1


def test_a_refused_directory_is_not_kept_locked(tmp_path: Path) -> None:
    (tmp_path / "format").write_text("4\n")
    with pytest.raises(CannotStart):
        data_directory.take(tmp_path)

    (tmp_path / "format").write_text("1\n")

    data_directory.take(tmp_path).close()
