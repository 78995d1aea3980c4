"""What the Lambda runtime can load: wheels for its system, and no newer a C library than it has.

Python 3.12 and 3.13 run on Amazon Linux 2023, whose glibc is 2.34; 3.11 runs on Amazon Linux 2
with 2.26, for which there are no wheels of FFmpeg (docs.aws.amazon.com/lambda/latest/dg/
lambda-runtimes.html, docs.aws.amazon.com/linux/al2023/ug/compare-with-al2.html).
"""

import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

FIRST_PYTHON: Final = (3, 12)
LAST_PYTHON: Final = (3, 13)
GLIBC: Final = (2, 34)
_OLDEST_GLIBC = 17
_ELF = b"\x7fELF"

Version = tuple[int, ...]


class RuntimeUnfitError(Exception):
    """The package would not load there; the message says what and why."""


def require_runtime(python: Version = sys.version_info[:2]) -> None:
    """Raise RuntimeUnfitError unless Lambda runs this Python on Amazon Linux 2023."""
    if not FIRST_PYTHON <= python <= LAST_PYTHON:
        found = ".".join(map(str, python))
        raise RuntimeUnfitError(
            f"Lambda takes Python 3.12 or 3.13 for this service, and this is {found}: "
            "make PYTHON=python3.13 deploy STAGE=..."
        )


def wheel_choice(python: Version = sys.version_info[:2]) -> list[str]:
    """Return what tells pip to bring wheels for the runtime, whatever machine this is."""
    spelled = "".join(map(str, python))
    systems = [f"manylinux_2_{minor}_x86_64" for minor in range(GLIBC[1], _OLDEST_GLIBC - 1, -1)]
    chosen = ["--only-binary", ":all:", "--implementation", "cp", "--abi", f"cp{spelled}"]
    chosen += ["--abi", "abi3", "--abi", "none", "--python-version", ".".join(map(str, python))]
    for system in (*systems, "manylinux2014_x86_64", "any"):
        chosen += ["--platform", system]
    return chosen


def require_loadable(archive: Path) -> None:
    """Raise RuntimeUnfitError if a library in an archive needs a newer glibc than there is."""
    newest = max(_needs(archive), default=None)
    if newest is not None and newest[0] > GLIBC:
        needed = ".".join(map(str, newest[0]))
        raise RuntimeUnfitError(
            f"{newest[1]} in {archive.name} needs glibc {needed}; Amazon Linux 2023 has "
            f"{'.'.join(map(str, GLIBC))}. Pin a version with a wheel for an older system."
        )


def _needs(archive: Path) -> Iterator[tuple[Version, str]]:
    """Yield each version of glibc that is needed, and by which file."""
    with zipfile.ZipFile(archive) as packed:
        for entry in packed.infolist():
            with packed.open(entry) as file:
                if file.read(len(_ELF)) != _ELF:
                    continue
            for version in _glibc_of(packed.read(entry), entry.filename):
                yield version, entry.filename


def _glibc_of(data: bytes, name: str) -> Iterator[Version]:
    try:
        found = ELFFile(io.BytesIO(data))
        for section in found.iter_sections():
            if isinstance(section, GNUVerNeedSection):
                for _, versions in section.iter_versions():
                    yield from (_version(v.name) for v in versions if _is_numbered(v.name))
    except ELFError as error:
        raise RuntimeUnfitError(f"{name} cannot be read as a library ({error}).") from error


def _is_numbered(name: str) -> bool:
    return name.startswith("GLIBC_") and name.removeprefix("GLIBC_")[:1].isdigit()


def _version(name: str) -> Version:
    return tuple(int(part) for part in name.removeprefix("GLIBC_").split("."))
