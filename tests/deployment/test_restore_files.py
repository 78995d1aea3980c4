"""Rehearsal: files that were deleted come back with the rows that name them, and no others."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import boto3
import pytest
from moto import mock_aws

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.media.items import media_item
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.tables import media_key
from infra.restore_files import DeletedFiles
from tests.support.emulator import CREDENTIALS
from tests.support.frozen_clock import NOON

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE, BUCKET = "goldenhour-prod-media", "goldenhour-prod-media-1"
WORKSPACE = "0a" * 16


@dataclass(frozen=True, slots=True)
class Stage:
    """A table of files and a bucket that keeps what was deleted."""

    rows: "DynamoDBClient"
    store: S3MediaStore
    deleted: DeletedFiles

    def uploaded(self, body: bytes) -> Media:
        """Keep a file and its row."""
        media = Media(
            id=new_id(NOON),
            workspace_id=WORKSPACE,
            mime=MediaType.JPEG,
            filename="bread.jpg",
            size_bytes=len(body),
            width=1,
            height=1,
            created_at=NOON,
        )
        self.store.put(file_key(WORKSPACE, media.id), body, MediaType.JPEG)
        self.rows.put_item(TableName=TABLE, Item=attributes(media_item(media)))
        return media

    def deletes(self, media: Media) -> None:
        """Delete a file as the service does: the row and the object."""
        key = {name: {"S": text} for name, text in media_key(media.id).items()}
        self.rows.delete_item(TableName=TABLE, Key=key)
        self.store.delete(file_key(WORKSPACE, media.id))

    def kept(self, media: Media) -> bytes | None:
        key = file_key(WORKSPACE, media.id)
        return None if self.store.size(key) is None else self.store.whole(key)


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        rows, files = boto3.client("dynamodb"), boto3.client("s3")
        rows.create_table(
            TableName=TABLE,
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk")],
            BillingMode="PAY_PER_REQUEST",
        )
        files.create_bucket(Bucket=BUCKET)
        files.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        deleted = DeletedFiles(dynamodb=rows, s3=files, table=TABLE, bucket=BUCKET)
        yield Stage(rows, S3MediaStore(files, BUCKET), deleted)


def test_files_come_back_with_the_rows_of_a_restored_table(stage: Stage) -> None:
    wanted, unwanted, stays = (stage.uploaded(body) for body in (b"rye", b"spelt", b"oat"))
    backup = stage.rows.scan(TableName=TABLE)["Items"]
    for media in (wanted, unwanted):
        stage.deletes(media)
    for row in backup:
        if row["pk"]["S"] == wanted.id:
            stage.rows.put_item(TableName=TABLE, Item=row)

    came = list(stage.deleted.bring_back())

    assert came == [file_key(WORKSPACE, wanted.id)]
    assert [stage.kept(one) for one in (wanted, unwanted, stays)] == [b"rye", None, b"oat"]
    assert [] == list(stage.deleted.bring_back()), "run again, nothing is left to do"


def test_a_file_whose_row_says_that_it_was_removed_stays_deleted(stage: Stage) -> None:
    media = stage.uploaded(b"rye")
    stage.deletes(media)
    removed = replace(media, file_removed=True)
    stage.rows.put_item(TableName=TABLE, Item=attributes(media_item(removed)))

    assert [] == list(stage.deleted.bring_back())
