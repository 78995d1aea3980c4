"""LocalStack's own virtual environment, and what it would download, laid where it looks first.

LocalStack downloads what is missing in its folder of packages: a Java 21 and DynamoDB Local. Both
are on this machine already (`tests/servers/dynamodb_local`), so they are put there instead.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.servers.dynamodb_local.installation import PROJECT, NotInstallable, installed
from tests.servers.dynamodb_local.server import MAIN

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
_PYTHONS = ("3.13", "3.12")
_LONGEST_LINE = 70
_PACKAGES = Path("var/lib/localstack/lib")


def interpreter() -> Path:
    """Return the Python of LocalStack's environment, making it first. Raises NotInstallable."""
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]
    folder = PROJECT / "build" / f"localstack-{wanted}"
    folder.parent.mkdir(exist_ok=True)
    with (folder.parent / "localstack.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            _make_environment(folder)
    return folder / "bin" / "python"


def _make_environment(folder: Path) -> None:
    """Install everything that is pinned, several pips side by side as `make` does."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([_python(), "-m", "venv", str(folder)], check=True)
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
    running = [subprocess.Popen([*pip, *pins[start::4]]) for start in range(4)]
    ended = [each.wait() for each in running]
    if any(ended):
        raise NotInstallable("pip could not install LocalStack; what it said stands above.")
    (folder / "complete").touch()


def _python() -> str:
    """Return a Python that LocalStack 4.14 runs on. Raises NotInstallable."""
    for candidate in _candidates():
        asked = "import sys; print('%d.%d' % sys.version_info[:2])"
        try:
            said = subprocess.run(
                [candidate, "-c", asked], capture_output=True, text=True, check=False
            ).stdout.strip()
        except OSError:
            continue
        if said in _PYTHONS:
            return candidate
    raise NotInstallable(f"LocalStack 4.14 needs a Python {' or '.join(_PYTHONS)}; none is here.")


def _candidates() -> Iterator[str]:
    yield from (f"python{version}" for version in _PYTHONS)
    yield sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in _PYTHONS:
        yield from (str(found) for found in sorted(pyenv.glob(f"{version}.*/bin/python")))


def hand_over_packages(root: Path) -> None:
    """Put Java and DynamoDB Local where a LocalStack with this file system root looks for them."""
    jars, java = installed(), shutil.which("java")
    if java is None:
        raise NotInstallable("LocalStack's DynamoDB needs a JDK, 17 or later, and there is none.")
    packages = root / _PACKAGES
    dynamodb = packages / "dynamodb-local" / "2"
    dynamodb.mkdir(parents=True)
    (packages / "java").mkdir()
    (packages / "java" / "21").symlink_to(Path(java).resolve().parents[1])
    (dynamodb / "DynamoDBLocal_lib").symlink_to(jars)
    (agent,) = jars.glob("byte-buddy-agent-*.jar")
    (dynamodb / "ddb-local-loader-0.1.jar").symlink_to(agent)
    _write_launcher(dynamodb / "DynamoDBLocal.jar", jars)


def _write_launcher(jar: Path, jars: Path) -> None:
    """Write a jar that only names the main class and the class path, as Amazon's download does."""
    path = " ".join(f"DynamoDBLocal_lib/{each.name}" for each in sorted(jars.glob("*.jar")))
    lines = ["Manifest-Version: 1.0", f"Main-Class: {MAIN}", f"Class-Path: {path}"]
    folded = (part for line in lines for part in _folded(line))
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "".join(f"{part}\r\n" for part in folded))


def _folded(line: str) -> Iterator[str]:
    """Yield a manifest's line in pieces: none is longer than 72 bytes, the next begins blank."""
    yield line[:_LONGEST_LINE]
    for start in range(_LONGEST_LINE, len(line), _LONGEST_LINE):
        yield f" {line[start : start + _LONGEST_LINE]}"
