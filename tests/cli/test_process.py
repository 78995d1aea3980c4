"""`python -m chalicelib` as a process: against a stopped stack, a running one, and none at all."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from chalicelib.local import data_directory
from tests.cli.operator import CREATE_WORKSPACE
from tests.support.emulator import PROJECT

pytestmark = pytest.mark.costly


def _command(data_dir: Path, *arguments: str) -> "subprocess.Popen[str]":
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GOLDENHOUR_")}
    return subprocess.Popen(
        [sys.executable, "-m", "chalicelib", *arguments],
        cwd=PROJECT,
        env={**kept, "GOLDENHOUR_DATA_DIR": str(data_dir)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _run(data_dir: Path, *arguments: str) -> tuple[int, str, str]:
    process = _command(data_dir, *arguments)
    stdout, stderr = process.communicate(timeout=240)
    return process.returncode, stdout, stderr


def _bytes(
    data_dir: Path,
    settings: dict[str, str],
    *arguments: str,
    out: IO[bytes] | int = subprocess.PIPE,
) -> "subprocess.CompletedProcess[bytes]":
    """Run a command with settings of its output and return what it wrote, byte by byte."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GOLDENHOUR_")}
    return subprocess.run(
        [sys.executable, "-m", "chalicelib", *arguments],
        cwd=PROJECT,
        env={**kept, **settings, "GOLDENHOUR_DATA_DIR": str(data_dir)},
        stdout=out,
        stderr=subprocess.PIPE,
        check=False,
        timeout=240,
    )


def _ask(data_dir: Path, *arguments: str) -> dict[str, str]:
    status, stdout, stderr = _run(data_dir, *arguments, "--json")
    assert (status, stderr) == (0, "")
    document = json.loads(stdout)
    assert isinstance(document, dict)
    return document


def _ids(data_dir: Path, name: str, *arguments: str) -> set[str]:
    """Return the ids that a list answers."""
    status, stdout, _ = _run(data_dir, *arguments, "--json")
    assert status == 0
    return {one[name] for one in json.loads(stdout)["data"]}


@dataclass(frozen=True, slots=True)
class Stopped:
    """A data directory whose stack does not run, and the workspace that one command made in it."""

    data_dir: Path
    workspace_id: str


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    data_dir = tmp_path_factory.mktemp("stopped")
    return Stopped(data_dir, _ask(data_dir, *CREATE_WORKSPACE)["workspace_id"])


def test_a_command_leaves_the_directory_free(stopped: Stopped) -> None:
    data_directory.take(stopped.data_dir).close()


def test_a_stopped_stack_keeps_what_commands_change(stopped: Stopped) -> None:
    shown = _ask(stopped.data_dir, "workspace", "show", stopped.workspace_id)

    assert shown["name"] == "Lighthouse Bakery"


@pytest.mark.costly
def test_commands_on_a_stopped_stack_may_run_at_once(tmp_path: Path) -> None:
    commands = [_command(tmp_path, *CREATE_WORKSPACE, "--json") for _ in range(3)]

    outputs = [command.communicate(timeout=240) for command in commands]

    statuses = [command.returncode for command in commands]
    assert statuses == [0] * 3, outputs
    made = {json.loads(stdout)["workspace_id"] for stdout, _ in outputs}
    assert statuses == [0, 0, 0]
    assert _ids(tmp_path, "workspace_id", "workspace", "list") == made


@pytest.mark.costly
def test_a_running_stack_is_used_as_it_is(tmp_path: Path) -> None:
    with data_directory.take(tmp_path):
        made = _ask(tmp_path, *CREATE_WORKSPACE)
        key = _ask(tmp_path, "key", "create", "--member", made["member_id"])
        health = _run(tmp_path, "doctor")

    assert health[0] == 0
    assert _ids(tmp_path, "key_id", "key", "list", made["workspace_id"]) == {key["key_id"]}


def test_without_a_stack_the_operator_is_told_how_to_make_one(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"

    status, stdout, stderr = _run(nowhere, "workspace", "list")

    assert (status, stdout) == (1, "")
    assert stderr == f"Error: There is no local stack in {nowhere}: `make run` makes one.\n"
    assert not nowhere.exists()


@pytest.mark.parametrize("arguments", [(), ("--help",), ("account", "connect", "--help")])
def test_help_needs_no_stack(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    status, stdout, stderr = _run(tmp_path / "nowhere", *arguments)

    assert "Usage: python -m chalicelib" in stdout + stderr
    assert status == (0 if arguments else 2)


def test_a_stage_needs_credentials_of_the_operators_own(tmp_path: Path) -> None:
    nobody = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    result = subprocess.run(
        [sys.executable, "-m", "chalicelib", "workspace", "list", "--stage", "prod"],
        cwd=PROJECT,
        env={**nobody, "AWS_EC2_METADATA_DISABLED": "true", "AWS_REGION": "us-east-1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: AWS could not be called: Unable to locate credentials")


@pytest.mark.costly
def test_a_name_that_the_output_cannot_spell_breaks_no_command(tmp_path: Path) -> None:
    name = "Bäckerei 日本 🍞"
    create = list(CREATE_WORKSPACE)
    create[create.index("--name") + 1] = name
    windows = {"PYTHONIOENCODING": "cp1252"}

    made = _bytes(tmp_path, windows, *create)
    listed = _bytes(tmp_path, windows, "workspace", "list")
    redirected = _bytes(tmp_path, {"LC_ALL": "C", "PYTHONUTF8": "0"}, "workspace", "list")

    assert [(0, b"")] * 3 == [(each.returncode, each.stderr) for each in (made, listed, redirected)]
    assert "Bäckerei \\u65e5\\u672c \\U0001f35e" in listed.stdout.decode("cp1252")
    assert name in redirected.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("arguments", "status"), [(("engine", "pause"), 0), (("engine", "status"), 1)]
)
def test_a_lost_answer_fails_only_a_command_that_is_for_its_answer(
    tmp_path: Path, arguments: tuple[str, ...], status: int
) -> None:
    _ask(tmp_path, *CREATE_WORKSPACE)

    with Path("/dev/full").open("wb") as full:
        ended = _bytes(tmp_path, {}, *arguments, out=full)

    assert (ended.returncode, b"could not be written" in ended.stderr) == (status, True)
    assert b"Traceback" not in ended.stderr
    assert bool(_ask(tmp_path, "engine", "status")["paused"]) == (status == 0)
