"""The client installed as its users install it: a new environment, nothing of the server in it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from stack import REPOSITORY, Stack

LARGEST_BYTES = 25 * 1024 * 1024
"""All that the client and the command bring along; the server for assistants is an extra."""


@pytest.mark.install
@pytest.mark.costly
def test_a_new_environment_with_the_client_alone_lists_accounts_and_serves_assistants(
    stack: Stack, tmp_path: Path
) -> None:
    source = tmp_path / "client"
    shutil.copytree(REPOSITORY / "client", source, ignore=shutil.ignore_patterns("tests"))
    environment = tmp_path / "environment"
    make = [sys.executable, "-m", "venv", "--without-pip", str(environment)]
    subprocess.run(make, check=True)
    before = size_of(environment)

    took_s = install(environment, str(source))
    grown = size_of(environment) - before
    accounts = in_environment(environment, stack, "goldenhour", "accounts")
    without_extra = in_environment(environment, stack, "goldenhour", "mcp", status=1)
    install(environment, "goldenhour[mcp]")
    pip(environment, "check")
    helped = in_environment(environment, stack, "goldenhour", "mcp", "--help")

    print(f"client: {grown / 1024**2:.1f} MB in {took_s:.1f} s, with mcp", end=" ")
    print(f"{(size_of(environment) - before) / 1024**2:.1f} MB")
    assert 11 == accounts.count("demo")
    assert "pip install 'goldenhour[mcp]'" in without_extra
    assert "--allow-publishing" in helped
    assert grown < LARGEST_BYTES


def install(environment: Path, what: str) -> float:
    """Install with pip and return the seconds that it took."""
    began = time.monotonic()
    pip(environment, "install", what)
    return time.monotonic() - began


def pip(environment: Path, *words: str) -> None:
    """Run this environment's pip on another, which then needs none of its own."""
    here = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python")]
    subprocess.run([*here, "--quiet", "--disable-pip-version-check", *words], check=True)


def in_environment(environment: Path, stack: Stack, *words: str, status: int = 0) -> str:
    """Run a program of the environment and return all that it printed."""
    done = subprocess.run(
        [str(environment / "bin" / words[0]), *words[1:]],
        env=clean(stack, environment),
        cwd=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert status == done.returncode, done.stdout + done.stderr
    return done.stdout + done.stderr


def clean(stack: Stack, environment: Path) -> Mapping[str, str]:
    """Return an environment without this one's packages."""
    return {
        "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(environment),
        "GOLDENHOUR_URL": stack.base_url,
        "GOLDENHOUR_API_KEY": stack.api_key,
    }


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
