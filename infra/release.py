"""`make release`: checks that a version can be released, builds its files and tags it.

The version is `VERSION` of `chalicelib/domain/version.py`, and its notes are its chapter of
CHANGELOG.md. Built into `build/release`: the wheels of service and client, an archive of the
sources from which the images of `infra/server` and `infra/front` are built, the list of the parts
(SBOM, CycloneDX) with their licences, and the checksums of all. Nothing is published: pushing the
tag and the files is a person's decision. The API's description is recorded as released: from then
on the gate lets nothing be taken away from it (`tests/api/description`).
"""

import gzip
import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from chalicelib.domain.version import VERSION
from infra.releasing.parts_list import parts_list
from infra.releasing.server_wheel import build_server_wheel

PROJECT: Final = Path(__file__).parents[1]
_CHAPTER: Final = re.compile(
    r"^## \[?(?P<name>[^\]\s]+)\]?(?: - (?P<day>\d{4}-\d\d-\d\d))?$", re.MULTILINE
)
_CLIENTS: Final = re.compile(r'^VERSION = "(.+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A version of the project in a checkout."""

    version: str = VERSION
    project: Path = PROJECT

    @property
    def tag(self) -> str:
        """Return the name of the tag."""
        return f"v{self.version}"

    def problems(self) -> Iterator[str]:
        """Yield each reason why this version cannot be released."""
        if self._git("status", "--porcelain"):
            yield "There are changes that are not committed."
        if self._git("tag", "--list", self.tag):
            yield f"{self.tag} is released already: raise VERSION in chalicelib/domain/version.py."
        transport = self.project / "client" / "goldenhour" / "http" / "transport.py"
        if _CLIENTS.findall(transport.read_text(encoding="utf-8")) != [self.version]:
            yield f"VERSION in {transport.relative_to(self.project)} is not {self.version}."
        chapters = [name for name, _ in self._chapters()]
        if self.version not in chapters:
            yield f"CHANGELOG.md has no chapter `## [{self.version}] - YYYY-MM-DD`."
        if chapters.count(self.version) > 1:
            yield f"CHANGELOG.md has several chapters of {self.version}: raise VERSION."
        if dict(self._chapters()).get("Unreleased"):
            yield f"CHANGELOG.md has lines under Unreleased: move them to {self.version}."

    def notes(self) -> str:
        """Return what the changelog says of this version."""
        return dict(self._chapters())[self.version]

    def archive(self, folder: Path) -> Path:
        """Pack the commit's files, from which the images are built; return the archive."""
        name = f"goldenhour-{self.version}"
        archive = folder / f"{name}.tar.gz"
        self._git("archive", f"--prefix={name}/", f"--output={archive}", "HEAD")
        return archive

    def server_wheel(self, folder: Path) -> Path:
        """Build the service's wheel; return it."""
        return build_server_wheel(self.project, self.version, folder)

    def parts(self, folder: Path) -> Path:
        """Write the list of what the service's wheel brings along; return it."""
        written = folder / f"goldenhour-server-{self.version}.cdx.json"
        written.write_text(parts_list(self.project, self.version), encoding="utf-8")
        return written

    def wheel(self, folder: Path) -> Path:
        """Build the client's wheel; return it."""
        build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir"]
        client = str(self.project / "client")
        subprocess.run([*build, str(folder), client], check=True)  # noqa: S603 - our own arguments
        return folder / f"goldenhour-{self.version}-py3-none-any.whl"

    def sign(self, files: list[Path], folder: Path) -> Path:
        """Write the files' checksums beside them; return the list."""
        sums = folder / "SHA256SUMS"
        lines = (f"{_sha256(file)}  {file.name}\n" for file in files)
        sums.write_text("".join(lines), encoding="utf-8")
        return sums

    def mark(self) -> None:
        """Tag the commit with the notes."""
        message = f"goldenhour {self.version}\n\n{self.notes()}"
        self._git("tag", "--annotate", "--cleanup=verbatim", self.tag, "--message", message)

    def record(self) -> Path:
        """Keep the API's description as that of the release before; return where it is kept."""
        docs = self.project / "docs"
        kept = docs / "openapi-released.json.gz"
        described = (docs / "openapi.json").read_bytes()
        if not kept.exists() or gzip.decompress(kept.read_bytes()) != described:
            kept.write_bytes(gzip.compress(described, mtime=0))
        return kept

    def _chapters(self) -> list[tuple[str, str]]:
        """Return each version that the changelog dates, the unreleased too, and what it says."""
        text = (self.project / "CHANGELOG.md").read_text(encoding="utf-8")
        found = list(_CHAPTER.finditer(text))
        ends = [*(one.start() for one in found[1:]), len(text)]
        links = re.compile(r"^\[.+\]: .*$", re.MULTILINE)
        return [
            (one["name"], links.sub("", text[one.end() : end]).strip())
            for one, end in zip(found, ends, strict=True)
            if one["day"] or one["name"] == "Unreleased"
        ]

    def _git(self, *words: str) -> str:
        done = subprocess.run(  # noqa: S603 - our own arguments
            ["git", *words],  # noqa: S607 - whichever the person uses
            cwd=self.project,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@click.command()
def main() -> None:
    """Check, build and tag the version of this checkout."""
    release = Release()
    if problems := list(release.problems()):
        raise click.ClickException("Nothing was released.\n- " + "\n- ".join(problems))
    folder = PROJECT / "build" / "release"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    makes = (release.archive, release.server_wheel, release.wheel, release.parts)
    files = [make(folder) for make in makes]
    for file in (*files, release.sign(files, folder)):
        click.echo(f"built {file.relative_to(PROJECT)}")
    release.mark()
    recorded = release.record().relative_to(PROJECT)
    click.echo(f"{recorded} holds the API as released; commit it if it has changed")
    click.echo(f"tagged {release.tag}; to publish it: git push origin {release.tag}")


if __name__ == "__main__":
    main()
