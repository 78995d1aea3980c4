"""What was deleted is not in the file any more: free pages and cells are written over."""

import sqlite3
from contextlib import closing
from pathlib import Path

from chalicelib.kit.aws_on_sqlite.schema import CONNECTION, TABLES


def test_a_deleted_row_leaves_no_words_in_the_file(tmp_path: Path) -> None:
    place, word = tmp_path / "engine.db", b"Poppyseed plait"
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
