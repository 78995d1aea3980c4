"""What was deleted is in no file any more: free pages are written over, and the log is emptied."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from chalicelib.kit.aws_on_sqlite.engine import FILE, Engine
from chalicelib.kit.aws_on_sqlite.schema import CONNECTION, TABLES

WORD = b"Poppyseed plait"


def test_a_deleted_row_leaves_no_words_in_the_file(tmp_path: Path) -> None:
    place, word = tmp_path / "engine.db", WORD
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        connection.executescript(CONNECTION)
        connection.executescript(TABLES)
        for number in range(200):
            connection.execute(
                "INSERT INTO item (tbl, pk, sk, body, size) VALUES (1, ?, 'POST', ?, 1)",
                (f"{number:032x}", f"{word.decode()} {number}" * 20),
            )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert word in place.read_bytes()

        connection.execute("DELETE FROM item")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        assert word not in place.read_bytes()


def _row_is_made_and_deleted(engine: Engine) -> None:
    with engine.writing() as connection:
        values = ("p", WORD.decode() * 9)
        connection.execute("INSERT INTO item VALUES (1, ?, 'POST', ?, 1, NULL)", values)
    with engine.writing() as connection:
        connection.execute("DELETE FROM item")


def test_a_log_that_nobody_writes_is_emptied_of_what_was_deleted(tmp_path: Path) -> None:
    with closing(Engine(tmp_path)) as engine:
        log = tmp_path / f"{FILE}-wal"
        _row_is_made_and_deleted(engine)
        assert WORD in log.read_bytes()
        long_ago = log.stat().st_mtime - 60
        os.utime(log, (long_ago, long_ago))

        engine.empty_quiet_log()

        assert log.stat().st_size == 0
        assert WORD not in (tmp_path / FILE).read_bytes()


def test_a_log_that_somebody_just_wrote_is_left_to_writers(tmp_path: Path) -> None:
    with closing(Engine(tmp_path)) as engine:
        _row_is_made_and_deleted(engine)

        engine.empty_quiet_log()

        assert WORD in (tmp_path / f"{FILE}-wal").read_bytes()
