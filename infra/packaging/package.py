"""What Lambda gets: the app without its command line and local stack, packaged by chalice.

`deploy` and the deployment tests call `package`. Chalice packages the app alone, with its own
runtime; the libraries that `libraries.bring_libraries` brought are put beside it.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from infra.packaging.archive import write_archive
from infra.packaging.bytecode import TASK, compile_folder
from infra.packaging.libraries import PROJECT, Libraries
from infra.packaging.runtime import ARCHITECTURE, require_loadable
from infra.template.merging import Template

_CODE = ("app.py", ".chalice")
_NOT_IN_LAMBDA = (
    "chalicelib/cli",
    "chalicelib/local",
    "chalicelib/__main__.py",
    "chalicelib/doctor/stages.py",
)


class PackagingError(Exception):
    """Chalice could not make the package; the message is what it said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A deployment package, the layer beside it, and the template that chalice made for it."""

    archive: Path
    layer: Path | None
    template: Template
    architecture: str = ARCHITECTURE


def package(
    stage: str, folder: Path, *, region: str, libraries: Libraries | None = None
) -> Package:
    """Package the app for a stage below a folder that is ours. Raises PackagingError.

    Without libraries the zip holds the app alone, compiled for this Python: for tests.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source, output, unpacked = folder / "project", folder / "package", folder / "unpacked"
    for place in (source, unpacked):
        shutil.rmtree(place, ignore_errors=True)
    _copy_code(source)
    (source / "requirements.txt").write_text("", encoding="utf-8")
    _run_chalice(stage, source, output, region)
    archive = output / "deployment.zip"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(unpacked)
    python = libraries.python if libraries else sys.version_info[:2]
    compile_folder(unpacked, python, placed=TASK)
    if libraries is not None:
        shutil.copytree(libraries.folder, unpacked, dirs_exist_ok=True)
    write_archive(unpacked, archive)
    require_loadable(archive)
    template = json.loads((output / "sam.json").read_text(encoding="utf-8"))
    if libraries is None:
        return Package(archive=archive, layer=None, template=template)
    built_for = libraries.architecture
    return Package(
        archive=archive, layer=libraries.layer, template=template, architecture=built_for
    )


def _run_chalice(stage: str, source: Path, output: Path, region: str) -> None:
    environment = {
        **os.environ,
        "AWS_DEFAULT_REGION": region,
        "GOLDENHOUR_RESOURCE_PREFIX": f"goldenhour-{stage}",
    }
    chalice = str(Path(sys.executable).with_name("chalice"))
    command = [chalice, "package", "--stage", stage, str(output)]
    made = subprocess.run(  # noqa: S603 - our own arguments
        command, cwd=source, env=environment, capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise PackagingError(made.stdout + made.stderr)


def _copy_code(target: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "deployments", "deployed")
    for name in _CODE:
        origin = PROJECT / name
        if origin.is_dir():
            shutil.copytree(origin, target / name, ignore=ignored)
        else:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy2(origin, target / name)
    shutil.copytree(PROJECT / "chalicelib", target / "chalicelib", ignore=ignored)
    for name in _NOT_IN_LAMBDA:
        unwanted = target / name
        if unwanted.is_dir():
            shutil.rmtree(unwanted)
        else:
            unwanted.unlink(missing_ok=True)
