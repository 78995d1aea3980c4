"""Puts a stage's table back to what a recovered copy of it holds (docs/operations.md).

    python -m infra.restore --stage prod --table posts --from goldenhour-prod-posts-0900

DynamoDB recovers to a new table; this brings its rows home, so that names, indexes and policies
stay as they are. Only with the engine paused, and the engine's switch itself stays as it is.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.dynamodb.tables import SWITCH_KEY

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, WriteRequestTypeDef

_BATCH = 25
_SEGMENTS = 8
_SWITCH = (SWITCH_KEY["pk"], SWITCH_KEY["sk"])


class EngineRunsError(Exception):
    """The engine is running: `engine pause` comes first."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows were written and how many were taken away."""

    written: int
    removed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """Brings recovered rows home."""

    dynamodb: "DynamoDBClient"
    directory_table: str

    def run(self, recovered: str, home: str) -> Counts:
        """Make `home` hold what `recovered` holds, but for the switch. Raises EngineRunsError."""
        self._check_paused()
        with ThreadPoolExecutor(_SEGMENTS) as threads:
            kept = set().union(*threads.map(lambda n: self._copy(recovered, home, n), _segments()))
            removed = sum(threads.map(lambda n: self._prune(home, kept, n), _segments()))
        return Counts(len(kept), removed)

    def _check_paused(self) -> None:
        key = {name: {"S": text} for name, text in SWITCH_KEY.items()}
        found = self.dynamodb.get_item(
            TableName=self.directory_table, Key=key, ConsistentRead=True
        ).get("Item")
        if found is None or not found["paused"]["BOOL"]:
            raise EngineRunsError("The engine is running. Run `engine pause` first.")

    def _copy(self, recovered: str, home: str, segment: int) -> set[tuple[str, str]]:
        rows = [row for row in self._rows(recovered, segment) if _key(row) != _SWITCH]
        self._write(home, ({"PutRequest": {"Item": row}} for row in rows))
        return {_key(row) for row in rows}

    def _prune(self, home: str, kept: set[tuple[str, str]], segment: int) -> int:
        extra = [
            row
            for row in self._rows(home, segment)
            if _key(row) not in kept and _key(row) != _SWITCH
        ]
        keys = ({"pk": row["pk"], "sk": row["sk"]} for row in extra)
        self._write(home, ({"DeleteRequest": {"Key": key}} for key in keys))
        return len(extra)

    def _rows(self, table: str, segment: int) -> "Iterator[dict[str, AttributeValueTypeDef]]":
        pages = self.dynamodb.get_paginator("scan").paginate(
            TableName=table, ConsistentRead=True, Segment=segment, TotalSegments=_SEGMENTS
        )
        for page in pages:
            yield from page["Items"]

    def _write(self, table: str, requests: "Iterable[WriteRequestTypeDef]") -> None:
        left = list(requests)
        while left:
            batch, left = left[:_BATCH], left[_BATCH:]
            answer = self.dynamodb.batch_write_item(RequestItems={table: batch})
            left.extend(
                cast("list[WriteRequestTypeDef]", answer["UnprocessedItems"].get(table, []))
            )


def _segments() -> range:
    return range(_SEGMENTS)


def _key(row: "dict[str, AttributeValueTypeDef]") -> tuple[str, str]:
    return row["pk"]["S"], row["sk"]["S"]


@click.command()
@click.option("--stage", required=True, metavar="NAME")
@click.option("--table", required=True, type=click.Choice(["posts", "directory", "media"]))
@click.option("--from", "recovered", required=True, metavar="TABLE", help="The recovered table.")
def main(stage: str, table: str, recovered: str) -> None:
    """Make a table hold what a recovered copy holds."""
    restore = Restore(
        dynamodb=boto3.client("dynamodb"), directory_table=f"goldenhour-{stage}-directory"
    )
    home = f"goldenhour-{stage}-{table}"
    click.confirm(f"Replace every row of {home} by those of {recovered}?", abort=True)
    try:
        counts = restore.run(recovered, home)
    except (EngineRunsError, ClientError, BotoCoreError) as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo(f"{counts.written} rows written, {counts.removed} removed.")


if __name__ == "__main__":
    main()
