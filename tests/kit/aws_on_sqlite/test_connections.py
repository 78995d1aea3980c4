"""Who opens a connection closes it: the garbage collector finds none, and since 3.13 it tells."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import ClassVar

import pytest

from chalicelib.kit.aws_on_sqlite import engine as engines
from chalicelib.kit.aws_on_sqlite.engine import FILE, Checkpoints, DiskFailedError, Engine
from chalicelib.storage.sandbox_former import FORMER
from chalicelib.storage.sandbox_here import SandboxHere

_LEAVES_ALL_OPEN = """
import sys, threading
from pathlib import Path
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.settings import Settings

folder = Path(sys.argv[1])
engine = open_engine(address_of(folder / "engine", synced=False))
for _ in range(300):
    assert engine.make("queue", "bread", {}) in (True, False)
with engine.reading() as first, engine.reading() as second:
    first.execute("SELECT 1")
settings = {"GOLDENHOUR_DATA_DIR": str(folder), "AWS_ENDPOINT_URL": engine.address}
Deployment(Settings.from_environment(settings)).sandbox_store.bump("bread")
begun = threading.Event()
def write():
    with engine.writing():
        begun.set()
        threading.Event().wait()
if sys.argv[2:]:
    threading.Thread(target=write, daemon=True).start()
    begun.wait()
"""


class Told(sqlite3.Connection):
    """A connection that says when it is opened and closed."""

    opened: ClassVar["set[Told]"] = set()

    def __init__(self, *about: object, **more: object) -> None:
        super().__init__(*about, **more)  # type: ignore[arg-type]  # handed on
        Told.opened.add(self)

    def close(self) -> None:
        """Close it and say so."""
        super().close()
        Told.opened.discard(self)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[Told]]:
    """Return the connections that are open, of those that the test opens."""
    connect = sqlite3.connect

    def told(*about: object, **more: object) -> sqlite3.Connection:
        return connect(*about, factory=Told, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", told)
    yield Told.opened
    for left in [*Told.opened]:
        left.close()


def test_a_closed_engine_has_no_connection_left(tmp_path: Path, opened: set[Told]) -> None:
    engine = Engine(tmp_path / "engine")
    with engine.reading(), engine.reading():
        pass
    for _ in range(300):
        engine.make("queue", "bread", {})
    assert len(opened) >= 3

    engine.close()

    assert opened == set()


def test_what_is_read_while_an_engine_closes_is_closed_when_it_was_read(
    tmp_path: Path, opened: set[Told]
) -> None:
    engine = Engine(tmp_path / "engine")

    with engine.reading() as connection:
        engine.close()
        assert connection.execute("SELECT 1").fetchone() == (1,)

    assert opened == set()


def test_what_cannot_be_opened_leaves_no_connection(tmp_path: Path, opened: set[Told]) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 1_000)

    with pytest.raises(DiskFailedError):
        Engine(tmp_path)

    assert opened == set()


def test_a_closed_sandbox_has_no_connection_left_and_takes_nothing(
    tmp_path: Path, opened: set[Told]
) -> None:
    store = SandboxHere(tmp_path)
    store.bump("bread")

    store.close()

    with pytest.raises(sqlite3.ProgrammingError, match="was closed"):
        store.bump("bread")
    assert opened == set()


def test_a_former_sandbox_that_cannot_be_read_leaves_no_connection(
    tmp_path: Path, opened: set[Told]
) -> None:
    (tmp_path / FORMER).write_bytes(b"no database" * 1_000)

    with pytest.raises(sqlite3.DatabaseError):
        SandboxHere(tmp_path)

    assert opened == set()


def test_a_thread_that_fails_closes_its_connection(
    tmp_path: Path, opened: set[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails is not the disk, after which it goes on."""

    def alone() -> AbstractContextManager[None]:
        raise RuntimeError("no turn")

    monkeypatch.setattr(engines, "_MOST_PAGES", -2)
    checkpoints = Checkpoints(lambda: sqlite3.connect(tmp_path / FILE), alone)
    checkpoints._asked.set()

    with pytest.raises(RuntimeError, match="no turn"):
        checkpoints._run()

    assert opened == set()


@pytest.mark.parametrize("held", [(), ("writes",)], ids=["idle", "while a thread writes"])
def test_a_process_that_ends_closes_what_it_opened(tmp_path: Path, held: tuple[str, ...]) -> None:
    command = [sys.executable, "-W", "error", "-c", _LEAVES_ALL_OPEN, str(tmp_path), *held]

    ended = subprocess.run(
        command, cwd=Path(engines.__file__).parents[3], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    if not held:  # SQLite removes the log when its last connection is closed
        assert {path.name for path in tmp_path.rglob("*.db*")} == {FILE}


def test_all_connections_together_keep_few_megabytes_of_pages(tmp_path: Path) -> None:
    """Each fills what it may keep, however long that takes."""
    engine = Engine(tmp_path / "engine")
    with ExitStack() as readers:
        connections = [readers.enter_context(engine.reading()) for _ in range(engines._READERS)]
        sizes = [
            -connection.execute("PRAGMA cache_size").fetchone()[0]
            for connection in (engine._writer, *connections)
        ]
    engine.close()

    assert all(size > 0 for size in sizes), "a positive size counts pages"
    assert sum(sizes) <= 12_000
