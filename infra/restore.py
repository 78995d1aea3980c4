"""Puts a stage's table back to what a recovered copy of it holds (docs/operations.md).

    python -m infra.restore --stage prod --table posts --from goldenhour-prod-posts-0900

DynamoDB recovers to a new table; this brings its rows home, so that names, indexes and policies
stay as they are. Only with the engine paused, and the engine's switch itself stays as it is.
A post of which a target went out since, or may have, keeps all its rows as they are: what is
published cannot be taken back by forgetting it. So do the marks of moved workspaces, which say that
another deployment has them. Rows are read and written as a stream.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, cast

import click
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.tables import SWITCH_KEY, moved_key
from infra.session import aws_session

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, WriteRequestTypeDef

    Row = dict[str, AttributeValueTypeDef]

_BATCH = 25
_SEGMENTS = 8
_LIVE_POSTS = "REMOTE#"
_MOVED = moved_key("")["pk"]
_STAY = (SWITCH_KEY["pk"], _LIVE_POSTS, _MOVED)
"""What begins the keys of rows that are taken away by no restore."""
_NEVER_SENT = (None, None)
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
            written = sum(threads.map(lambda n: self._copy(recovered, home, n), _segments()))
            removed = sum(threads.map(lambda n: self._prune(recovered, home, n), _segments()))
        return Counts(written, removed)

    def _check_paused(self) -> None:
        key = {name: {"S": text} for name, text in SWITCH_KEY.items()}
        found = self.dynamodb.get_item(
            TableName=self.directory_table, Key=key, ConsistentRead=True
        ).get("Item")
        if found is None or not found["paused"]["BOOL"]:
            raise EngineRunsError("The engine is running. Run `engine pause` first.")

    def _copy(self, recovered: str, home: str, segment: int) -> int:
        """Write one segment's rows home; return how many."""
        return self._write(home, self._puts(recovered, home, segment))

    def _puts(self, recovered: str, home: str, segment: int) -> "Iterator[WriteRequestTypeDef]":
        for pk, rows in groupby(self._rows(recovered, segment), key=lambda row: row["pk"]["S"]):
            if pk.startswith(_MOVED):
                continue
            partition = [row for row in rows if _key(row) != _SWITCH]
            if not self._went_on(home, pk, partition):
                yield from (_put(row) for row in partition)

    def _prune(self, recovered: str, home: str, segment: int) -> int:
        """Take away one segment's rows that the recovered table does not hold; return how many."""
        return self._write(home, self._deletes(recovered, home, segment))

    def _deletes(self, recovered: str, home: str, segment: int) -> "Iterator[WriteRequestTypeDef]":
        for pk, rows in groupby(self._rows(home, segment), key=lambda row: row["pk"]["S"]):
            if pk.startswith(_STAY):
                continue
            kept = {_key(row) for row in self._partition(recovered, pk)}
            extra = [key for key in map(_key, rows) if key not in kept]
            if extra and not (kept and self._went_on(home, pk, self._partition(recovered, pk))):
                yield from (_delete(key) for key in extra)

    def _went_on(self, home: str, pk: str, recovered: "Iterable[Row]") -> bool:
        """Tell whether a target of this post was sent, or may have been, since the recovery."""
        before = {_key(row): _sending(row) for row in recovered if _is_target(row)}
        if not before:
            return False
        return any(
            _sending(row) != before.get(_key(row), _NEVER_SENT)
            for row in self._partition(home, pk)
            if _is_target(row) and _sending(row) != _NEVER_SENT
        )

    def _partition(self, table: str, pk: str) -> "Iterator[Row]":
        pages = self.dynamodb.get_paginator("query").paginate(
            TableName=table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": pk}},
            ConsistentRead=True,
        )
        for page in pages:
            yield from page["Items"]

    def _rows(self, table: str, segment: int) -> "Iterator[Row]":
        pages = self.dynamodb.get_paginator("scan").paginate(
            TableName=table, ConsistentRead=True, Segment=segment, TotalSegments=_SEGMENTS
        )
        for page in pages:
            yield from page["Items"]

    def _write(self, table: str, requests: "Iterable[WriteRequestTypeDef]") -> int:
        """Carry out the requests, a batch at a time; return how many there were."""
        written, stream = 0, iter(requests)
        while batch := list(islice(stream, _BATCH)):
            written += len(batch)
            while batch:
                answer = self.dynamodb.batch_write_item(RequestItems={table: batch})
                left = answer["UnprocessedItems"].get(table, [])
                batch = cast("list[WriteRequestTypeDef]", left)
        return written


def _segments() -> range:
    return range(_SEGMENTS)


def _key(row: "Row") -> tuple[str, str]:
    return row["pk"]["S"], row["sk"]["S"]


def _put(row: "Row") -> "WriteRequestTypeDef":
    return {"PutRequest": {"Item": row}}


def _delete(key: tuple[str, str]) -> "WriteRequestTypeDef":
    return {"DeleteRequest": {"Key": {"pk": {"S": key[0]}, "sk": {"S": key[1]}}}}


def _is_target(row: "Row") -> bool:
    return row["sk"]["S"].startswith("TARGET#")


def _sending(row: "Row") -> tuple[str | None, str | None]:
    """Return what says that a target went out, and what says that it may have."""
    return row.get("remote_id", {}).get("S"), row.get("sent", {}).get("S")


@click.command()
@click.option("--stage", required=True, metavar="NAME")
@click.option("--table", required=True, type=click.Choice(["posts", "directory", "media"]))
@click.option("--from", "recovered", required=True, metavar="TABLE", help="The recovered table.")
def main(stage: str, table: str, recovered: str) -> None:
    """Make a table hold what a recovered copy holds."""
    home = f"goldenhour-{stage}-{table}"
    click.confirm(f"Replace every row of {home} by those of {recovered}?", abort=True)
    try:
        restore = Restore(
            dynamodb=aws_session().client("dynamodb"),
            directory_table=f"goldenhour-{stage}-directory",
        )
        counts = restore.run(recovered, home)
    except (EngineRunsError, ClientError, BotoCoreError) as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo(f"{counts.written} rows written, {counts.removed} removed.")


if __name__ == "__main__":
    main()
