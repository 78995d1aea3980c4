"""What Lambda gets: the app without its command line and local stack, packaged by chalice.

`deploy` and the deployment tests call `package`. Chalice's zip carries the pinned libraries of
`requirements.txt`; chalice itself adds only its runtime, so its own dependencies stay out.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from infra.bytecode import compile_archive
from infra.media_layer import layer_archive, without_layer
from infra.merging import Template
from infra.runtime import require_loadable

PROJECT = Path(__file__).parents[1]
_CODE = ("app.py", ".chalice")
_NOT_IN_LAMBDA = (
    "chalicelib/cli",
    "chalicelib/local",
    "chalicelib/__main__.py",
    "chalicelib/bootstrap/operator.py",
    "chalicelib/bootstrap/stage.py",
)
_BROUGHT_BY_CHALICE = "chalice=="


class PackagingError(Exception):
    """Chalice could not make the package; the message is what it said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A deployment package, the layer beside it, and the template that chalice made for it."""

    archive: Path
    layer: Path | None
    template: Template


def package(stage: str, folder: Path, *, requirements: str, region: str) -> Package:
    """Package the app for a stage below a folder that is ours. Raises PackagingError."""
    source, output = folder / "project", folder / "package"
    shutil.rmtree(source, ignore_errors=True)
    _copy_code(source)
    (source / "requirements.txt").write_text(without_layer(requirements), encoding="utf-8")
    constraints = folder / "constraints.txt"
    constraints.write_text(pinned_versions(), encoding="utf-8")
    environment = {
        **os.environ,
        "AWS_DEFAULT_REGION": region,
        "GOLDENHOUR_RESOURCE_PREFIX": f"goldenhour-{stage}",
        "PIP_CONSTRAINT": str(constraints),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    chalice = str(Path(sys.executable).with_name("chalice"))
    command = [chalice, "package", "--stage", stage, str(output)]
    made = subprocess.run(  # noqa: S603 - our own arguments
        command, cwd=source, env=environment, capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise PackagingError(made.stdout + made.stderr)
    compile_archive(output / "deployment.zip", folder / "unpacked")
    template = json.loads((output / "sam.json").read_text(encoding="utf-8"))
    require_loadable(output / "deployment.zip")
    layer = layer_archive(folder / "media", requirements, pinned_versions())
    return Package(archive=output / "deployment.zip", layer=layer, template=template)


def lambda_requirements() -> str:
    """Return the libraries that go to Lambda, in the zip or in the layer."""
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith(_BROUGHT_BY_CHALICE)) + "\n"


def pinned_versions() -> str:
    """Return the version of everything, so that what those libraries pull in is pinned as well."""
    lines = (PROJECT / "requirements-run.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if "==" in line and not line.startswith("#")) + "\n"


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
