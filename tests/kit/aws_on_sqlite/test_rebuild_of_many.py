"""A rebuild in a process of its own, killed for good at moments that chance chooses."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import Engine
from tests.kit.aws_on_sqlite.settings_of import settings_of
from tests.support.emulator import PROJECT
from tests.support.large_directory import fill, waking, waking_by_index

TARGETS = 4_000
MANY = 20_000
LIMIT = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))
"""
MAKE = """
from chalicelib.local.embedded_resources import make_embedded
from chalicelib.settings import Settings
make_embedded(Settings.from_environment())
"""


def filled(folder: Path, targets: int) -> Path:
    return fill(settings_of(address_of(folder / "engine", synced=False)), targets)


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    return filled(tmp_path, TARGETS)


def making(engine: Path, most_bytes: int | None = None) -> "subprocess.Popen[bytes]":
    """Start a process that makes an engine's resources; no file of it may grow beyond a size."""
    address = address_of(engine, synced=True)
    limited = LIMIT.format(most_bytes) + MAKE if most_bytes is not None else MAKE
    return subprocess.Popen(
        [sys.executable, "-c", limited],
        cwd=PROJECT,
        env={**os.environ, "AWS_ENDPOINT_URL": address, "AWS_DEFAULT_REGION": "us-east-1"},
        stderr=subprocess.PIPE,
    )


@pytest.mark.costly
def test_a_rebuild_that_is_killed_at_random_moments_makes_all_indexes_whole(
    tmp_path: Path,
) -> None:
    engine = filled(tmp_path, MANY)
    chance, kills = random.Random(os.environ.get("SEED", "47")), 0
    assert waking_by_index(engine) == []

    while True:
        process = making(engine)
        try:
            process.communicate(timeout=chance.uniform(0.2, 0.9) + kills / 10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
        else:
            break

    assert process.returncode == 0
    assert kills > 0
    assert waking_by_index(engine) == waking(engine)


@pytest.mark.costly
def test_a_rebuild_that_found_no_room_on_the_disk_goes_on_when_there_is(engine: Path) -> None:
    told = making(engine, most_bytes=200_000)
    _, refusal = told.communicate()

    assert told.returncode != 0
    assert b"cannot be written" in refusal
    later = making(engine)
    later.communicate()
    assert later.returncode == 0
    assert waking_by_index(engine) == waking(engine)


@pytest.mark.costly
def test_who_comes_while_another_process_rebuilds_waits_for_its_end(engine: Path) -> None:
    both = [making(engine), making(engine)]
    began = time.monotonic()

    for process in both:
        process.communicate()

    assert [process.returncode for process in both] == [0, 0], time.monotonic() - began
    assert waking_by_index(engine) == waking(engine)
    Engine(engine).close()
