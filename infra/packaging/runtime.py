"""What the Lambda runtime can load: wheels for its system, and no newer a C library than it has.

Python 3.13 runs on Amazon Linux 2023, whose glibc is 2.34; 3.11 runs on Amazon Linux 2 with 2.26,
for which there are no wheels of FFmpeg (docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html,
docs.aws.amazon.com/linux/al2023/ug/compare-with-al2.html). What packages is any machine.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection
from packaging.tags import Tag, compatible_tags, cpython_tags, parse_tag

Version = tuple[int, ...]

PYTHON: Final[Version] = (3, 13)
NAME: Final = "python" + ".".join(map(str, PYTHON))
ARCHITECTURE: Final = "arm64"
"""Where nobody asks for another: a fifth cheaper than x86 (docs/cost.md)."""
MACHINES: Final[Mapping[str, str]] = {"arm64": "aarch64", "x86_64": "x86_64"}
"""By Lambda's name of an architecture, that of wheels."""
GLIBC: Final[Version] = (2, 34)
SYSTEM_LIBRARIES: Final = frozenset(
    {
        *(
            "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1",
            "libc.so.6",
            "libdl.so.2",
            "libm.so.6",
            "libmvec.so.1",
        ),
        *("libpthread.so.0", "libresolv.so.2", "librt.so.1", "libutil.so.1"),
        *("libgcc_s.so.1", "libstdc++.so.6", "libz.so.1"),
    }
)
"""What Amazon Linux 2023 brings: glibc's own, GCC's, and zlib."""

_OLDEST_GLIBC = 17
_ELF = b"\x7fELF"


class RuntimeUnfitError(Exception):
    """The package would not load there; the message says what and why."""


def wheel_choice(python: Version = PYTHON, architecture: str = ARCHITECTURE) -> list[str]:
    """Return what tells pip to bring wheels for the runtime, whatever machine this is."""
    spelled = "".join(map(str, python))
    chosen = ["--only-binary", ":all:", "--implementation", "cp", "--abi", f"cp{spelled}"]
    chosen += ["--abi", "abi3", "--abi", "none", "--python-version", ".".join(map(str, python))]
    for system in (*_systems(architecture), "any"):
        chosen += ["--platform", system]
    return chosen


def uv_choice(python: Version = PYTHON, architecture: str = ARCHITECTURE) -> list[str]:
    """Return what tells uv the same."""
    system = "_".join(("manylinux", *map(str, GLIBC)))
    chosen = ["--only-binary", ":all:", "--python-version", ".".join(map(str, python))]
    return [*chosen, "--python-platform", f"{MACHINES[architecture]}-{system}"]


def require_fitting(
    folder: Path, python: Version = PYTHON, architecture: str = ARCHITECTURE
) -> None:
    """Raise RuntimeUnfitError unless every wheel in a folder says that it fits the runtime."""
    taken = fitting_tags(python, architecture)
    for file in sorted(folder.glob("*.dist-info/WHEEL")):
        lines = file.read_text(encoding="utf-8").splitlines()
        named = [line.partition(":")[2].strip() for line in lines if line.startswith("Tag:")]
        if not any(parse_tag(name) & taken for name in named):
            raise RuntimeUnfitError(
                f"{file.parent.name.removesuffix('.dist-info')} was made for {', '.join(named)}; "
                f"the functions run Python {'.'.join(map(str, python))} on Amazon Linux 2023, "
                f"{architecture}. "
                "Pin a version that has a wheel for it."
            )


def fitting_tags(python: Version = PYTHON, architecture: str = ARCHITECTURE) -> frozenset[Tag]:
    """Return the tags of the wheels that the runtime can load."""
    systems = _systems(architecture)
    interpreter = "cp" + "".join(map(str, python))
    return frozenset(
        (*cpython_tags(python, platforms=systems), *compatible_tags(python, interpreter, systems))
    )


def _systems(architecture: str) -> list[str]:
    """Return the platform tags up to the C library of Amazon Linux 2023, the newest first."""
    minors, machine = range(GLIBC[1], _OLDEST_GLIBC - 1, -1), MACHINES[architecture]
    return [*(f"manylinux_2_{minor}_{machine}" for minor in minors), f"manylinux2014_{machine}"]


def require_loadable(archive: Path) -> None:
    """Raise RuntimeUnfitError if a library in an archive needs what is not there.

    That is a newer glibc, or another library that neither the archive nor the system brings.
    """
    newest = max(_needs(archive), default=None)
    if newest is not None and newest[0] > GLIBC:
        needed = ".".join(map(str, newest[0]))
        raise RuntimeUnfitError(
            f"{newest[1]} in {archive.name} needs glibc {needed}; Amazon Linux 2023 has "
            f"{'.'.join(map(str, GLIBC))}. Pin a version with a wheel for an older system."
        )
    for name, missing in _missing(archive):
        raise RuntimeUnfitError(
            f"{name} in {archive.name} needs {missing}, which neither its wheel nor Amazon Linux "
            "2023 brings. Pin a version whose wheel carries it."
        )


def _missing(archive: Path) -> Iterator[tuple[str, str]]:
    """Yield each file that needs a library, and the library, that is nowhere."""
    with zipfile.ZipFile(archive) as packed:
        brought = {name.rpartition("/")[2] for name in packed.namelist()}
        for entry in packed.infolist():
            needed = _needed_by(packed.read(entry), entry.filename)
            for library in sorted(needed - brought - SYSTEM_LIBRARIES):
                yield entry.filename, library


def _needed_by(data: bytes, name: str) -> set[str]:
    if not data.startswith(_ELF):
        return set()
    try:
        return {
            str(tag.needed).rpartition("/")[2]  # type: ignore[attr-defined]  # made as it is read
            for section in ELFFile(io.BytesIO(data)).iter_sections()
            if isinstance(section, DynamicSection)
            for tag in section.iter_tags("DT_NEEDED")
        }
    except ELFError as error:
        raise RuntimeUnfitError(f"{name} cannot be read as a library ({error}).") from error


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
