"""Writes a second with and without a sync of the disk before each answer, in one run.

Fifty writers put rows into the embedded emulator's tables; the two emulators take turns, so that
both see the same machine. Then a whole stack of each kind sends 200 posts: how late are they.
"""

import os
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from benchmarks.figures import Beside, Figure
from benchmarks.publishing import lateness
from benchmarks.stack import PROJECT, running
from chalicelib.local import resources
from chalicelib.local.emulator import launch
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

WRITERS = 50
ROUND_S = 5.0
ROUNDS = 3
_KEY = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}  # the emulator asks for none


def run() -> list[Figure]:
    """Print writes a second and how long one takes, with sync on and off, and the ratio."""
    os.environ.update(_KEY)
    measured: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for synced, rounds in measured.items():
            rounds.append(_round(synced=synced))
    for synced, rounds in measured.items():
        rate, wait_s = (statistics.median(figures) for figures in zip(*rounds, strict=True))
        name = "full" if synced else "normal"
        print(f"  sync {name:6}  {rate:6.0f} writes a second, p50 {wait_s * 1000:.1f} ms")
    off, on = (statistics.median(rate for rate, _ in measured[synced]) for synced in (False, True))
    print(f"  ratio        {on / off:.2f}")
    for name in ("normal", "full"):
        print(f"  sync {name:6}  ", end="", flush=True)
        with running(environment={"GOLDENHOUR_SYNC": name}) as stack:
            lateness.measure(stack)
    peer = Beside("the same without a sync", off)
    return [Figure("writes a second, synced (more is better)", on, peer=peer)]


def _round(*, synced: bool) -> tuple[float, float]:
    """Return writes a second and the median seconds of one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0), backlog=256) as listener,
    ):
        data_dir = Path(folder) / "emulator"
        data_dir.mkdir()
        emulator = subprocess.Popen(
            launch.command(listener, data_dir, synced=synced),
            env=launch.environment(os.environ, temporary_folder=folder, data_dir=data_dir),
            cwd=PROJECT,
            pass_fds=[listener.fileno()],
        )
        try:
            return _measured(f"http://127.0.0.1:{listener.getsockname()[1]}")
        finally:
            emulator.terminate()
            emulator.wait()


def _measured(endpoint: str) -> tuple[float, float]:
    settings = Settings.from_environment(
        {"AWS_ENDPOINT_URL": endpoint, "AWS_DEFAULT_REGION": "us-east-1"}
    )
    resources.make(settings)
    waits: list[float] = []
    client = boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        config=Config(max_pool_connections=WRITERS),
    )
    ends_at = time.monotonic() + ROUND_S
    writers = [
        threading.Thread(target=_write, args=(client, settings.posts_table, str(n), ends_at, waits))
        for n in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    return len(waits) / ROUND_S, statistics.median(waits)


def _write(
    client: "DynamoDBClient", table: str, name: str, ends_at: float, waits: list[float]
) -> None:
    number = 0
    while (began := time.monotonic()) < ends_at:
        number += 1
        client.put_item(TableName=table, Item={"pk": {"S": name}, "sk": {"S": str(number)}})
        waits.append(time.monotonic() - began)
