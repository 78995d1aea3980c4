"""`.ci/run` with a stand-in for make: every step runs, none is hidden, outputs do not mix."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ALONE = ("test-oracles", "test-moto")
"""What brings no package of an index, before it runs or while it does."""
STEPS = (
    *("check", "test-bare", "test-pythons", "test-browser", "deploy-check", "test-client"),
    *ALONE,
)
NO_NAMESPACES = "every step had the network of this machine"
WITH_MAVEN, WITH_NODE, WITH_LOCALSTACK = "test-dynamodb", "test-node", "test-localstack-alone"
CHROMIUM = ("chromium", "chromium-headless-shell")
EVERYTHING = ("node", "npm", "mvn", "java", "python3.13")
STAND_IN = """#!/bin/sh
cat /proc/net/route >"routes-of-$1"
echo "$1 begins"; sleep 0.05; echo "$1 ends"
case " $FAILING " in *" $1 "*) exit 2;; esac
"""


def a_checkout(path: Path, *programs: str) -> Path:
    """Make a folder with the gate, on a machine that has these programs and little else."""
    (path / ".ci").mkdir()
    for script in ("run", "offline"):
        shutil.copy2(PROJECT / ".ci" / script, path / ".ci")
    found = path / "programs"
    found.mkdir()
    for name in ("make", *CHROMIUM, "exiftool", "ffprobe", *programs):
        (found / name).write_text(STAND_IN, encoding="utf-8")
        (found / name).chmod(0o755)
    own = ("bash", "sh", "cat", "dirname", "flock", "grep", "id", "mkdir", "rm")
    for name in (*own, "sleep", "tee", "timeout", "unshare", "xargs"):
        if (program := shutil.which(name)) is not None:
            (found / name).symlink_to(program)
    (found / "python3").symlink_to(Path(sys.executable).resolve())
    return path


def run(checkout: Path, failing: str = "") -> subprocess.CompletedProcess[str]:
    """Run the gate."""
    environment = {
        "PATH": str(checkout / "programs"),
        "FAILING": failing,
        "HOME": os.environ["HOME"],
        "PYENV_ROOT": str(checkout / "no pyenv"),
    }
    command = [str(checkout / ".ci" / "run")]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=240
    )


def test_every_step_runs_and_is_printed_whole(tmp_path: Path) -> None:
    done = run(a_checkout(tmp_path, *EVERYTHING))

    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    for step in (*STEPS, WITH_MAVEN, WITH_NODE, WITH_LOCALSTACK):
        begun = lines.index(f"{step} begins")
        assert lines[begun + 1] == f"{step} ends"
        assert lines.count(f"{step} begins") == 1
        assert any(line.startswith(f"make {step} passed after ") for line in lines)


@pytest.mark.parametrize("failing", ["check", "test-browser", WITH_NODE])
def test_a_step_that_fails_is_named_and_the_others_still_run(tmp_path: Path, failing: str) -> None:
    done = run(a_checkout(tmp_path, "node", "npm"), failing)

    told = [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("make ")]
    assert done.returncode == 1
    assert [failing, "FAILED"] in told
    assert len(told) == len(STEPS) + 1
    assert [said for _, said in told].count("FAILED") == 1


def test_what_needs_no_package_index_has_loopback_alone(tmp_path: Path) -> None:
    checkout = a_checkout(tmp_path, *EVERYTHING)
    here = Path("/proc/net/route").read_text(encoding="utf-8").splitlines()

    done = run(checkout)

    if NO_NAMESPACES in done.stdout:
        pytest.skip("Linux allows no network namespace here.")
    for step in (*STEPS, WITH_MAVEN, WITH_NODE, WITH_LOCALSTACK):
        routes = (checkout / f"routes-of-{step}").read_text(encoding="utf-8").splitlines()
        assert routes == (here[:1] if step in ALONE else here), step


def test_what_cannot_run_here_is_said(tmp_path: Path) -> None:
    checkout = a_checkout(tmp_path, "java")
    (checkout / "programs" / "unshare").unlink()

    done = run(checkout)

    assert done.returncode == 0
    assert NO_NAMESPACES in done.stdout
    assert "test-dynamodb was not run: Maven and a JDK are needed" in done.stdout
    assert f"{WITH_LOCALSTACK} was not run: Python 3.13 or 3.12, Maven and a JDK" in done.stdout
    assert "test-node was not run: Node.js and npm are needed" in done.stdout
