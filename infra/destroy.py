"""`make destroy STAGE=…`: deletes a stage's stack, and its data only for whoever types its name.

Refuses while a table has rows or the bucket has files, unless `--with-data` is given and the
stage's name is typed. Then tables and bucket go too, and the key is given its waiting period; until
then its deletion can be taken back, and nothing else's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from infra.session import aws_session
from infra.stack import Stack, StackError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ObjectIdentifierTypeDef

_KEY_WAITS_DAYS = 30


class HoldsDataError(Exception):
    """The stage still holds data; the message says where."""


class KeepsFilesError(Exception):
    """S3 refuses to delete files of a stage whose stack is gone; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remains:
    """What a stack leaves behind, and the clients to look into it."""

    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    kms: "KMSClient"
    stack: Stack
    poll_s: int = 2

    @classmethod
    def of(cls, session: boto3.Session, stage: str) -> "Remains":
        """Return what a stage leaves behind in the account and region of a session."""
        return cls(
            dynamodb=session.client("dynamodb"),
            s3=session.client("s3"),
            kms=session.client("kms"),
            stack=Stack(session.client("cloudformation"), f"goldenhour-{stage}"),
        )

    def destroy(self, *, with_data: bool = False) -> list[str]:
        """Delete a stage; return what was deleted. Raises StackError and KeepsFilesError.

        Raises HoldsDataError if it is not empty, unless its data is to go with it.
        """
        tables = self.stack.physical_ids("AWS::DynamoDB::Table")
        buckets = self.stack.physical_ids("AWS::S3::Bucket")
        keys = self.stack.physical_ids("AWS::KMS::Key")
        held = [*self._full_tables(tables), *self._full_buckets(buckets)]
        if held and not with_data:
            raise HoldsDataError(" ".join(held))
        self.stack.delete()
        for table in tables:
            self._unprotect(table)
            self.dynamodb.delete_table(TableName=table)
        for bucket in buckets:
            self._empty(bucket)
            self.s3.delete_bucket(Bucket=bucket)
        for key in keys:
            self.kms.schedule_key_deletion(KeyId=key, PendingWindowInDays=_KEY_WAITS_DAYS)
        return [self.stack.name, *tables, *buckets, *keys]

    def _unprotect(self, table: str) -> None:
        """Let a table be deleted: DynamoDB deletes none that is being changed."""
        self.dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
        changed = self.dynamodb.get_waiter("table_exists")
        changed.wait(TableName=table, WaiterConfig={"Delay": self.poll_s, "MaxAttempts": 300})

    def _empty(self, bucket: str) -> None:
        """Delete every version of every file, those that were deleted already too."""
        while named := self._first_versions(bucket):
            answer = self.s3.delete_objects(Bucket=bucket, Delete={"Objects": named, "Quiet": True})
            if kept := answer.get("Errors"):
                first = kept[0]
                raise KeepsFilesError(
                    f"Bucket {bucket} keeps {len(kept)} files: {first['Key']} is refused "
                    f"({first['Code']})."
                )

    def _first_versions(self, bucket: str) -> "list[ObjectIdentifierTypeDef]":
        page = self.s3.list_object_versions(Bucket=bucket)
        kept = [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
        return [{"Key": one["Key"], "VersionId": one["VersionId"]} for one in kept]

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
@click.option("--with-data", is_flag=True, help="Delete its rows and files too, for good.")
def main(stage: str, *, with_data: bool) -> None:
    """Delete a stage; one that holds data only with --with-data."""
    try:
        _destroy(stage, with_data=with_data)
    except HoldsDataError as held:
        advice = (
            "Nothing was deleted. docs/operations.md says how to export its data; "
            f"make destroy STAGE={stage} WITH_DATA=1 deletes it too."
        )
        raise click.ClickException(f"{held} {advice}") from held
    except (StackError, KeepsFilesError, ClientError, BotoCoreError) as problem:
        raise click.ClickException(str(problem)) from problem


def _destroy(stage: str, *, with_data: bool) -> None:
    remains = Remains.of(aws_session(), stage)
    stack = remains.stack
    if stack.status() is None:
        raise click.ClickException(
            f"There is no stage {stage} in this account and region. What a deletion that broke off "
            f"left behind is taken back by make import STAGE={stage}, and then deleted."
        )
    if with_data:
        click.echo(f"This deletes stack {stack.name}, all its rows and all its files for good.")
        if click.prompt("Type the stage's name to go on") != stage:
            raise click.Abort
    else:
        click.confirm(f"Delete stack {stack.name} and everything in it?", abort=True)
    for name in remains.destroy(with_data=with_data):
        click.echo(f"deleted {name}")


if __name__ == "__main__":
    main()
