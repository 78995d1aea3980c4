"""Brings the pinned libraries for Lambda's runtime, whatever machine packages.

They are wheels for the runtime's Python and system, each held against its hashes in
`requirements.lock`. FFmpeg and Pillow weigh twice as much as everything else: they go into a
layer, which only the functions carry that need them.
"""

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from infra.packaging.archive import write_archive
from infra.packaging.bytecode import LAYER, TASK, compile_folder
from infra.packaging.models import trim_models
from infra.packaging.runtime import (
    ARCHITECTURE,
    MACHINES,
    PYTHON,
    Version,
    require_fitting,
    require_loadable,
)
from infra.packaging.wheels import unpack_wheels

PROJECT: Final = Path(__file__).parents[2]
IN_LAYER: Final = frozenset({"av", "pillow"})
# Chalice adds its own runtime to the zip; what it needs to package stays here.
_NOT_IN_LAMBDA: Final = frozenset({"chalice"})
_NAME = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==")


@dataclass(frozen=True, slots=True, kw_only=True)
class Libraries:
    """What is unpacked beside the app, and the layer's zip, for one Python and architecture."""

    folder: Path
    layer: Path
    python: Version
    architecture: str = ARCHITECTURE


def bring_libraries(
    folder: Path, python: Version = PYTHON, architecture: str = ARCHITECTURE
) -> Libraries:
    """Install everything below a folder that is ours. Raises LibrariesError, RuntimeUnfitError."""
    beside, layer = folder / "task", folder / "layer"
    for place in (beside, layer):
        shutil.rmtree(place, ignore_errors=True)
    wanted = _wanted() - _NOT_IN_LAMBDA
    runtime = python, architecture
    _install(pulled_in(wanted - IN_LAYER, *runtime), beside, *runtime)
    trim_models(beside / "botocore" / "data")
    _install(pulled_in(IN_LAYER, *runtime), layer / "python", *runtime)
    compile_folder(beside, python, placed=TASK)
    compile_folder(layer, python, placed=LAYER)
    archive = folder / "layer.zip"
    write_archive(layer, archive)
    require_loadable(archive)
    return Libraries(folder=beside, layer=archive, python=python, architecture=architecture)


def pulled_in(
    names: Iterable[str], python: Version, architecture: str = ARCHITECTURE
) -> frozenset[str]:
    """Return these packages and all that they need on Lambda, by their canonical names."""
    found: set[str] = set()
    waiting: list[str] = [canonicalize_name(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_needs(name, python, MACHINES[architecture]))
    return frozenset(found)


def locked(names: Iterable[str]) -> str:
    """Return the lines of `requirements.lock` that pin these packages, with their hashes."""
    blocks: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (PROJECT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if found := _NAME.match(line):
            lines = blocks.setdefault(canonicalize_name(found[1]), [])
        lines.append(line)
    return "".join("\n".join(blocks[canonicalize_name(name)]) + "\n" for name in sorted(names))


def _wanted() -> frozenset[str]:
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(canonicalize_name(found[1]) for line in lines if (found := _NAME.match(line)))


def _needs(name: str, python: Version, machine: str) -> list[str]:
    spelled = ".".join(map(str, python))
    lambdas = {
        "extra": "",
        "python_version": spelled,
        "python_full_version": f"{spelled}.0",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
    }
    needs = map(Requirement, distribution(name).requires or ())
    return [
        canonicalize_name(need.name)
        for need in needs
        if need.marker is None or need.marker.evaluate(lambdas)
    ]


def _install(names: Iterable[str], target: Path, python: Version, architecture: str) -> None:
    wanted = target.parent / f"{target.name}.txt"
    wanted.parent.mkdir(parents=True, exist_ok=True)
    wanted.write_text(locked(names), encoding="utf-8")
    unpack_wheels(wanted, target, python, architecture)
    wanted.unlink()
    require_fitting(target, python, architecture)
