"""What is packaged for Lambda loads there: its Python, its wheels, its C library."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from infra.runtime import (
    RuntimeUnfitError,
    require_loadable,
    require_runtime,
    wheel_choice,
)


@pytest.mark.parametrize("python", [(3, 12), (3, 13)])
def test_pythons_on_amazon_linux_2023_are_taken(python: tuple[int, int]) -> None:
    require_runtime(python)


@pytest.mark.parametrize("python", [(3, 11), (3, 14)])
def test_other_pythons_are_refused_by_name(python: tuple[int, int]) -> None:
    with pytest.raises(RuntimeUnfitError, match=f"this is 3.{python[1]}"):
        require_runtime(python)


def test_wheels_are_chosen_for_the_runtime_and_not_for_this_machine() -> None:
    chosen = wheel_choice((3, 13))

    assert ["--python-version", "3.13"] == chosen[chosen.index("--python-version") :][:2]
    systems = [chosen[place + 1] for place, word in enumerate(chosen) if word == "--platform"]
    assert systems[0] == "manylinux_2_34_x86_64"
    assert "manylinux_2_35_x86_64" not in systems


def _zipped(folder: Path, *files: Path) -> Path:
    archive = folder / "layer.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("readme.txt", "no library")
        for file in files:
            packed.write(file, file.name)
    return archive


def _library(folder: Path, version: str) -> Path:
    """Return a library that needs a symbol of a version of glibc that does not exist yet."""
    name = version.replace(".", "_")
    (folder / "stub.c").write_text("void bread_symbol(void) {}\n")
    (folder / "stub.map").write_text(f"GLIBC_{version} {{ global: bread_symbol; local: *; }};\n")
    (folder / "user.c").write_text(
        "void bread_symbol(void);\nvoid bread(void) { bread_symbol(); }\n"
    )
    stub, user = folder / f"libstub{name}.so", folder / f"user{name}.so"
    script = f"-Wl,--version-script={folder / 'stub.map'}"
    compiled = ["cc", "-shared", "-fPIC", "-nostdlib"]
    subprocess.run([*compiled, script, "-o", stub, folder / "stub.c"], check=True)
    subprocess.run([*compiled, "-o", user, folder / "user.c", stub], check=True)
    return user


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux makes such libraries.")
def test_a_library_that_needs_a_newer_c_library_is_refused_by_name(tmp_path: Path) -> None:
    require_loadable(_zipped(tmp_path, _library(tmp_path, "2.34")))

    with pytest.raises(RuntimeUnfitError, match=r"user2_35\.so in layer\.zip needs glibc 2\.35"):
        require_loadable(_zipped(tmp_path, _library(tmp_path, "2.35")))


def test_a_library_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    cut = tmp_path / "cut.so"
    cut.write_bytes(b"\x7fELF\x02\x01\x01")

    with pytest.raises(RuntimeUnfitError, match="cannot be read"):
        require_loadable(_zipped(tmp_path, cut))
