"""A table before a rebuild of its indexes and after it, for tests."""

import json
import random
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.resources import Template, make_resources
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
