"""A disk that fails for a moment: callers are told so, as of a service that is down, and go on."""

import errno
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.kit.aws_on_sqlite import engine as engines
from chalicelib.kit.aws_on_sqlite.engine import (
    FILE,
    FILES,
    Checkpoints,
    DiskFailedError,
    Engine,
)
from chalicelib.kit.aws_on_sqlite.files import File, Files

Step = Callable[[Files, File], object]
FAILURES = [
    sqlite3.OperationalError("disk I/O error"),
    sqlite3.DatabaseError("database disk image is malformed"),
    OSError(errno.EIO, "Input/output error"),
    MemoryError(),
]
"""What SQLite raises: the second for a read that fails (SQLITE_IOERR_CORRUPTFS of its sources)."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Return an engine that something is in."""
    engine = Engine(tmp_path / "engine", synced=True)
    engine.make("queue", "bread", {})
    yield engine
    engine.close()


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
@pytest.mark.parametrize("way", ["reading", "writing"])
def test_what_the_disk_refuses_is_no_answer_and_the_next_call_has_one(
    engine: Engine, way: str, failure: Exception
) -> None:
    with pytest.raises(DiskFailedError), getattr(engine, way)():
        raise failure

    assert engine.find_made("queue", "bread") is not None
    assert engine.make("queue", "cake", {})


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_an_engine_that_cannot_be_opened_says_so_as_one_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def connect(*_: object, **__: object) -> sqlite3.Connection:
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", connect)
        with pytest.raises(DiskFailedError):
            Engine(tmp_path / "engine")

    Engine(tmp_path / "engine").close()


def test_a_mistake_of_ours_at_the_opening_is_not_told_as_a_failing_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start waits for the disk as long as it fails; it would wait for ever."""

    def connect(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.ProgrammingError("no binding")

    monkeypatch.setattr(sqlite3, "connect", connect)

    with pytest.raises(sqlite3.ProgrammingError):
        Engine(tmp_path / "engine")


def test_a_log_of_which_a_sync_failed_is_begun_anew(engine: Engine) -> None:
    """The mark is a byte in a file that is empty else; `test_refused_calls` has who makes it."""
    log, mark = engine.folder / f"{FILE}-wal", engine.folder / "turn"
    os.truncate(mark, 1)
    before = log.stat().st_size

    second = Engine(engine.folder, synced=True)
    found = second.find_made("queue", "bread")
    second.close()

    assert before > 0
    assert (log.stat().st_size, mark.stat().st_size) == (0, 0)
    assert found is not None


def test_a_log_of_which_a_sync_failed_is_not_relied_on_while_it_is_read(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_BUSY_S", 0.1)
    os.truncate(engine.folder / "turn", 1)

    with engine.reading() as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT * FROM made").fetchone()
        with pytest.raises(DiskFailedError, match="is being read"):
            Engine(engine.folder, synced=True)
        connection.execute("COMMIT")

    assert (engine.folder / "turn").stat().st_size == 1


def test_a_write_without_a_lock_is_no_answer(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with monkeypatch.context() as patched:
        patched.setattr(fcntl, "flock", refuse)
        with pytest.raises(DiskFailedError, match="No locks"):
            engine.make("queue", "cake", {})

    assert engine.make("queue", "cake", {})


def test_a_call_that_is_wrong_is_not_taken_for_a_failing_disk(engine: Engine) -> None:
    row = "INSERT INTO made (kind, name, about) VALUES ('queue', 'bread', '{}')"

    with pytest.raises(sqlite3.IntegrityError), engine.writing() as connection:
        connection.execute(row)


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_a_log_that_could_not_be_copied_is_copied_the_next_time(failure: Exception) -> None:
    tries: list[sqlite3.Connection] = []

    @contextmanager
    def alone() -> Iterator[None]:
        yield

    class Failing(Checkpoints):
        def _work_in(self, connection: sqlite3.Connection) -> int:
            tries.append(connection)
            if len(tries) == 2:
                self._stopping = True
            self._asked.set()
            raise failure

    with closing(sqlite3.connect(":memory:")) as connection:
        checkpoints = Failing(lambda: connection, alone)
        checkpoints._asked.set()

        checkpoints._run()

    assert len(tries) == 2


@pytest.mark.parametrize(
    ("call", "step"),
    [
        ("open", lambda files, _: files.keep([b"crumbs"])),
        ("fsync", lambda files, _: files.keep([b"crumbs"])),
        ("link", lambda files, file: files.link([file])),
        ("fsync", lambda files, file: files.link([file])),
    ],
    ids=["open", "sync", "link", "sync of a link"],
)
@pytest.mark.parametrize("after", [0, 1])
def test_a_file_that_cannot_be_kept_is_no_answer_and_leaves_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, call: str, step: Step, after: int
) -> None:
    """The second sync is that of the folder, which has the names."""
    folder = engine.folder / FILES
    files = Files(folder, synced=True)
    file, _ = files.keep([b"bread"])

    with monkeypatch.context() as patched:
        patched.setattr(os, call, _failing(getattr(os, call), after))
        told = _outcome(files, file, step)

    left = {path.name for path in folder.iterdir()}
    assert told == left - {file[0]}
    assert files.read([file], 0, 5) == b"bread"


def _outcome(files: Files, file: File, step: Step) -> set[str]:
    """Return the names of what was kept: none where the disk failed."""
    try:
        kept = step(files, file)
    except EndpointConnectionError:
        return set()
    first = kept[0]  # type: ignore[index] # of both
    return {first[0]}


def _failing(real: Callable[..., object], after: int) -> Callable[..., object]:
    calls = [0]

    def call(*words: object, **more: object) -> object:
        calls[0] += 1
        if calls[0] > after:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(*words, **more)

    return call


def test_a_file_that_cannot_be_read_is_no_answer(engine: Engine) -> None:
    files = Files(engine.folder / FILES, synced=True)
    file, _ = files.keep([b"bread"])
    place = engine.folder / FILES / file[0]
    place.rename(place.with_suffix(".away"))

    with pytest.raises(EndpointConnectionError):
        files.read([file], 0, 5)


def test_a_file_that_cannot_be_removed_is_left_to_the_sweep(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What names it is gone, and was acknowledged."""
    files = Files(engine.folder / FILES, synced=True)
    names = [files.keep([b"bread"])[0][0], files.keep([b"cake"])[0][0]]
    stuck = engine.folder / FILES / names[0]
    real = Path.unlink

    def unlink(path: Path, *, missing_ok: bool = False) -> None:
        if path == stuck:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)

    files.drop(names)

    assert [path.name for path in (engine.folder / FILES).iterdir()] == [stuck.name]
