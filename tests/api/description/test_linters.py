"""The OpenAPI document as two common linters see it: not an error, not a warning.

Spectral holds it against OWASP's rules, too; `spectral.yaml` says which are off, and why.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.api.description.descriptions import DESCRIPTION
from tests.support import npm

HERE = Path(__file__).parent
LINTERS = {
    "spectral": ["lint", "--fail-severity", "hint", "--ruleset", "spectral.yaml"],
    "redocly": ["lint", "--config", "redocly.yaml", "--max-problems", "1000"],
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the linters as the lock file names them, beside their rules and what they read."""
    folder = tmp_path_factory.mktemp("linters")
    for file in (*HERE.glob("*.json"), *HERE.glob("*.yaml"), DESCRIPTION):
        shutil.copy(file, folder)
    npm.install(folder, "the linters")
    return folder


@pytest.mark.node
@pytest.mark.costly("linters")
@pytest.mark.parametrize("linter", LINTERS)
def test_a_linter_finds_nothing(linter: str, programs: Path) -> None:
    command = [f"node_modules/.bin/{linter}", *LINTERS[linter], DESCRIPTION.name]

    found = subprocess.run(command, cwd=programs, capture_output=True, text=True, check=False)

    said = found.stdout + found.stderr
    assert found.returncode == 0, said
    assert "You have " not in said, said  # Redocly counts its warnings and ends with 0
