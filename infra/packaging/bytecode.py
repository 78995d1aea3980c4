"""Compiles what Lambda gets beforehand: a cold start then spends half the CPU time.

Lambda's folders are read-only, so without this every new process compiles every module that it
imports. Only an interpreter of the runtime's own version makes bytecode that fits; unchecked
hashes keep it valid whatever the files' dates become.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from infra.packaging.runtime import Version

TASK: Final = "/var/task"
LAYER: Final = "/opt"
_ASKS: Final = "import sys; print(*sys.version_info[:2])"


def find_python(version: Version) -> str | None:
    """Return an interpreter of this version, if this machine has one."""
    if sys.version_info[:2] == version:
        return sys.executable
    return next((one for one in _candidates(version) if _is(one, version)), None)


def compile_folder(folder: Path, python: Version, *, placed: str) -> None:
    """Put bytecode beside the sources of a folder, which Lambda unpacks at `placed`.

    Nothing is done where this machine has no interpreter of that version.
    """
    interpreter = find_python(python)
    if interpreter is None:
        return
    command = [interpreter, "-I", "-m", "compileall", "-qq", "-j", "2", "-s", str(folder)]
    command += ["-p", placed, "--invalidation-mode", "unchecked-hash", str(folder)]
    # Some libraries carry files that are no Python of any version; compileall says so by status.
    subprocess.run(command, check=False)  # noqa: S603 - our own arguments


def _candidates(version: Version) -> Iterator[str]:
    name = f"python{_spelled(version)}"
    if found := shutil.which(name):
        yield found
    by_pyenv = Path.home() / ".pyenv" / "versions"
    yield from map(str, sorted(by_pyenv.glob(f"{_spelled(version)}.*/bin/{name}")))


def _is(interpreter: str, version: Version) -> bool:
    """Tell whether it runs and is of this version: a stand-in of pyenv may do neither."""
    asked = subprocess.run(  # noqa: S603 - our own arguments
        [interpreter, "-I", "-c", _ASKS], capture_output=True, text=True, check=False
    )
    return asked.returncode == 0 and asked.stdout.split() == [str(part) for part in version]


def _spelled(version: Version) -> str:
    return ".".join(map(str, version))
