"""The OpenAPI document as two common linters see it: not an error, not a warning."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DESCRIPTION = HERE.parents[2] / "docs" / "openapi.json"
LINTERS = {
    "spectral": ["lint", "--fail-severity", "hint", "--ruleset", str(HERE / "spectral.yaml")],
    "redocly": ["lint", "--config", str(HERE / "redocly.yaml"), "--max-problems", "1000"],
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the linters as the lock file names them; skip where there is no npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here, so the linters cannot run.")
    folder = tmp_path_factory.mktemp("linters")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    words = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"]
    if subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode != 0:
        pytest.skip("npm could not install the linters (no registry?).")
    return folder / "node_modules" / ".bin"


@pytest.mark.node
@pytest.mark.parametrize("linter", LINTERS)
def test_a_linter_finds_nothing(linter: str, programs: Path) -> None:
    command = [str(programs / linter), *LINTERS[linter], str(DESCRIPTION)]

    found = subprocess.run(command, capture_output=True, text=True, check=False)

    said = found.stdout + found.stderr
    assert found.returncode == 0, said
    assert "You have " not in said, said  # Redocly counts its warnings and ends with 0
