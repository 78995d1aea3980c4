"""What tests of rebuilt tables share: a folder of the version before, and what it must become."""

import shutil
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.tables import rebuild as rebuild_module
from tests.kit.aws_on_sqlite.rebuilt_table import NEW, OLD, Dump, dump, filled


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Dump:
    """Return what a table of this version holds."""
    return dump(filled(tmp_path_factory.mktemp("right") / "engine", NEW))


@pytest.fixture(scope="module")
def former(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fill a table of the version before."""
    return filled(tmp_path_factory.mktemp("former") / "engine", OLD)


@pytest.fixture
def engine_folder(former: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy it, to be rebuilt a few rows at a time."""
    monkeypatch.setattr(rebuild_module, "_ROWS", 7)
    return Path(shutil.copytree(former, tmp_path / "engine"))
