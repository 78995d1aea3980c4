"""Data goes with its stage only for whoever says so, and then all of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError
from moto import mock_aws

from infra.destroy import HoldsDataError, KeepsFilesError, Remains
from infra.stack import Stack
from tests.support.emulator import CREDENTIALS

if TYPE_CHECKING:
    from botocore.exceptions import _ClientErrorResponseTypeDef

TABLE = "goldenhour-dev-posts"
BUCKET = "goldenhour-dev-media-1"
PAGE = 7
"""Of as many files the emulated S3 tells in one call: 1,000 in the real one, and here too slow."""


class DevStack(Stack):
    """A stack of a table and a bucket that CloudFormation is not asked about."""

    def physical_ids(self, kind: str) -> list[str]:
        return {"AWS::DynamoDB::Table": [TABLE], "AWS::S3::Bucket": [BUCKET]}.get(kind, [])

    def delete(self) -> None:
        """Leave table and bucket, as a stack does that retains them."""


@pytest.fixture
def remains(monkeypatch: pytest.MonkeyPatch) -> Iterator[Remains]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", str(PAGE))
    with mock_aws():
        tables, files = boto3.client("dynamodb"), boto3.client("s3")
        tables.create_table(
            TableName=TABLE,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
            DeletionProtectionEnabled=True,
        )
        tables.put_item(TableName=TABLE, Item={"pk": {"S": "bread"}})
        files.create_bucket(Bucket=BUCKET)
        for number in range(PAGE + 1):
            files.put_object(Bucket=BUCKET, Key=f"media/{number}", Body=b"bread")
        stack = DevStack(boto3.client("sts"), "goldenhour-dev")  # type: ignore[arg-type]  # never asked
        yield Remains(dynamodb=tables, s3=files, kms=boto3.client("kms"), stack=stack, poll_s=0)


def test_a_stage_that_holds_data_stays_unless_its_data_is_to_go(remains: Remains) -> None:
    with pytest.raises(HoldsDataError, match=r"has rows.* has files"):
        remains.destroy()

    assert remains.dynamodb.list_tables()["TableNames"] == [TABLE]


@pytest.mark.parametrize("versions", [False, True], ids=["no versions", "versions"])
def test_a_stage_goes_with_its_protected_tables_and_all_its_files(
    remains: Remains, *, versions: bool
) -> None:
    if versions:
        remains.s3.put_bucket_versioning(
            Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"}
        )
        remains.s3.put_object(Bucket=BUCKET, Key="media/0", Body=b"rye")
        remains.s3.delete_object(Bucket=BUCKET, Key="media/1")

    deleted = remains.destroy(with_data=True)

    assert deleted == ["goldenhour-dev", TABLE, BUCKET]
    assert remains.dynamodb.list_tables()["TableNames"] == []
    assert remains.s3.list_buckets()["Buckets"] == []


def test_a_stage_is_empty_though_deleted_files_are_kept_for_a_week(remains: Remains) -> None:
    remains.s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    for number in range(PAGE + 1):
        remains.s3.delete_object(Bucket=BUCKET, Key=f"media/{number}")
    remains.dynamodb.delete_item(TableName=TABLE, Key={"pk": {"S": "bread"}})

    remains.destroy()

    assert remains.s3.list_buckets()["Buckets"] == []


def test_a_table_is_deleted_once_it_is_no_longer_changed(remains: Remains) -> None:
    """DynamoDB API reference: DeleteTable of a table that UpdateTable still changes is refused."""
    left = 0

    def change(**_: object) -> None:
        nonlocal left
        left = 3

    def describe(parsed: dict[str, dict[str, str]], **_: object) -> None:
        nonlocal left
        left = max(left - 1, 0)
        parsed["Table"]["TableStatus"] = "UPDATING" if left else "ACTIVE"

    def delete(**_: object) -> None:
        if left:
            refused: _ClientErrorResponseTypeDef = {"Error": {"Code": "ResourceInUseException"}}
            raise ClientError(refused, "DeleteTable")

    events = remains.dynamodb.meta.events
    events.register("after-call.dynamodb.UpdateTable", change)
    events.register("after-call.dynamodb.DescribeTable", describe)
    events.register("before-call.dynamodb.DeleteTable", delete)

    remains.destroy(with_data=True)

    assert remains.dynamodb.list_tables()["TableNames"] == []


def test_files_that_s3_keeps_are_told_instead_of_deleted_for_ever(remains: Remains) -> None:
    """S3 API reference, DeleteObjects: 200, with an error for each file that was not deleted."""
    asked = 0

    def refuse(**_: object) -> tuple[AWSResponse, dict[str, object]]:
        nonlocal asked
        asked += 1
        assert asked == 1, "asked again and again"
        kept = {"Key": "media/0", "Code": "AccessDenied", "Message": "Access Denied"}
        return AWSResponse("", 200, HTTPHeaders(), None), {"Errors": [kept]}

    events: Any = remains.s3.meta.events
    events.register("before-call.s3.DeleteObjects", refuse)

    with pytest.raises(KeepsFilesError, match=r"keeps 1 files: media/0 is refused .AccessDenied"):
        remains.destroy(with_data=True)
