"""The real service on this machine, started as its users start it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE
from typing import IO

import requests

REPOSITORY = Path(__file__).parents[3]
STARTED_WITHIN_S = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A service that answers."""

    base_url: str
    api_key: str = field(repr=False)
    accounts: Mapping[str, str]
    """Account ids by platform."""

    workspace_id: str
    data_dir: Path
    assistant_url: str
    """Where the service says that assistants are served."""

    commands: "subprocess.Popen[str]" = field(repr=False)
    """What carries out an operator's commands (`tests/cli/line_by_line.py`)."""

    def sent(self) -> list[Mapping[str, object]]:
        """Return what went out on the test accounts, newest first."""
        found = requests.get(
            f"{self.base_url}/sandbox/posts", headers={"Accept": "application/json"}, timeout=240
        )
        return list(found.json()["data"])

    def operator(self, *arguments: str) -> Mapping[str, object]:
        """Carry out one of the operator's commands and return its answer."""
        asked, told = self.commands.stdin, self.commands.stdout
        assert asked is not None
        assert told is not None
        asked.write(json.dumps(arguments) + "\n")
        asked.flush()
        answer = told.readline()
        assert answer, f"{arguments}: see what was printed to standard error"
        return dict(json.loads(answer))


def server_python() -> str:
    """Return the interpreter that has the server's libraries."""
    return os.environ.get("GOLDENHOUR_SERVER_PYTHON", sys.executable)


@contextmanager
def run_stack(
    data_dir: Path, *, trusted_origins: Sequence[str], certificate: Path
) -> Iterator[Stack]:
    """Run the service until the block ends; it may fetch from these origins of this machine."""
    log_path = data_dir.parent / f"{data_dir.name}.log"
    with _kept_port() as assistant_port, log_path.open("wb") as log:
        port, assistant_url = free_port(), f"http://127.0.0.1:{assistant_port}/mcp"
        environment = _environment(data_dir, port, trusted_origins, certificate)
        process = _start({**environment, "GOLDENHOUR_ASSISTANT_URL": assistant_url}, log)
        try:
            _await(process, data_dir)
            with _operator(environment) as commands:
                yield _described(data_dir, assistant_url, commands)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=240)


@contextmanager
def _kept_port() -> Iterator[int]:
    """Keep a port that the system gives to nobody; who reuses addresses can still listen there."""
    with socket.socket() as kept:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", 0))
        yield int(kept.getsockname()[1])


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _start(environment: Mapping[str, str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [server_python(), "-m", "chalicelib.local"],
        cwd=REPOSITORY,
        env=environment,
        stdout=log,
        stderr=log,
    )


def _environment(
    data_dir: Path, port: int, trusted_origins: Sequence[str], certificate: Path
) -> Mapping[str, str]:
    own = {
        "GOLDENHOUR_PORT": str(port),
        "GOLDENHOUR_DATA_DIR": str(data_dir),
        "GOLDENHOUR_TRUSTED_ORIGINS": ",".join(trusted_origins),
        "PYTHONPATH": str(Path(__file__).parent / "trusting"),
        "CERTIFICATE_OF_TESTS": str(certificate),
    }
    foreign = {name: value for name, value in os.environ.items() if "GOLDENHOUR" not in name}
    return {**foreign, **own}


@contextmanager
def _operator(environment: Mapping[str, str]) -> "Iterator[subprocess.Popen[str]]":
    """Stand ready for an operator's commands."""
    words = [server_python(), "-m", "tests.cli.line_by_line"]
    with subprocess.Popen(
        words, cwd=REPOSITORY, env=environment, stdin=PIPE, stdout=PIPE, text=True
    ) as commands:
        yield commands


def _await(process: subprocess.Popen[bytes], data_dir: Path) -> None:
    note = data_dir / "demo.json"
    ends = time.monotonic() + STARTED_WITHIN_S
    while not note.exists():
        if process.poll() is not None or time.monotonic() > ends:
            raise AssertionError(f"The service did not start; see {data_dir}.log")
        time.sleep(0.1)


def _described(data_dir: Path, assistant_url: str, commands: "subprocess.Popen[str]") -> Stack:
    demo = json.loads((data_dir / "demo.json").read_text("utf-8"))
    return Stack(
        base_url=demo["base_url"],
        api_key=demo["api_key"],
        accounts={each["platform"]: each["id"] for each in demo["accounts"]},
        workspace_id=demo["workspace_id"],
        data_dir=data_dir,
        assistant_url=assistant_url,
        commands=commands,
    )
