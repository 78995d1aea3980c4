"""Programs by others that come as Go modules, as a `go.sum` names them."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.npm import found


def fetched(source: Path, names: Iterable[str], folder: Path, what: str) -> str:
    """Copy files of a module to a folder and fetch what it needs; return where go is.

    Skips the test where there is no Go, or no module proxy.
    """
    (go,) = found("go")
    for name in names:
        shutil.copy(source / name, folder)
    if subprocess.run([go, "mod", "download"], cwd=folder, check=False).returncode != 0:
        pytest.skip(f"Go could not fetch {what} (no module proxy?).")
    return go
