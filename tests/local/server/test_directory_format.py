"""Which data directories a version opens, and what it says of the others."""

from pathlib import Path

import pytest

from chalicelib.local import data_directory
from chalicelib.local.data_directory import CannotStart


def test_a_fresh_directory_is_marked(tmp_path: Path) -> None:
    with data_directory.take(tmp_path / "data"):
        mark = (tmp_path / "data" / "format").read_text()

    assert mark == "1\n"


def test_a_directory_of_before_the_mark_is_opened_and_marked(tmp_path: Path) -> None:
    (tmp_path / "emulator").mkdir()
    (tmp_path / "emulator" / "state.db").write_bytes(b"")

    with data_directory.take(tmp_path):
        mark = (tmp_path / "format").read_text()

    assert mark == "1\n"


@pytest.mark.parametrize(
    ("mark", "advice"),
    [
        ("2\n", "was written by a newer goldenhour .form 2.*start that version again"),
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


def test_a_refused_directory_is_not_kept_locked(tmp_path: Path) -> None:
    (tmp_path / "format").write_text("2\n")
    with pytest.raises(CannotStart):
        data_directory.take(tmp_path)

    (tmp_path / "format").write_text("1\n")

    data_directory.take(tmp_path).close()
