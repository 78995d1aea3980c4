"""`serve` as an operator starts it: whose workspaces are there, and which keys lie in files."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.local.caller import command
from tests.local.running_stack import eventually
from tests.support.emulator import PROJECT
from tests.support.free_port import free_port


@contextmanager
def serving(data_dir: Path, *words: str) -> Iterator[None]:
    """Run `serve` until the block ends."""
    port = free_port()
    environment = {
        **{name: text for name, text in os.environ.items() if "GOLDENHOUR" not in name},
        "GOLDENHOUR_DATA_DIR": str(data_dir),
        "GOLDENHOUR_PORT": str(port),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "chalicelib", "serve", *words],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        eventually(lambda: _is_up(port), within_s=60)
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def _is_up(port: int) -> bool:
    with urlopen(f"http://127.0.0.1:{port}/v1/health", timeout=2) as answer:
        return bool(answer.status == 200)


def _asked(data_dir: Path, *words: str) -> Any:  # noqa: ANN401 - any JSON
    return json.loads(command(data_dir, *words, "--json").stdout)


def test_a_server_has_no_workspace_and_no_key_in_a_file_unless_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path):
        fresh = _asked(tmp_path, "workspace", "list")["data"]
    notes = sorted(tmp_path.glob("demo.json*"))
    with serving(tmp_path, "--demo"):
        tried = _asked(tmp_path, "workspace", "list")["data"]
        note = eventually(lambda: json.loads((tmp_path / "demo.json").read_text()))

    assert [] == fresh == notes
    assert [note["workspace_id"]] == [each["workspace_id"] for each in tried]


def test_a_demo_workspace_that_was_deleted_stays_deleted(tmp_path: Path) -> None:
    with serving(tmp_path, "--demo"):
        note = eventually(lambda: json.loads((tmp_path / "demo.json").read_text()))
        command(tmp_path, "workspace", "delete", note["workspace_id"], "--yes")
    with serving(tmp_path):
        left = _asked(tmp_path, "workspace", "list")["data"]
        told = _asked(tmp_path, "doctor")["findings"]

    assert [] == left
    (finding,) = [each for each in told if each["subject"] == "demo workspace"]
    assert note["workspace_id"] in finding["advice"]
