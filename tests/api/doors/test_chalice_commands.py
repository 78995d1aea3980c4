"""Chalice's own commands, as docs/deploy.md tells them: what works does, the rest says why not."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from chalicelib.api.doors.chalice_command import refusal
from tests.support.emulator import CREDENTIALS, EmulatorProcess, make_resources

PROJECT = Path(__file__).parents[3]
CHALICE = Path(sys.executable).with_name("chalice")
_BEGINS_WITHIN_S = 30.0


@pytest.fixture
def local(emulator: EmulatorProcess) -> Iterator[str]:
    """Yield where `chalice local` answers, over tables of its own."""
    settings = make_resources(emulator.endpoint)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        **CREDENTIALS,
        "AWS_ENDPOINT_URL": emulator.endpoint,
        "GOLDENHOUR_RESOURCE_PREFIX": settings.resource_prefix,
    }
    command = [str(CHALICE), "local", "--no-autoreload", "--port", str(port)]
    process = subprocess.Popen(
        command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(240)


def _wait_for(port: int) -> None:
    gives_up_at = time.monotonic() + _BEGINS_WITHIN_S
    while time.monotonic() < gives_up_at:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)  # nothing tells when another program's server listens
        else:
            return
    pytest.fail("`chalice local` did not begin to listen")


def test_chalice_local_answers_the_api(local: str) -> None:
    health = requests.get(f"{local}/v1/health", timeout=10)
    refused = requests.get(f"{local}/v1/posts", timeout=240)

    assert health.json() == {"ok": True}
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "bad_api_key")


def test_chalice_deploy_says_at_once_what_to_run_instead() -> None:
    environment = {**os.environ, **CREDENTIALS}

    done = subprocess.run(
        [str(CHALICE), "deploy", "--stage", "dev"],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )

    assert done.returncode == 1
    assert "Run `make deploy STAGE=dev`" in done.stderr
    assert "Traceback" not in done.stderr


def test_packaging_that_would_build_libraries_for_hours_says_so() -> None:
    said = refusal(["package", "out"], PROJECT, (3, 11))

    assert said is not None
    assert "Python 3.12 or 3.13" in said


@pytest.mark.parametrize(
    ("words", "python"),
    [(["package", "out"], (3, 12)), (["--debug", "package"], (3, 13)), (["local"], (3, 11))],
)
def test_whatever_works_is_let_be(words: list[str], python: tuple[int, int]) -> None:
    assert refusal(words, PROJECT, python) is None


def test_packaging_without_libraries_works_with_any_python(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("")

    assert refusal(["package", "out"], tmp_path, (3, 11)) is None
