"""`make destroy STAGE=…`: deletes a stage's stack, but never data.

Refuses while a table has rows or the bucket has files. Once both are empty, tables and bucket go
too, and the key is given its waiting period; until then deletion can be taken back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from infra.stack import Stack, StackError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client

_KEY_WAITS_DAYS = 30


class HoldsDataError(Exception):
    """The stage still holds data; the message says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remains:
    """What a stack leaves behind, and the clients to look into it."""

    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    kms: "KMSClient"
    stack: Stack

    def destroy(self) -> list[str]:
        """Delete an empty stage; return what was deleted. Raises HoldsDataError, StackError."""
        tables = self.stack.physical_ids("AWS::DynamoDB::Table")
        buckets = self.stack.physical_ids("AWS::S3::Bucket")
        keys = self.stack.physical_ids("AWS::KMS::Key")
        held = [*self._full_tables(tables), *self._full_buckets(buckets)]
        if held:
            raise HoldsDataError(" ".join(held))
        self.stack.delete()
        for table in tables:
            self.dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
            self.dynamodb.delete_table(TableName=table)
        for bucket in buckets:
            self.s3.delete_bucket(Bucket=bucket)
        for key in keys:
            self.kms.schedule_key_deletion(KeyId=key, PendingWindowInDays=_KEY_WAITS_DAYS)
        return [self.stack.name, *tables, *buckets, *keys]

    def _full_tables(self, tables: list[str]) -> Iterator[str]:
        for table in tables:
            if self.dynamodb.scan(TableName=table, Limit=1, ConsistentRead=True)["Items"]:
                yield f"Table {table} has rows."

    def _full_buckets(self, buckets: list[str]) -> Iterator[str]:
        for bucket in buckets:
            if self.s3.list_objects_v2(Bucket=bucket, MaxKeys=1).get("Contents"):
                yield f"Bucket {bucket} has files."


@click.command()
@click.option("--stage", required=True, metavar="NAME")
def main(stage: str) -> None:
    """Delete a stage that holds no data."""
    try:
        _destroy(stage)
    except HoldsDataError as held:
        advice = "Nothing was deleted. docs/operations.md says how to export and empty a stage."
        raise click.ClickException(f"{held} {advice}") from held
    except (StackError, ClientError, BotoCoreError) as problem:
        raise click.ClickException(str(problem)) from problem


def _destroy(stage: str) -> None:
    stack = Stack(boto3.client("cloudformation"), f"goldenhour-{stage}")
    if stack.status() is None:
        raise click.ClickException(f"There is no stage {stage} in this account and region.")
    remains = Remains(
        dynamodb=boto3.client("dynamodb"),
        s3=boto3.client("s3"),
        kms=boto3.client("kms"),
        stack=stack,
    )
    click.confirm(f"Delete stack {stack.name} and everything in it?", abort=True)
    for name in remains.destroy():
        click.echo(f"deleted {name}")


if __name__ == "__main__":
    main()
