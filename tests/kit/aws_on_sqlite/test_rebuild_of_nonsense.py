"""Nonsense in a directory stops no rebuild of indexes: places are made right, rows are left out."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.resources import make_resources, rebuild_under_way
from tests.kit.aws_on_sqlite.rebuilt_table import (
    NEW,
    Dump,
    dump,
    opened,
)


@pytest.mark.parametrize(
    "nonsense",
    [
        "DELETE FROM entry",
        "UPDATE entry SET more = 'nonsense'",
        "INSERT INTO entry SELECT tbl, idx, hash, 'x' || range, pk, sk, more FROM entry",
        "INSERT INTO entry SELECT tbl, x'ff00', hash, range, pk, sk, more FROM entry",
        "INSERT INTO entry SELECT tbl, idx, x'ff00', range, pk, sk, '' FROM entry",
        "INSERT INTO entry SELECT tbl, '', CAST(x'ff' AS TEXT), idx, pk, sk, '' FROM entry",
        "INSERT INTO entry SELECT tbl, 'zzz', hash, range, pk, sk, more FROM entry",
        "UPDATE item SET expires = 17",
    ],
)
def test_an_index_of_nonsense_is_made_right(
    engine_folder: Path, right: Dump, nonsense: str
) -> None:
    with closing(sqlite3.connect(engine_folder / "tables.db")) as file, file:
        file.execute(nonsense)

    with opened(engine_folder) as engine:
        make_resources(engine, NEW)

    assert dump(engine_folder) == right


@pytest.mark.parametrize(
    "body",
    [
        "nonsense",
        b"\xff\xfe\x00",
        "",
        "null",
        '["shard", "owner"]',
        '{"shard": 5, "at": null, "owner": {"S": 7}}',
        '{"owner": {"S": ""}, "shard": {"S": "W1"}, "at": {"S": "x"}}',
        '{"owner": {"S": "\\ud800"}, "shard": {"S": "W1"}, "at": {"S": "x"}}',
        '{"until": {"N": "9999999999999999999999"}, "shard": {"S": "W1"}}',
        '{"until": {"N": "soon"}, "shard": {"S": "W1"}}',
        "[" * 100_000 + '"shard"',
    ],
    ids=lambda body: repr(body)[:20],
)
@pytest.mark.parametrize("key", ["A", b"\xff", "Z"], ids=["first", "bytes", "last"])
def test_rows_of_nonsense_are_in_no_index_and_stop_nothing(
    engine_folder: Path, right: Dump, body: str | bytes, key: str | bytes
) -> None:
    with closing(sqlite3.connect(engine_folder / "tables.db")) as file, file:
        for column in ("?", "CAST(? AS TEXT)"):
            text = "INSERT OR IGNORE INTO item VALUES (1, {0}, {0}, ?, 1, NULL)"
            file.execute(text.format(column), (key, key, body))

    with opened(engine_folder) as engine:
        make_resources(engine, NEW)
        assert rebuild_under_way(engine, NEW) is None

    assert dump_places(engine_folder) == right["places"]


def dump_places(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "tables.db")) as file:
        return sorted(file.execute("SELECT idx, hash, range, pk, sk, more FROM entry"))
