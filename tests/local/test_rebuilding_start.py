"""A start that rebuilds indexes: what it answers meanwhile, how far it is, and how it ends."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.local.data_directory import CannotStart
from chalicelib.local.front import program
from chalicelib.local.front.program import Front
from chalicelib.local.options import Options
from chalicelib.local.processes import supervisor
from chalicelib.local.processes.process import READY, TAKES_LONG
from chalicelib.local.processes.supervisor import Supervisor
from chalicelib.local.stack_modules import StackModules
from chalicelib.settings import Settings
from tests.local.running_stack import PROJECT, Stack, eventually
from tests.support.large_directory import fill, waking, waking_by_index

pytestmark = pytest.mark.costly

TARGETS = 4_000


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    made = Stack(tmp_path / "data")
    fill(made.settings, TARGETS)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.end()


@pytest.fixture
def held(stack: Stack) -> Iterator[int]:
    """Hold what a rebuild needs, so that it lasts until the test lets it go on."""
    lock = os.open(stack.data_dir / "engine" / "rebuild", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    yield lock
    os.close(lock)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a caller was told in the place of an answer."""

    status: int
    retry_after: str | None
    body: bytes


def refused(stack: Stack, path: str, method: str = "GET") -> Refusal | None:
    """Return the refusal of a call; None when it is answered. Raises OSError without an answer."""
    request = Request(f"http://127.0.0.1:{stack.port}{path}", method=method)
    try:
        urlopen(request, timeout=240).close()  # noqa: S310 - our own address
    except HTTPError as told:
        with told:
            return Refusal(told.code, told.headers["Retry-After"], told.read())
    return None


def command(stack: Stack, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run an operator's command on the stack's directory."""
    return subprocess.run(
        [sys.executable, "-m", "chalicelib", *words],
        cwd=PROJECT,
        env={**os.environ, "GOLDENHOUR_DATA_DIR": str(stack.data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_until_a_rebuild_ends_all_are_told_to_come_again_and_then_all_is_there(
    stack: Stack, held: int
) -> None:
    stack.process = stack.launch()

    for path, method in (("/v1/health", "GET"), ("/v1/posts", "POST"), ("/app", "GET")):
        refusal = eventually(partial(refused, stack, path, method))
        assert refusal is not None
        assert refusal.status == 503
        assert int(refusal.retry_after or 0) > 0
        error = json.loads(refusal.body)["error"]
        assert error["code"] == "busy"
        assert "engine status" in error["message"]
    fcntl.flock(held, fcntl.LOCK_UN)

    eventually(stack.answers, within_s=60)
    assert waking_by_index(stack.data_dir / "engine") == waking(stack.data_dir / "engine")
    assert stack.process is not None
    stack.process.send_signal(signal.SIGTERM)
    _, told = stack.process.communicate(timeout=240)
    assert "python -m chalicelib engine status` tells how far it is" in told
    assert stack.process.returncode == 0


def test_engine_status_tells_how_far_it_is_and_other_commands_wait(stack: Stack, held: int) -> None:
    stack.process = stack.launch()
    eventually(lambda: refused(stack, "/v1/health"))

    status = json.loads(command(stack, "engine", "status", "--json").stdout)
    lines = command(stack, "engine", "status").stdout
    other = command(stack, "workspace", "list")

    table = stack.settings.posts_table
    assert status["running"] is True
    assert status["rebuilding"] == {"table": table, "rows": 0, "of": None}
    assert f"being rebuilt, {table}: counting rows" in lines
    assert "the API answers 503" in lines
    assert other.returncode == 1
    assert "The indexes are not rebuilt yet" in other.stderr
    fcntl.flock(held, fcntl.LOCK_UN)
    eventually(stack.answers, within_s=60)
    after = json.loads(command(stack, "engine", "status", "--json").stdout)
    assert after["rebuilding"] is None
    assert command(stack, "workspace", "list").returncode == 0


def test_a_stack_whose_rebuild_is_killed_goes_on_with_it(stack: Stack, held: int) -> None:
    stack.process = stack.launch()
    eventually(lambda: refused(stack, "/v1/health"))

    os.kill(stack.children()["front"], signal.SIGKILL)
    fcntl.flock(held, fcntl.LOCK_UN)

    eventually(stack.answers, within_s=60)
    assert waking_by_index(stack.data_dir / "engine") == waking(stack.data_dir / "engine")


def test_a_stop_amid_a_rebuild_is_quick_and_clean(stack: Stack, held: int) -> None:
    stack.process = stack.launch()
    eventually(lambda: refused(stack, "/v1/health"))

    began = time.monotonic()

    assert stack.end() == 0
    assert time.monotonic() - began < 3
    assert held


def test_a_command_without_a_stack_rebuilds_first(stack: Stack) -> None:
    before = json.loads(command(stack, "engine", "status", "--json").stdout)
    listed = command(stack, "workspace", "list")
    after = json.loads(command(stack, "engine", "status", "--json").stdout)

    assert before["running"] is False
    assert before["rebuilding"]["table"] == stack.settings.posts_table
    assert listed.returncode == 0
    assert "Rebuilding the indexes" in listed.stderr
    assert after["rebuilding"] is None
    assert waking_by_index(stack.data_dir / "engine") == waking(stack.data_dir / "engine")


@pytest.mark.parametrize(("told", "is_patient"), [(TAKES_LONG, True), (b"", False)])
def test_no_limit_of_time_ends_a_start_that_says_it_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: bytes, *, is_patient: bool
) -> None:
    monkeypatch.setattr(supervisor, "_FIRST_ANSWER_WITHIN_S", 0.2)
    read, write = os.pipe()
    os.write(write, told) if told else None
    stack = Supervisor(Options.from_environment({"GOLDENHOUR_DATA_DIR": str(tmp_path)}))
    stack._wake_read.settimeout(0)
    answers = threading.Timer(1.0, os.write, (write, READY))
    answers.start()

    try:
        stack._await_ready(read)
        waited = True
    except CannotStart:
        waited = False

    answers.join()
    for each in (read, write):
        os.close(each)
    for end in (stack._wake_read, stack._wake_write):
        end.close()
    assert waited is is_patient


def test_a_start_on_a_full_disk_waits_for_room_and_says_that_it_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = EndpointConnectionError(endpoint_url="tables.db: database or disk is full")
    failures, told, made = [failure, failure], [], []

    def make(settings: Settings, *, begun: Callable[[], None]) -> None:
        del begun
        if failures:
            raise failures.pop()
        made.append(settings)

    monkeypatch.setattr(program, "make_embedded", make)
    monkeypatch.setattr(program, "_FULL_DISK_S", 0)
    settings, nothing = Settings.from_environment({}), cast("StackModules", None)
    front = Front(nothing, settings, tmp_path, Options.from_environment({}), None)

    front._make_embedded(lambda: told.append("takes long"))

    assert made == [settings]
    assert told
