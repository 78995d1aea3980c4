"""Nothing that the emulator answered in full mode is lost by a power cut, at any write.

What it wrote and synced is recorded and played up to a moment; what a cut leaves is then read as
the next start would read it.
"""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.config import Config

from chalicelib.local import resources
from chalicelib.local.emulator import launch
from chalicelib.local.emulator.state_file import StateFile
from chalicelib.settings import Settings
from tests.local.power_cuts.disk import Disk
from tests.local.power_cuts.recording import Recording
from tests.support.emulator import CREDENTIALS, PROJECT, REGION

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef
    from mypy_boto3_s3 import S3Client

WRITERS = 4
SECONDS = 0.5
TRIED = 40
"""Cuts in the ordinary suite; `make prove` tries every write and every sync."""


@contextmanager
def emulating(data_dir: Path, recording: Recording, *, synced: bool) -> Iterator[Settings]:
    """Run an emulator that records itself, until it is killed."""
    os.environ.update(CREDENTIALS)
    data_dir.mkdir()
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        emulator = subprocess.Popen(
            launch.command(listener, data_dir, synced=synced),
            env=launch.environment(
                {**os.environ, **recording.environment},
                temporary_folder=str(data_dir),
                data_dir=data_dir,
            ),
            cwd=PROJECT,
            pass_fds=[listener.fileno()],
        )
        endpoint = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        yield Settings.from_environment(
            {"AWS_ENDPOINT_URL": endpoint, "AWS_DEFAULT_REGION": REGION}
        )
    finally:
        emulator.kill()
        emulator.wait()


def record_some_load(folder: Path, *, synced: bool) -> Recording:
    """Let writers put rows and files for a while; return what happened."""
    recording = Recording(folder / "data", folder)
    with emulating(folder / "data", recording, synced=synced) as settings:
        resources.make(settings)
        tables = boto3.client("dynamodb", endpoint_url=settings.endpoint_url, config=_POOL)
        files = boto3.client("s3", endpoint_url=settings.endpoint_url, config=_POOL)
        ends_at = time.monotonic() + SECONDS
        threads = [
            threading.Thread(target=_put_rows, args=(recording, tables, settings, str(n), ends_at))
            for n in range(WRITERS)
        ]
        threads.append(
            threading.Thread(target=_put_files, args=(recording, files, settings, ends_at))
        )
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return recording


_POOL = Config(max_pool_connections=WRITERS + 1)


def _put_rows(
    recording: Recording,
    tables: "DynamoDBClient",
    settings: Settings,
    writer: str,
    ends_at: float,
) -> None:
    number = 0
    while time.monotonic() < ends_at:
        number += 1
        rows: list[Mapping[str, AttributeValueTypeDef]] = [
            {"pk": {"S": f"W{writer}"}, "sk": {"S": place}} for place in ("LAST", f"ROW#{number}")
        ]
        tables.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": settings.posts_table, "Item": row}} for row in rows
            ]
        )
        recording.mark("row", writer, str(number))


def _put_files(recording: Recording, files: "S3Client", settings: Settings, ends_at: float) -> None:
    number = 0
    while time.monotonic() < ends_at:
        number += 1
        body = os.urandom(2_000_000 if number % 3 == 0 else 2_000)
        key = f"media/w{number % 5}/{number}"
        files.put_object(Bucket=settings.media_bucket, Key=key, Body=body)
        recording.mark("file", key, hashlib.sha256(body).hexdigest())


class Ledger:
    """What was answered so far, and what of it a folder lacks."""

    def __init__(self) -> None:
        self.rows: Counter[str] = Counter()
        self.files: dict[str, str] = {}

    def take(self, mark: bytes) -> None:
        """Take up one answer."""
        kind, name, value = json.loads(mark)
        if kind == "row":
            self.rows[name] = int(value)
        else:
            self.files[name] = value

    def missing(self, folder: Path) -> list[str]:
        """Return what was answered and is not there, or not as it was answered."""
        state = StateFile(folder / "state.db")
        found: dict[str, set[str]] = {}
        kept = state.items()
        for *_, body in kept:
            row = json.loads(body)
            found.setdefault(row["pk"]["S"], set()).add(row["sk"]["S"])
        state.close()
        rows = (
            f"row {number} of writer {writer}"
            for writer, count in self.rows.items()
            for number in range(1, count + 1)
            if f"ROW#{number}" not in found.get(f"W{writer}", set())
        )
        there = {
            f"media/{path.parent.name}/{path.name}": path
            for path in (folder / "objects").rglob("*")
            if path.is_file()
        }
        files = (
            key
            for key, digest in self.files.items()
            if key not in there
            or f"{key}.meta.json" not in there
            or hashlib.sha256(there[key].read_bytes()).hexdigest() != digest
        )
        return [*rows, *files]


def losses(recording: Recording, folder: Path, *, tried: int | None) -> tuple[int, list[str]]:
    """Cut the power at many moments, or at all; return how many, and everything that was lost."""
    records = list(recording.records())
    first = next(place for place, record in enumerate(records) if record.kind == "a")
    places = range(first, len(records))
    chance = Random(19)
    cuts = set(places if tried is None else chance.sample(places, min(tried, len(places))))
    disk, ledger, lost = Disk(), Ledger(), []
    for place, record in enumerate(records):
        if record.kind == "a":
            ledger.take(record.data)
        else:
            disk.play(record)
        if place in cuts:
            left = folder / str(place)
            disk.leave(left, chance=chance if place % 2 else None)
            lost += [f"{what}, cut at {place}" for what in ledger.missing(left)]
            shutil.rmtree(left)
    return len(cuts), lost


def test_nothing_that_was_answered_is_lost_by_a_power_cut(tmp_path: Path) -> None:
    recording = record_some_load(tmp_path, synced=True)

    cuts, lost = losses(recording, tmp_path, tried=TRIED)

    assert cuts == TRIED
    assert lost == []


@pytest.mark.prove
def test_without_a_sync_the_same_cuts_lose_what_was_answered(tmp_path: Path) -> None:
    """The model of the disk can tell: it finds what normal mode may lose."""
    recording = record_some_load(tmp_path, synced=False)

    _, lost = losses(recording, tmp_path, tried=TRIED)

    assert len(lost) > 0


@pytest.mark.prove
def test_nothing_is_lost_wherever_the_power_is_cut(tmp_path: Path) -> None:
    recording = record_some_load(tmp_path, synced=True)

    cuts, lost = losses(recording, tmp_path, tried=None)

    print(f"\n{cuts} power cuts tried on the emulator, {len(lost)} answers lost")  # noqa: T201
    assert lost == []
