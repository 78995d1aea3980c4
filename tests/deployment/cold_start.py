"""What it takes until a function is ready, in processes that see nothing but a folder.

CPU time, not the clock's: this machine is shared, and on Lambda too a start is CPU-bound. It is a
figure to look at, held against the floor of chalice with one boto3 client.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from infra.packaging import PROJECT, lambda_requirements, pinned_versions

ROUNDS = 3
FLOOR = "import chalice.app, boto3; boto3.client('dynamodb')"
FUNCTIONS: Final = {
    "api_handler": "import app; app.pipeline()",
    "tick": "import app; app.deployment().dispatcher",
    "publish": "import app; app.deployment().fire_worker, app.deployment().engine_switch",
    "convert": "import app; app.deployment().convert_worker",
    "prepare": "import app; app.deployment().publish_worker, app.deployment().engine_switch",
    "finish_uploads": "import app; app.deployment().upload_worker",
    "collect": "import app; app.deployment().metrics_worker",
    "review": "import app; app.deployment().retention, app.deployment().token_renewal",
}
_OTHERS = ("3.12", "3.13", "3.14")
_ENVIRONMENT: Final = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def cold_start_ms(
    folder: Path,
    start: str,
    interpreter: str = sys.executable,
    *,
    layers: tuple[Path, ...] = (),
) -> float:
    """Return the CPU milliseconds of a new process that runs `start` with only these folders."""
    seen = [str(one) for one in (folder, *layers)]
    code = f"import sys; sys.path[:0] = {seen!r}; {start}"
    return min(_cpu_ms([interpreter, "-I", "-S", "-c", code]) for _ in range(ROUNDS))


def _cpu_ms(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, env=_ENVIRONMENT, check=True, stderr=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system
    return 1000 * (used - before.children_user - before.children_system)


def interpreters() -> Iterator[tuple[str, str]]:
    """Yield the other Pythons of Lambda that this machine has."""
    for version in _OTHERS:
        by_pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
        candidates = [*map(str, by_pyenv), f"python{version}"]
        works = (one for one in candidates if _works(one))
        if found := next(works, None):
            yield version, found


def _works(interpreter: str) -> bool:
    if shutil.which(interpreter) is None:
        return False
    command = [interpreter, "-m", "pip", "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def install(interpreter: str, folder: Path) -> Path:
    """Put the app and its libraries into a folder, as a zip for this interpreter would."""
    folder.mkdir()
    wanted, pinned = folder / "requirements.txt", folder / "constraints.txt"
    wanted.write_text(lambda_requirements() + "chalice\n", encoding="utf-8")
    pinned.write_text(pinned_versions(), encoding="utf-8")
    pip = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    chosen = ["--only-binary", ":all:", "-r", str(wanted), "-c", str(pinned)]
    subprocess.run([*pip, *chosen, "--target", str(folder)], check=True)
    shutil.copy2(PROJECT / "app.py", folder)
    shutil.copytree(PROJECT / "chalicelib", folder / "chalicelib")
    return folder
