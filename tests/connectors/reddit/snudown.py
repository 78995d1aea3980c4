"""Renderers of Markdown for tests, from npm, run by Node.js and never shipped.

`reddit` is Reddit's own (snudown-js), `commonmark` follows CommonMark and GitHub's additions to it
(micromark).
"""

import fcntl
import json
import shutil
import subprocess
from collections.abc import Sequence

import pytest

from tests.support.emulator import PROJECT

_SOURCE = PROJECT / "tests" / "servers" / "reddit"
_BUILD = PROJECT / "build" / "snudown"
_INSTALL_S = 180


def render(texts: Sequence[str], by: str = "reddit") -> list[str]:
    """Return the HTML that a renderer makes of each text."""
    node = _install()
    done = subprocess.run(
        [node, "render.mjs"],
        cwd=_BUILD,
        input=json.dumps([by, list(texts)]).encode(),
        capture_output=True,
        check=True,
        timeout=240,
    )
    found: list[str] = json.loads(done.stdout)
    return found


def _is_installed() -> bool:
    found = _BUILD / "node_modules"
    return (found / "snudown-js" / "dist").is_dir() and (found / "micromark").is_dir()


def _install() -> str:
    """Install the renderer, once; return how Node is called. Workers of one run take turns."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node.js and npm are not here, so Reddit's own code cannot run.")
    _BUILD.mkdir(parents=True, exist_ok=True)
    with (_BUILD / "installing.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        for name in ("package.json", "package-lock.json", "render.mjs"):
            shutil.copy(_SOURCE / name, _BUILD)
        if not _is_installed():
            command = (npm, "ci", "--no-audit", "--no-fund", "--fetch-retries=1")
            try:
                subprocess.run(
                    command, cwd=_BUILD, capture_output=True, timeout=_INSTALL_S, check=True
                )
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
                pytest.skip("npm could not install Reddit's own renderer (no registry?).")
    return node
