"""Nothing that the engine answered in full mode is lost by a power cut, at any write.

What it wrote and synced is recorded and played up to a moment; what a cut leaves is then read as
the next start would read it.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.shared_sync import UNWRITABLE
from tests.kit.aws_on_sqlite.answers import Answers
from tests.local.power_cuts.disk import Disk
from tests.local.power_cuts.recording import Recording
from tests.support.emulator import PROJECT

pytestmark = pytest.mark.compiler

PROCESSES, WRITERS = 2, 3
SECONDS = 0.5
_LOAD = (sys.executable, "-m", "tests.kit.aws_on_sqlite.load")
TRIED = 40
"""Cuts in the ordinary suite; `make prove` tries every write and every sync."""


def a_load(recording: Recording, folder: Path, *, synced: bool = True, **more: str) -> int:
    """Let a process write rows and files for a while; return its exit status."""
    address = address_of(folder / "data", synced=synced)
    return subprocess.run(
        [*_LOAD, address, str(recording.log), str(SECONDS), str(WRITERS)],
        env={**os.environ, **recording.environment, **more},
        cwd=PROJECT,
        timeout=240,
        check=False,
    ).returncode


def record_some_load(folder: Path, *, synced: bool) -> Recording:
    """Let two processes write rows and files for a while; return what happened."""
    recording = Recording(folder / "data", folder)
    with ThreadPoolExecutor(PROCESSES) as threads:
        writing = [
            threads.submit(a_load, recording, folder, synced=synced) for _ in range(PROCESSES)
        ]
    assert [process.result() for process in writing] == [0] * PROCESSES
    return recording


def losses(recording: Recording, folder: Path, *, tried: int | None) -> tuple[int, list[str]]:
    """Cut the power at many moments, or at all; return how many, and everything that was lost."""
    records = list(recording.records())
    first = next(place for place, record in enumerate(records) if record.kind == "a")
    places = range(first, len(records))
    chance = Random(19)
    cuts = set(places if tried is None else chance.sample(places, min(tried, len(places))))
    disk, ledger, lost = Disk(), Answers(), []
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


@pytest.mark.costly
def test_nothing_that_was_answered_is_lost_by_a_power_cut(tmp_path: Path) -> None:
    recording = record_some_load(tmp_path, synced=True)

    cuts, lost = losses(recording, tmp_path, tried=TRIED)

    assert cuts == TRIED
    assert lost == []


@pytest.mark.costly
def test_what_is_answered_after_a_failed_sync_survives_a_power_cut(tmp_path: Path) -> None:
    """What the disk did not take stands before it in the log, and is still read from memory."""
    recording = Recording(tmp_path / "data", tmp_path)

    ends = [a_load(recording, tmp_path, RECORDER_FAILS_AT="20"), a_load(recording, tmp_path)]

    assert ends == [UNWRITABLE, 0]
    assert losses(recording, tmp_path, tried=TRIED) == (TRIED, [])


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

    print(f"\n{cuts} power cuts tried on the engine, {len(lost)} answers lost")  # noqa: T201
    assert lost == []
