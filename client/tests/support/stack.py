"""The real service on this machine, started as its users start it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
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

    def sent(self) -> list[Mapping[str, object]]:
        """Return what went out on the test accounts, newest first."""
        found = requests.get(
            f"{self.base_url}/sandbox/posts", headers={"Accept": "application/json"}, timeout=240
        )
        return list(found.json()["data"])

    def operator(self, *arguments: str) -> Mapping[str, object]:
        """Run the operator's command line and return its answer."""
        done = subprocess.run(
            [server_python(), "-m", "chalicelib", *arguments, "--json"],
            cwd=REPOSITORY,
            env=_environment(self.data_dir, int(self.base_url.rpartition(":")[2])),
            capture_output=True,
            text=True,
            check=True,
            timeout=240,
        )
        return dict(json.loads(done.stdout))


def server_python() -> str:
    """Return the interpreter that has the server's libraries."""
    return os.environ.get("GOLDENHOUR_SERVER_PYTHON", sys.executable)


@contextmanager
def run_stack(data_dir: Path, *, trusted_origin: str) -> Iterator[Stack]:
    """Run the service until the block ends; it may fetch files from one origin of this machine."""
    log_path = data_dir.parent / f"{data_dir.name}.log"
    with _kept_port() as assistant_port, log_path.open("wb") as log:
        port, assistant_url = free_port(), f"http://127.0.0.1:{assistant_port}/mcp"
        environment = _environment(data_dir, port, trusted_origin)
        process = _start({**environment, "GOLDENHOUR_ASSISTANT_URL": assistant_url}, log)
        try:
            yield _when_ready(process, data_dir, assistant_url)
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


def _environment(data_dir: Path, port: int, trusted_origin: str = "") -> Mapping[str, str]:
    own = {
        "GOLDENHOUR_PORT": str(port),
        "GOLDENHOUR_DATA_DIR": str(data_dir),
        "GOLDENHOUR_TRUSTED_ORIGINS": trusted_origin,
    }
    foreign = {name: value for name, value in os.environ.items() if "GOLDENHOUR" not in name}
    return {**foreign, **own}


def _when_ready(process: subprocess.Popen[bytes], data_dir: Path, assistant_url: str) -> Stack:
    note = data_dir / "demo.json"
    ends = time.monotonic() + STARTED_WITHIN_S
    while not note.exists():
        if process.poll() is not None or time.monotonic() > ends:
            raise AssertionError(f"The service did not start; see {data_dir}.log")
        time.sleep(0.1)
    demo = json.loads(note.read_text("utf-8"))
    return Stack(
        base_url=demo["base_url"],
        api_key=demo["api_key"],
        accounts={each["platform"]: each["id"] for each in demo["accounts"]},
        workspace_id=demo["workspace_id"],
        data_dir=data_dir,
        assistant_url=assistant_url,
    )
