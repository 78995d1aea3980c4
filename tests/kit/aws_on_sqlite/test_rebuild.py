"""A rebuild of a table's indexes may end anywhere, and the next one makes them whole all the same.

What is right is what the engine writes when the rows are put one by one into a table that is made
so from the start, and what moto, another reading of DynamoDB, finds on such a table's indexes.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError
from moto import mock_aws

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.resources import Template, make_resources, rebuild_under_way
from chalicelib.kit.aws_on_sqlite.tables import rebuild as rebuild_module
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB

SEED = 20261125
ROWS = 60
Dump = dict[str, list[tuple[object, ...]]]


def an_index(name: str, hashed: str, ranged: str, *more: str) -> dict[str, Any]:
    projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(more)}
    return {
        "IndexName": name,
        "KeySchema": [
            {"AttributeName": hashed, "KeyType": "HASH"},
            {"AttributeName": ranged, "KeyType": "RANGE"},
        ],
        "Projection": projection if more else {"ProjectionType": "KEYS_ONLY"},
    }


WAKE = an_index("wake", "shard", "at", "owner")
BY_OWNER = an_index("by_owner", "owner", "pk")
BY_SHARD = an_index("by_shard", "shard", "at")
WAKE_BY_OWNER = an_index("wake", "owner", "at")


def a_template(*indexes: Mapping[str, Any], expires: bool = True) -> Template:
    expiry = {"TimeToLiveSpecification": {"AttributeName": "until", "Enabled": True}}
    table = {
        "TableName": "posts",
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": "S"}
            for name in ("pk", "sk", "shard", "at", "owner")
        ],
        "GlobalSecondaryIndexes": list(indexes),
        **(expiry if expires else {}),
    }
    resource = {"Type": "AWS::DynamoDB::Table", "Properties": {**table, "TableName": {"Ref": "T"}}}
    return Template(json.dumps({"Resources": {"Table": resource}}), {"T": "posts"})


OLD = a_template(BY_OWNER, BY_SHARD, WAKE_BY_OWNER, expires=False)
NEW = a_template(WAKE, BY_OWNER)


def rows(count: int = ROWS) -> Iterator[dict[str, Any]]:
    """Yield rows of which each has some of the attributes that indexes need."""
    chance = random.Random(SEED)
    for number in range(count):
        row = {"pk": {"S": f"P{chance.randrange(count)}"}, "sk": {"S": f"ROW#{number:06}"}}
        for name, text in (
            ("shard", f"W{chance.randrange(4)}"),
            ("at", f"2026-11-{chance.randrange(10, 30)}"),
            ("owner", "Zoë" if chance.random() < 0.5 else "Ines"),
        ):
            if chance.random() < 0.7:
                row[name] = {"S": text}
        if chance.random() < 0.3:
            row["until"] = {"N": str(chance.randrange(10**9))}
        yield row


def filled(folder: Path, template: Template, count: int = ROWS) -> Path:
    with opened(folder) as engine:
        make_resources(engine, template)
        tables = EmbeddedDynamoDB(engine)
        for row in rows(count):
            tables.put_item(TableName="posts", Item=row)
    return folder


@contextmanager
def opened(folder: Path) -> Iterator[Engine]:
    engine = Engine(folder)
    try:
        yield engine
    finally:
        engine.close()


def dump(folder: Path) -> Dump:
    """Return what is in a table's indexes, and when its rows expire."""
    with closing(sqlite3.connect(folder / "tables.db")) as file:
        return {
            "places": sorted(file.execute("SELECT idx, hash, range, pk, sk, more FROM entry")),
            "expiries": sorted(file.execute("SELECT pk, sk, expires FROM item")),
        }


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Dump:
    return dump(filled(tmp_path_factory.mktemp("right") / "engine", NEW))


@pytest.fixture(scope="module")
def former(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("former") / "engine", OLD)


@pytest.fixture
def engine_folder(former: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(rebuild_module, "_ROWS", 7)
    return Path(shutil.copytree(former, tmp_path / "engine"))


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
