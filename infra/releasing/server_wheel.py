"""The service as a wheel, `goldenhour-server`: the commit's files in a folder of their own.

The books come along as the site that is served at `/docs`.

Pinned is what the tests ran with, all of `requirements-run.txt`: a wheel names versions, no hashes.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wheel.wheelfile import WheelFile

from infra.docs_site.building import build as build_docs

NAME: Final = "goldenhour-server"
_PACKAGE: Final = "goldenhour_server"
_SERVICE: Final = ("app.py", ".chalice", "chalicelib", "infra/resources.json")
_LICENCES: Final = ("LICENSE", "NOTICE")
_ENTRY: Final = Path(__file__).with_name("entry.py")


def build_server_wheel(project: Path, version: str, folder: Path) -> Path:
    """Build the wheel of a checkout's committed files; return it."""
    wheel = folder / f"{_PACKAGE}-{version}-py3-none-any.whl"
    with tempfile.TemporaryDirectory() as made_in:
        laid_out = Path(made_in)
        _lay_out(project, laid_out / _PACKAGE)
        _describe(project, version, laid_out / f"{_PACKAGE}-{version}.dist-info")
        with WheelFile(str(wheel), "w") as packed:
            packed.write_files(made_in)
    return wheel


def _lay_out(project: Path, package: Path) -> None:
    for name in _tracked(project):
        _copy(project / name, package / "service" / name)
    build_docs(package / "service" / "build" / "docs", project)
    (package / "__init__.py").write_text('"""The service goldenhour, installed."""\n', "utf-8")
    _copy(_ENTRY, package / "__main__.py")


def _describe(project: Path, version: str, dist_info: Path) -> None:
    for name in _LICENCES:
        _copy(project / name, dist_info / "licenses" / name)
    (dist_info / "METADATA").write_text(_metadata(project, version), "utf-8")
    (dist_info / "WHEEL").write_text(
        "Wheel-Version: 1.0\nGenerator: goldenhour\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "utf-8",
    )
    (dist_info / "entry_points.txt").write_text(
        f"[console_scripts]\n{NAME} = {_PACKAGE}.__main__:main\n", "utf-8"
    )


def _metadata(project: Path, version: str) -> str:
    always = list(pinned(project / "requirements-run.txt"))
    named = pinned(project / "requirements-telemetry.txt")
    telemetry = [wanted for wanted in named if wanted not in always]
    said = [
        "Metadata-Version: 2.4",
        f"Name: {NAME}",
        f"Version: {version}",
        "Summary: Schedules and publishes social posts: the whole service on one machine",
        "Requires-Python: >=3.11",
        "License-Expression: Apache-2.0",
        *(f"License-File: {name}" for name in _LICENCES),
        *(f"Requires-Dist: {wanted}" for wanted in always),
        "Provides-Extra: telemetry",
        *(f'Requires-Dist: {wanted}; extra == "telemetry"' for wanted in telemetry),
    ]
    return "\n".join(said) + "\n"


def pinned(requirements: Path) -> Iterator[str]:
    """Yield what a requirements file and those that it names pin."""
    for line in requirements.read_text(encoding="utf-8").splitlines():
        wanted = line.partition("#")[0].strip()
        if wanted.startswith("-r "):
            yield from pinned(requirements.parent / wanted.removeprefix("-r "))
        elif wanted:
            yield wanted


def _tracked(project: Path) -> list[str]:
    done = subprocess.run(  # noqa: S603 - our own arguments
        ["git", "ls-files", "-z", *_SERVICE],  # noqa: S607 - whichever the person uses
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split("\0")[:-1]


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())
