"""What a sweep costs does not depend on how much there is, and it comes to all of it."""

import json
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import Engine, open_engine
from chalicelib.kit.aws_on_sqlite.expiry import Sweeper
from chalicelib.local.embedded_resources import make_embedded
from tests.kit.aws_on_sqlite.settings_of import settings_of

LOOKED_AT = 100
FEW, MANY, VERY_MANY = 100, 3_000, 30_000
ROUND = 2 * MANY // LOOKED_AT + 3


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = an_engine(tmp_path)
    yield made
    made.close()


def an_engine(folder: Path) -> Engine:
    address = address_of(folder / "engine", synced=False)
    make_embedded(settings_of(address))
    return open_engine(address)


def later() -> float:
    """Return a moment at which all files of a test are old, but no object is."""
    return time.time() + 7_200


def fill(engine: Engine, count: int) -> list[Path]:
    """Write objects, each with its file, and messages; return the files."""
    folder, now = engine.folder / "files", time.time()
    names = [f"{number:032x}" for number in range(count)]
    for name in names:
        (folder / name).touch()
    with closing(sqlite3.connect(engine.folder / "tables.db")) as file, file:
        (bucket,) = file.execute("SELECT id FROM made WHERE kind = 'bucket'").fetchone()
        (queue,) = file.execute("SELECT min(id) FROM made WHERE kind = 'queue'").fetchone()
        file.executemany(
            "INSERT INTO object VALUES (?, ?, 'image/png', 1, 'e', ?, ?)",
            [(bucket, f"media/w/{name}", now, json.dumps([[name, 1]])) for name in names],
        )
        file.executemany(
            "INSERT INTO message (queue, visible_at, name, team, body, sent_at, receipts)"
            " VALUES (?, ?, ?, 'w', 'x', ?, 0)",
            [(queue, now, name, now) for name in names],
        )
    return [folder / name for name in names]


def cost_of_a_sweep(engine: Engine, sweeper: Sweeper) -> int:
    """Return how many calls Python makes in a sweep, and steps SQLite's machine, in hundreds."""
    counted = 0

    def count(*_: object) -> None:
        nonlocal counted
        counted += 1

    connections = (engine._writer, *engine._readers)
    for connection in connections:
        connection.set_progress_handler(count, 100)
    sys.setprofile(count)
    sweeper.sweep()
    sys.setprofile(None)
    for connection in connections:
        connection.set_progress_handler(None, 0)
    return counted


@pytest.mark.costly
def test_a_sweep_beside_very_many_costs_what_it_costs_beside_few(tmp_path: Path) -> None:
    costs = []
    for count in (FEW, VERY_MANY):
        engine = an_engine(tmp_path / str(count))
        fill(engine, count)
        sweeper = Sweeper(engine, later)
        costs.append([cost_of_a_sweep(engine, sweeper) for _ in range(6)])
        engine.close()

    few, many = (max(each) for each in costs)
    assert many <= few * 1.3


def test_sweeps_come_to_every_file_and_remove_only_what_has_no_name(engine: Engine) -> None:
    named = fill(engine, MANY)
    stray = engine.folder / "files" / "stray"
    stray.touch()
    sweeper = Sweeper(engine, later)

    for _ in range(ROUND):
        sweeper.sweep()

    assert not stray.exists()
    assert all(file.exists() for file in named)


def test_a_file_that_gets_its_name_amid_a_round_stays(engine: Engine) -> None:
    fill(engine, MANY)
    sweeper = Sweeper(engine, later)
    for _ in range(MANY // LOOKED_AT + 1):
        sweeper.sweep()
    late = [engine.folder / "files" / f"late{number}" for number in range(100)]
    for file in late:
        file.touch()
    files = json.dumps([[file.name, 1] for file in late])
    with engine.writing() as connection:
        (bucket,) = connection.execute("SELECT id FROM made WHERE kind = 'bucket'").fetchone()
        row = (bucket, "incoming/w/a", "image/png", 1, "e", later(), files)
        connection.execute("INSERT INTO object VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    for _ in range(ROUND):
        sweeper.sweep()

    assert all(file.exists() for file in late)


def test_messages_past_their_time_are_removed_wherever_they_are(engine: Engine) -> None:
    fill(engine, 900)
    with engine.writing() as connection:
        connection.execute("UPDATE message SET sent_at = 1 WHERE id % 300 = 0")
    sweeper = Sweeper(engine)

    for _ in range(900 // LOOKED_AT + 1):
        sweeper.sweep()

    with engine.reading() as connection:
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (897,)
