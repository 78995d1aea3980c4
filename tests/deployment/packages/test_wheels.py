"""Wheels are unpacked by pip where uv is not there, or reaches no package index."""

from pathlib import Path

import pytest

from infra.packaging.runtime import ARCHITECTURE, PYTHON
from infra.packaging.wheels import LibrariesError, unpack_wheels

_FAILS_HALFWAY = "#!/bin/sh\ntouch {target}/half.py\nexit 2\n"


@pytest.fixture
def wanted(tmp_path: Path) -> Path:
    file = tmp_path / "task.txt"
    file.write_text("", encoding="utf-8")
    return file


def test_what_uv_left_halfway_is_gone_before_pip_begins(tmp_path: Path, wanted: Path) -> None:
    uv, target = tmp_path / "uv", tmp_path / "task"
    uv.write_text(_FAILS_HALFWAY.format(target=target), encoding="utf-8")
    uv.chmod(0o755)

    unpack_wheels(wanted, target, PYTHON, ARCHITECTURE, uv=uv)

    assert list(target.iterdir()) == []


def test_where_neither_can_pip_tells_why(tmp_path: Path, wanted: Path) -> None:
    wanted.write_text("bread\n", encoding="utf-8")

    with pytest.raises(LibrariesError, match="bread"):
        unpack_wheels(wanted, tmp_path / "task", PYTHON, ARCHITECTURE, uv=tmp_path / "none")
