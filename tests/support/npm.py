"""Programs by others that come from npm, as a lock file names them."""

import shutil
import subprocess
from pathlib import Path

import pytest


def found(*programs: str) -> list[str]:
    """Return where programs are; skip the test where one is missing."""
    places = {name: shutil.which(name) for name in programs}
    if missing := [name for name, place in places.items() if place is None]:
        pytest.skip(f"{' and '.join(missing)}: not here, so what is judged by it cannot run.")
    return [str(place) for place in places.values()]


def install(folder: Path, what: str) -> None:
    """Install what a folder's lock file names, without scripts; skip without a registry."""
    (npm,) = found("npm")
    words = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"]
    if subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode != 0:
        pytest.skip(f"npm could not install {what} (no registry?).")
