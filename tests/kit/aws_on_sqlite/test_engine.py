"""The engine's file: shared syncs, refusals when it cannot be written, calls that are not known."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from botocore.exceptions import EndpointConnectionError, ParamValidationError

from chalicelib.kit.aws_on_sqlite import shared_sync
from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.shared_sync import SharedSync
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(tmp_path / "engine")
    yield made
    made.close()


def test_many_who_wait_share_one_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log").touch()
    made: list[int] = []

    def until_all_others_wait(_descriptor: int) -> None:
        made.append(1)
        while len(made) == 1 and waiting(sync) < 49:
            time.sleep(0.001)

    monkeypatch.setattr(shared_sync, "_sync", until_all_others_wait)
    sync = SharedSync(tmp_path / "log", mark=-1)
    with ThreadPoolExecutor(50) as threads:
        list(threads.map(lambda _: sync.wait(), range(50)))

    assert len(made) == 2


def waiting(sync: SharedSync) -> int:
    """Return how many threads wait for a sync that another one makes."""
    return len(sync._changed._waiters)  # type: ignore[attr-defined]


def test_who_comes_while_a_sync_runs_waits_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log").touch()
    go_on, begun = threading.Event(), threading.Semaphore(0)

    def held(_descriptor: int) -> None:
        begun.release()
        go_on.wait(240)

    monkeypatch.setattr(shared_sync, "_sync", held)
    sync = SharedSync(tmp_path / "log", mark=-1)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(sync.wait)
        begun.acquire(timeout=240)
        second = threads.submit(sync.wait)
        time.sleep(0.05)
        go_on.set()
        first.result(240)
        second.result(240)

    assert begun.acquire(timeout=240)


def test_what_cannot_be_written_is_a_service_that_does_not_answer(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    with engine.writing() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        before = connection.execute("SELECT count(*) FROM made").fetchone()
    engine._writer.execute(f"PRAGMA max_page_count = {pages}")

    for _ in range(2):
        with pytest.raises(EndpointConnectionError), engine.writing() as connection:
            connection.executemany(
                "INSERT INTO made (kind, name, about) VALUES ('table', ?, ?)",
                [(str(number), "x" * 1000) for number in range(100)],
            )

    with engine.reading() as connection:
        assert connection.execute("SELECT count(*) FROM made").fetchone() == before
    (line,) = [record.getMessage() for record in caplog.records]
    assert "cannot be written (database or disk is full)" in line


def test_a_write_that_is_refused_on_its_way_leaves_nothing_of_itself(engine: Engine) -> None:
    """Its token would stay otherwise, and answer the same write with success the next time."""
    with engine.reading() as connection:
        before = connection.execute("SELECT count(*) FROM made").fetchone()

    def write_half() -> None:
        with engine.writing() as writer:
            writer.execute("INSERT INTO made (kind, name, about) VALUES ('table', 'half', '{}')")
            raise KeyError("half")

    with pytest.raises(KeyError):
        write_half()

    with engine.reading() as connection:
        assert connection.execute("SELECT count(*) FROM made").fetchone() == before


def test_what_a_call_does_not_know_is_refused(engine: Engine) -> None:
    tables = EmbeddedDynamoDB(engine)

    with pytest.raises(ParamValidationError, match=r"GetItem does not take \['Expected'\] here"):
        tables.get_item(TableName="t", Key={}, Expected={})
    with pytest.raises(AttributeError):
        _ = tables.execute_statement  # type: ignore[attr-defined]  # which is the point


def test_the_log_is_worked_into_the_file_beside_the_writers(engine: Engine) -> None:
    for number in range(5_000):
        engine.make("table", str(number), {"x": "y" * 4000})

    log = engine.folder / "tables.db-wal"
    assert log.stat().st_size < 60_000_000  # all that was written is 85 MB
