"""A local stack of one's own, in a temporary folder, and a small client for it."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeVar

import requests
from botocore.config import Config

from chalicelib.kit.aws_on_sqlite.address import address_of
from tests.support.clients import a_client
from tests.support.emulator import DYNAMODB_URL

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PROJECT = Path(__file__).parents[1]
_STARTS_WITHIN_S = 300.0

ThingT = TypeVar("ThingT")
ResultT = TypeVar("ResultT")


@dataclass(slots=True)
class Stack:
    """A running stack: its process, its folder and its demo workspace."""

    process: subprocess.Popen[bytes]
    folder: Path
    started_in_s: float
    session: requests.Session
    own_tables: Mapping[str, str] = field(default_factory=dict)

    @property
    def demo(self) -> dict[str, Any]:
        """Return what `demo.json` says."""
        found: dict[str, Any] = json.loads((self.folder / "demo.json").read_text())
        return found

    def call(self, method: str, path: str, body: object = None, key: str = "") -> Any:  # noqa: ANN401 - JSON
        """Make a call of the API; a refusal ends the benchmark."""
        answer = self.session.request(
            method,
            self.demo_url + path,
            json=body,
            headers={"Authorization": f"Bearer {key or self.demo['api_key']}"},
            timeout=120,
        )
        if not answer.ok:
            sys.exit(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    @property
    def demo_url(self) -> str:
        """Return the base URL."""
        return str(self.demo["base_url"])

    def account(self, platform: str) -> str:
        """Return the demo workspace's account on a platform."""
        accounts = self.demo["accounts"]
        return str(next(one["id"] for one in accounts if one["platform"] == platform))

    def taken(self) -> list[dict[str, Any]]:
        """Return everything that the sandbox platform took."""
        found: list[dict[str, Any]] = self.call("GET", "/sandbox/posts")["data"]
        return found

    def resident_kb(self) -> dict[str, int]:
        """Return the resident memory of each process of the stack, by its name."""
        found = {}
        for line in subprocess.run(
            ["ps", "-eo", "pid,ppid,rss,args"], capture_output=True, text=True, check=True
        ).stdout.splitlines()[1:]:
            pid, parent, rss, command = line.split(None, 3)
            if self.process.pid in (int(pid), int(parent)):
                found[command.partition("chalicelib.")[2].split(" ")[0]] = int(rss)
        return found

    def memory_mb(self) -> tuple[float, float]:
        """Return what all processes hold: each page once for each of them, and once in all."""
        pids = [int(pid) for pid in self.pids()]
        sums = [_rollup(pid) for pid in pids]
        return sum(rss for rss, _ in sums) / 1024, sum(pss for _, pss in sums) / 1024

    def pids(self) -> list[str]:
        """Return the supervisor and its children."""
        own = str(self.process.pid)
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", own], capture_output=True, text=True, check=False
        )
        return [own, *listed.stdout.split()]


def _rollup(pid: int) -> tuple[int, int]:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = dict(re.findall(r"^(Rss|Pss):\s+(\d+) kB", text, re.MULTILINE))
    return int(found["Rss"]), int(found["Pss"])


@contextmanager
def running(
    folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[Stack]:
    """Start a stack, and stop it in the end; its folder goes too unless it was given."""
    made = Path(tempfile.mkdtemp(prefix="goldenhour-bench-")) if folder is None else folder
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = _tables_of_its_own()
    outer = {
        **os.environ,
        **(environment or {}),
        "GOLDENHOUR_PORT": str(port),
        "GOLDENHOUR_DATA_DIR": str(made),
        **own,
    }
    began = time.monotonic()
    with (made.parent / f"{made.name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "chalicelib.local"],
            cwd=PROJECT,
            env=outer,
            stdout=log,
            stderr=log,
        )
    try:
        while not (made / "demo.json").exists():
            if process.poll() is not None or time.monotonic() - began > _STARTS_WITHIN_S:
                sys.exit(f"The stack did not start: see {log.name}")
            time.sleep(0.02)
        yield Stack(process, made, time.monotonic() - began, requests.Session(), own)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(15)
        if folder is None:
            shutil.rmtree(made, ignore_errors=True)


def _tables_of_its_own() -> dict[str, str]:
    """Keep stacks apart that share a DynamoDB Local."""
    if DYNAMODB_URL not in os.environ:
        return {}
    prefix = f"bench-{token_hex(6)}"
    return {DYNAMODB_URL: os.environ[DYNAMODB_URL], "GOLDENHOUR_RESOURCE_PREFIX": prefix}


def dynamodb_client(stack: Stack, connections: int) -> "DynamoDBClient":
    """Return a client of the stack's own tables."""
    own = address_of(stack.folder / "engine", synced=False)
    address = stack.own_tables.get(DYNAMODB_URL, own)
    return a_client("dynamodb", address, Config(max_pool_connections=connections))


def posts_table(stack: Stack) -> str:
    """Return the name of the stack's table of posts."""
    prefix = stack.own_tables.get("GOLDENHOUR_RESOURCE_PREFIX", "goldenhour-local")
    return f"{prefix}-posts"


def by_busy_clients(
    clients: int, work: Callable[[ThingT], ResultT], things: Iterable[ThingT]
) -> tuple[list[ResultT], float]:
    """Do something with each thing, so many at once; return the results and the seconds it took."""
    began = time.monotonic()
    with ThreadPoolExecutor(clients) as busy:
        results = list(busy.map(work, things))
    return results, time.monotonic() - began


def percentile(sorted_values: list[float], share: float) -> float:
    """Return the value below which that share of the sorted values lies."""
    return sorted_values[min(int(len(sorted_values) * share), len(sorted_values) - 1)]
