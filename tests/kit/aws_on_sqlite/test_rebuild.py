"""A rebuild of a table's indexes may end anywhere, and the next one makes them whole all the same.

What is right is what the engine writes when the rows are put one by one into a table that is made
so from the start, and what moto, another reading of DynamoDB, finds on such a table's indexes.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError
from moto import mock_aws

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.resources import make_resources, rebuild_under_way
from chalicelib.kit.aws_on_sqlite.tables import rebuild as rebuild_module
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB
from tests.kit.aws_on_sqlite.rebuilt_table import (
    BY_OWNER,
    NEW,
    OLD,
    ROWS,
    Dump,
    a_template,
    dump,
    filled,
    opened,
    rows,
)


class Killed(BaseException):
    """The process ended here."""


class Mortal(Engine):
    """An engine whose process is killed at one of its writes: before it is kept, or after."""

    lives = 0
    dies_before = False

    @contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[sqlite3.Connection]:
        """Write, and die when it is time."""
        self.lives -= 1
        with super().writing(lasting=lasting) as connection:
            yield connection
            if self.lives == 0 and self.dies_before:
                raise Killed
        if self.lives == 0:
            raise Killed


@pytest.mark.parametrize("dies_before", [True, False], ids=["before a commit", "after it"])
def test_a_rebuild_that_is_killed_at_any_step_is_finished_by_the_next(
    former: Path, engine_folder: Path, right: Dump, *, dies_before: bool
) -> None:
    deaths = 0
    while True:
        shutil.rmtree(engine_folder)
        shutil.copytree(former, engine_folder)
        mortal = Mortal(engine_folder)
        mortal.lives, mortal.dies_before = deaths + 1, dies_before
        try:
            make_resources(mortal, NEW)
        except Killed:
            deaths += 1
        else:
            break
        finally:
            mortal.close()
        with opened(engine_folder) as engine:
            make_resources(engine, NEW)
            assert rebuild_under_way(engine, NEW) is None
        assert dump(engine_folder) == right

    assert deaths > ROWS // 7 * 2


def test_a_rebuild_that_is_killed_again_and_again_goes_on_where_it_was(
    engine_folder: Path, right: Dump
) -> None:
    told = []
    for _ in range(1000):
        mortal = Mortal(engine_folder)
        mortal.lives = 9
        try:
            make_resources(mortal, NEW)
            break
        except Killed:
            told.append(rebuild_under_way(mortal, NEW))
        finally:
            mortal.close()

    assert dump(engine_folder) == right
    seen = [one.rows for one in told if one is not None]
    assert seen == sorted(seen)
    assert 0 < seen[-1] <= ROWS


def test_a_disk_that_is_full_at_any_step_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild_module, "_ROWS", 7)
    many = 10 * ROWS
    folder = filled(tmp_path / "engine", a_template(BY_OWNER, expires=False), many)
    with opened(folder) as engine:
        (pages,) = engine._writer.execute("PRAGMA page_count").fetchone()
        refusals, told = 0, []
        for more in range(200):
            engine._writer.execute(f"PRAGMA max_page_count = {pages + more}")
            try:
                make_resources(engine, NEW)
                break
            except EndpointConnectionError:
                refusals += 1
                told.append(rebuild_under_way(engine, NEW))

    assert refusals > 3
    assert len({one.rows for one in told if one is not None}) > 3, "each goes on where it was"
    assert dump(folder) == dump(filled(tmp_path / "right", NEW, many))


def test_what_two_transactions_of_an_earlier_version_left_behind_is_found(
    former: Path, tmp_path: Path, right: Dump
) -> None:
    folder = Path(shutil.copytree(former, tmp_path / "engine"))
    with opened(tmp_path / "other") as engine:
        make_resources(engine, NEW)
        made = json.dumps(engine.find_made("table", "posts")[1])  # type: ignore[index]
    with closing(sqlite3.connect(folder / "tables.db")) as file, file:
        file.execute("DELETE FROM made WHERE kind = 'whole'")
        file.execute("UPDATE made SET about = ? WHERE kind = 'table'", (made,))

    with opened(folder) as engine:
        make_resources(engine, NEW)

    assert dump(folder) == right


def test_an_earlier_version_that_opens_a_directory_amid_a_rebuild_begins_anew(
    engine_folder: Path,
) -> None:
    mortal = Mortal(engine_folder)
    mortal.lives = 8
    with pytest.raises(Killed):
        make_resources(mortal, NEW)
    found = mortal.find_made("table", "posts")
    mortal.close()

    with opened(engine_folder) as engine:
        make_resources(engine, OLD)
        again = engine.find_made("table", "posts")

    assert found is not None
    assert again is not None
    assert found[1] != again[1], "the earlier version compares the two, and makes all anew"
    assert "Rebuild" in found[1]
    assert "Rebuild" not in again[1]


def test_moto_finds_the_same_rows_on_the_indexes(
    engine_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(engine_folder) as engine:
        make_resources(engine, NEW)
        ours = [on_index(EmbeddedDynamoDB(engine), name) for name in ("wake", "by_owner")]

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    with mock_aws():
        moto = boto3.client("dynamodb", region_name="us-east-1")
        said = dict(NEW_TABLE)
        said.pop("TimeToLiveSpecification")
        moto.create_table(**said, BillingMode="PAY_PER_REQUEST")
        for row in rows():
            moto.put_item(TableName="posts", Item=row)
        theirs = [on_index(moto, name) for name in ("wake", "by_owner")]

    assert ours == theirs
    assert all(ours)


NEW_TABLE = {
    **next(NEW.of("AWS::DynamoDB::Table")),
    "TableName": "posts",
}


def on_index(client: Any, name: str) -> list[str]:  # noqa: ANN401 - boto3's or ours
    """Return all rows of an index, whoever tells of it."""
    hashed = {"wake": "shard", "by_owner": "owner"}[name]
    found: list[str] = []
    for value in ("W0", "W1", "W2", "W3", "Zoë", "Ines"):
        answer = client.query(
            TableName="posts",
            IndexName=name,
            KeyConditionExpression="#hash = :value",
            ExpressionAttributeNames={"#hash": hashed},
            ExpressionAttributeValues={":value": {"S": value}},
        )
        found += [json.dumps(row, sort_keys=True) for row in answer["Items"]]
    return sorted(found)
