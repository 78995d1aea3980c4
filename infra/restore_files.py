"""Brings back the files that were deleted and that rows name again (docs/operations.md).

    python -m infra.restore_files --stage prod

The bucket keeps a deleted file for seven days behind a mark that hides it. A restored table of
files names some of them again: their marks are taken away. A file that no row names stays deleted.
Run it again if it was interrupted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.tables import media_key
from infra.session import aws_session
from infra.stack import Stack

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

_FILES = "media/"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedFiles:
    """The files of a stage that were deleted."""

    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    table: str
    bucket: str

    def bring_back(self) -> Iterator[str]:
        """Take away the mark of each deleted file that a row names; yield its key."""
        for key, mark in self._marks():
            if self._is_named(key):
                self.s3.delete_object(Bucket=self.bucket, Key=key, VersionId=mark)
                yield key

    def _marks(self) -> Iterator[tuple[str, str]]:
        pages = self.s3.get_paginator("list_object_versions").paginate(
            Bucket=self.bucket, Prefix=_FILES
        )
        for page in pages:
            for one in page.get("DeleteMarkers", []):
                if one["IsLatest"]:
                    yield one["Key"], one["VersionId"]

    def _is_named(self, key: str) -> bool:
        _, workspace_id, media_id = key.split("/", 2)
        row = self.dynamodb.get_item(
            TableName=self.table,
            Key={name: {"S": text} for name, text in media_key(media_id).items()},
            ConsistentRead=True,
        ).get("Item", {})
        return row.get("list_workspace", {}).get("S") == workspace_id


@click.command()
@click.option("--stage", required=True, metavar="NAME")
def main(stage: str) -> None:
    """Bring back the deleted files that rows name."""
    session = aws_session()
    try:
        stack = Stack(session.client("cloudformation"), f"goldenhour-{stage}")
        (bucket,) = stack.physical_ids("AWS::S3::Bucket")
        files = DeletedFiles(
            dynamodb=session.client("dynamodb"),
            s3=session.client("s3"),
            table=f"goldenhour-{stage}-media",
            bucket=bucket,
        )
        count = sum(1 for _ in files.bring_back())
    except (ClientError, BotoCoreError) as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo(f"{count} files are back.")


if __name__ == "__main__":
    main()
