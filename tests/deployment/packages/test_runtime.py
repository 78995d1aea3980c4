"""What is packaged for Lambda loads there: its Python, its wheels, its C library."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from infra.packaging.libraries import IN_LAYER, locked, pulled_in
from infra.packaging.runtime import (
    RuntimeUnfitError,
    require_fitting,
    require_loadable,
    wheel_choice,
)


@pytest.mark.parametrize(("architecture", "machine"), [("arm64", "aarch64"), ("x86_64", "x86_64")])
def test_wheels_are_chosen_for_the_runtime_and_not_for_this_machine(
    architecture: str, machine: str
) -> None:
    chosen = wheel_choice((3, 13), architecture)

    assert ["--python-version", "3.13"] == chosen[chosen.index("--python-version") :][:2]
    systems = [chosen[place + 1] for place, word in enumerate(chosen) if word == "--platform"]
    assert systems[0] == f"manylinux_2_34_{machine}"
    assert f"manylinux_2_35_{machine}" not in systems
    assert all(one.endswith(machine) for one in systems if one != "any")


def _zipped(folder: Path, *files: Path) -> Path:
    archive = folder / "layer.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("readme.txt", "no library")
        for file in files:
            packed.write(file, file.name)
    return archive


def _libraries(folder: Path, version: str) -> tuple[Path, Path]:
    """Return a library that needs a symbol of a version of glibc, and the one that has it."""
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
    return user, stub


@pytest.mark.compiler
@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux makes such libraries.")
def test_a_library_that_needs_a_newer_c_library_is_refused_by_name(tmp_path: Path) -> None:
    require_loadable(_zipped(tmp_path, *_libraries(tmp_path, "2.34")))

    with pytest.raises(RuntimeUnfitError, match=r"user2_35\.so in layer\.zip needs glibc 2\.35"):
        require_loadable(_zipped(tmp_path, *_libraries(tmp_path, "2.35")))


@pytest.mark.compiler
@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux makes such libraries.")
def test_a_library_that_needs_another_which_nobody_brings_is_refused(tmp_path: Path) -> None:
    user, stub = _libraries(tmp_path, "2.34")

    with pytest.raises(RuntimeUnfitError, match=rf"{user.name} in layer.zip needs {stub.name}"):
        require_loadable(_zipped(tmp_path, user))


def test_a_library_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    cut = tmp_path / "cut.so"
    cut.write_bytes(b"\x7fELF\x02\x01\x01")

    with pytest.raises(RuntimeUnfitError, match="cannot be read"):
        require_loadable(_zipped(tmp_path, cut))


@pytest.mark.parametrize(
    ("tag", "fits"),
    [
        ("cp313-cp313-manylinux_2_28_x86_64", True),
        ("cp311-abi3-manylinux2014_x86_64", True),
        ("py3-none-any", True),
        ("cp313-cp313-manylinux_2_35_x86_64", False),
        ("cp311-cp311-manylinux_2_28_x86_64", False),
        ("cp313-cp313-manylinux_2_28_aarch64", False),
        ("cp313-cp313-musllinux_1_2_x86_64", False),
        ("cp313-cp313-macosx_11_0_arm64", False),
    ],
)
def test_a_wheel_for_another_python_or_system_is_refused(
    tmp_path: Path, tag: str, *, fits: bool
) -> None:
    about = tmp_path / "bread-1.0.dist-info"
    about.mkdir()
    (about / "WHEEL").write_text(f"Wheel-Version: 1.0\nTag: {tag}\n", encoding="utf-8")

    if fits:
        require_fitting(tmp_path, (3, 13), "x86_64")
    else:
        with pytest.raises(RuntimeUnfitError, match=r"bread-1\.0 was made for"):
            require_fitting(tmp_path, (3, 13), "x86_64")


def test_what_a_library_needs_depends_on_the_runtime_and_not_on_this_python() -> None:
    on_3_13 = pulled_in(["requests", "pydantic"], (3, 13))

    assert {"requests", "urllib3", "certifi", "pydantic-core"} <= on_3_13
    assert not on_3_13 & {"colorama", "chalice"}


def test_everything_that_is_packaged_is_locked_with_hashes() -> None:
    wanted = pulled_in([*IN_LAYER, "boto3", "cryptography"], (3, 13))

    for block in locked(wanted).split("\n\n"):
        assert "--hash=sha256:" in block
    assert len(wanted) == locked(wanted).count("==")
