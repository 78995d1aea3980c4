"""DynamoDB Local's files: what `pom.xml` names, copied by Maven into `build/` once.

Maven keeps what it downloads, so a second copy costs a few seconds and no network.
"""

import fcntl
import hashlib
import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[3]
POM = Path(__file__).with_name("pom.xml")
_NEEDED = {"mvn": "Maven", "java": "a JDK, 17 or later"}


class NotInstallable(Exception):
    """DynamoDB Local cannot be had on this machine; the message says what is missing."""


def installed() -> Path:
    """Return the folder of DynamoDB Local's files, filling it first. Raises NotInstallable.

    The folder is named after the contents of `pom.xml`, so another version gets another one.
    """
    folder = PROJECT / "build" / f"dynamodb-local-{_fingerprint()}"
    folder.parent.mkdir(exist_ok=True)
    with (folder.parent / "dynamodb-local.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not folder.is_dir():
            _copy_to(folder)
    return folder


def _fingerprint() -> str:
    return hashlib.sha256(POM.read_bytes()).hexdigest()[:12]


def _copy_to(folder: Path) -> None:
    missing = [said for program, said in _NEEDED.items() if shutil.which(program) is None]
    if missing:
        raise NotInstallable(f"DynamoDB Local needs {' and '.join(missing)}, and there is none.")
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    ran = subprocess.run(
        [
            *("mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "--file", str(POM)),
            *("dependency:copy-dependencies", f"-DoutputDirectory={unfinished}"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise NotInstallable(f"Maven could not fetch DynamoDB Local:\n{ran.stdout}{ran.stderr}")
    unfinished.rename(folder)
