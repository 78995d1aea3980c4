"""A copy of this repository, to which Picnic is added by the steps of CONTRIBUTING.md."""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
_ADDED = Path(__file__).parent / "picnic"
_PARTS = {
    2: "chalicelib/domain/platforms/pages",
    3: "chalicelib/connectors",
    4: "tests/connectors",
}
"""Where the folders and files of each step go."""

_LAST = '    GOOGLE_BUSINESS_PROFILE = "google business profile"\n'
_ABSENCE = "chalicelib/domain/engine/absence.py"
_ROWS = "|---|---|---|---|\n"
_ROW = "| Picnic | a newer post | end + 30 s | 30 min |\n"
_TIMES = "tests/connectors/shared/test_absence_page.py"
_SAID = "SAID = {\n"
_READ = '    "Picnic": [(after_call(Platform.PICNIC), WITNESSED)],\n'
_NOES = "tests/connectors/shared/test_plain_noes.py"
_FORMS = "    P.GOOGLE_BUSINESS_PROFILE: _google,\n"
_FORM = '    P.PICNIC: lambda _: {"error": "newly_made", "message": WORDS},\n'


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy, and what its programs say."""

    folder: Path

    @classmethod
    def with_picnic(cls, folder: Path, *, without: Collection[int] = ()) -> "Copy":
        """Make a copy and take the steps 1 to 5, but for those that are forgotten."""
        for room in (".chalice", "chalicelib", "tests", "docs", "client", "infra"):
            shutil.copytree(REPOSITORY / room, folder / room, ignore=_ignored)
        for name in ("pyproject.toml", "app.py"):
            shutil.copy(REPOSITORY / name, folder / name)
        copy = cls(folder)
        if 1 not in without:
            copy.change(
                "chalicelib/domain/platforms/platform.py", _LAST, f'{_LAST}    PICNIC = "picnic"\n'
            )
        for step in set(_PARTS).difference(without):
            shutil.copytree(_ADDED / _PARTS[step], folder / _PARTS[step], dirs_exist_ok=True)
        if 4 not in without:
            copy.change(_NOES, _FORMS, _FORMS + _FORM)
        if 5 not in without:
            copy.change(_ABSENCE, _ROWS, _ROWS + _ROW)
            copy.change(_TIMES, _SAID, _SAID + _READ)
            copy.make("docs/openapi.json", "chalicelib.api")
            copy.make("client/goldenhour/models/options.py", "infra.client", "options")
            copy.make("docs/connectors.md", "tests.connectors.proofs")
            copy.make("docs/connectors/refusals.md", "tests.connectors.proofs.refusals")
            copy.make("docs/connectors/versions.md", "tests.connectors.proofs.versions")
            copy.run("-m", "tests.repository.docs.tables")
        return copy

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTEST_XDIST_WORKER": ""}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
        )

    def test(self, *which: str) -> subprocess.CompletedProcess[str]:
        """Run tests of the copy."""
        return self.run("-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", *which)

    def make(self, name: str, module: str, *arguments: str) -> None:
        """Write a file that a program prints."""
        (self.folder / name).unlink()
        (self.folder / name).write_text(self.run("-m", module, *arguments).stdout)

    def change(self, name: str, before: str, after: str) -> None:
        """Put one text in another's place in a file."""
        place = self.folder / name
        text = place.read_text()
        place.unlink()
        place.write_text(text.replace(before, after))


_ignored = shutil.ignore_patterns("__pycache__", "picnic", "node_modules", ".hypothesis")
