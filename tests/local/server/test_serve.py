"""`serve` as an operator starts it: whose workspaces are there, and which keys lie in files."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import requests

from tests.local.caller import Caller, command
from tests.local.running_stack import eventually
from tests.support.emulator import PROJECT
from tests.support.free_port import free_port
from tests.support.mail_server import MailServer, a_mail_server

pytestmark = pytest.mark.costly


@contextmanager
def serving(data_dir: Path, *words: str, **settings: str) -> Iterator[str]:
    """Run `serve` until the block ends; yield its address."""
    port = free_port()
    environment = {
        **{name: text for name, text in os.environ.items() if "GOLDENHOUR" not in name},
        "GOLDENHOUR_DATA_DIR": str(data_dir),
        "GOLDENHOUR_PORT": str(port),
        **settings,
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
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=240)


def _is_up(port: int) -> bool:
    return requests.get(f"http://127.0.0.1:{port}/v1/health", timeout=2).status_code == 200


def _about(mail: MailServer, subject: str) -> list[EmailMessage]:
    """Return the letters with this subject; others tell of the new key."""
    return [letter for letter in mail.letters if letter["Subject"] == subject]


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


def test_a_failed_post_is_mailed_and_counted_within_a_minute(tmp_path: Path) -> None:
    figures_port = free_port()
    with (
        a_mail_server() as mail,
        serving(
            tmp_path,
            "--demo",
            GOLDENHOUR_SMTP_URL=mail.url,
            GOLDENHOUR_METRICS_PORT=str(figures_port),
        ),
    ):
        eventually((tmp_path / "demo.json").exists)
        caller = Caller(tmp_path)
        (member,) = _asked(tmp_path, "member", "list", _workspace(tmp_path))["data"]
        command(
            tmp_path, "member", "update", member["member_id"],
            "--email", "ada@bakery.example", "--notices", "failed,engine",
        )  # fmt: skip
        post = caller.draft("sandbox:fail:media_rejected")
        caller.call("POST", f"/v1/posts/{post}/publish-now")
        eventually(lambda: _about(mail, "Not posted: Demo"), within_s=60)
        with urlopen(f"http://127.0.0.1:{figures_port}/metrics", timeout=240) as answer:
            figures = answer.read().decode()

    (letter,) = _about(mail, "Not posted: Demo")
    assert post in letter.get_content()
    assert 'goldenhour_attempts_total{outcome="media_rejected"} 1.0' in figures
    assert "goldenhour_overdue_seconds 0.0" in figures
    assert 'goldenhour_accounts{health="ok"} 11.0' in figures
    assert "goldenhour_disk_free_bytes" in figures


def _workspace(data_dir: Path) -> str:
    return str(json.loads((data_dir / "demo.json").read_text())["workspace_id"])


def test_strict_fails_while_nothing_is_sent_and_without_a_backup(tmp_path: Path) -> None:
    with serving(tmp_path):
        command(tmp_path, "backup", f"{tmp_path}.tar")
        command(tmp_path, "engine", "pause")
        lenient, strict = (command(tmp_path, "doctor", *words) for words in ([], ["--strict"]))

    assert [0, 1] == [lenient.returncode, strict.returncode]
    assert "Publishing is paused: nothing is sent." in strict.stdout
