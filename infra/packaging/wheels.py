"""Unpacks pinned wheels for the runtime, held against their hashes: by uv, or else by pip.

uv takes one second of processor where pip takes fifteen. Where it is not there, or does not reach
the package index that pip reaches, pip does the same (as in the Makefile).
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from infra.packaging.runtime import Version, uv_choice, wheel_choice

UV: Final = Path(sys.executable).with_name("uv")
_ALWAYS: Final = ("--quiet", "--no-deps", "--require-hashes")
_TELLS_WHO_INSTALLED: Final = ("INSTALLER", "RECORD", "REQUESTED")


class LibrariesError(Exception):
    """Nothing could bring the libraries; the message is what pip said."""


def unpack_wheels(
    wanted: Path, target: Path, python: Version, architecture: str, *, uv: Path = UV
) -> None:
    """Unpack what a file of requirements names below a folder. Raises LibrariesError.

    Who did it is not kept: the same wheels make the same archive.
    """
    target.mkdir(parents=True)
    where = ["--target", str(target), "-r", str(wanted)]
    # uv's cache has the very files of every environment that it made: who edits one edits them.
    by_uv = [str(uv), "pip", "install", "--python", sys.executable, "--no-cache"]
    by_pip = [sys.executable, "-m", "pip", "install", "--no-compile"]
    if not uv.exists() or _run([*by_uv, *uv_choice(python, architecture), *where]).returncode:
        shutil.rmtree(target)
        target.mkdir()
        made = _run([*by_pip, *wheel_choice(python, architecture), *where])
        if made.returncode:
            raise LibrariesError(made.stdout + made.stderr)
    shutil.rmtree(target / "bin", ignore_errors=True)
    (target / ".lock").unlink(missing_ok=True)
    for name in _TELLS_WHO_INSTALLED:
        for file in target.glob(f"*.dist-info/{name}"):
            file.unlink()


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    index = os.environ.get("PIP_INDEX_URL")
    environment = {
        **os.environ,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "UV_SYSTEM_CERTS": "1",
        **({} if index is None else {"UV_DEFAULT_INDEX": index}),
    }
    return subprocess.run(  # noqa: S603 - our own arguments
        [*command, *_ALWAYS], env=environment, capture_output=True, text=True, check=False
    )
