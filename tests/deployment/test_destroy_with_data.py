"""Data goes with its stage only for whoever says so, and then all of it."""

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from infra.destroy import HoldsDataError, Remains
from infra.stack import Stack
from tests.support.emulator import CREDENTIALS

TABLE = "goldenhour-dev-posts"
BUCKET = "goldenhour-dev-media-1"
FILES = 1_001
"""One more than S3 lists or deletes in one call."""


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
        for number in range(FILES):
            files.put_object(Bucket=BUCKET, Key=f"media/{number}", Body=b"bread")
        stack = DevStack(boto3.client("sts"), "goldenhour-dev")  # type: ignore[arg-type]  # never asked
        yield Remains(dynamodb=tables, s3=files, kms=boto3.client("kms"), stack=stack)


def test_a_stage_that_holds_data_stays_unless_its_data_is_to_go(remains: Remains) -> None:
    with pytest.raises(HoldsDataError, match=r"has rows.* has files"):
        remains.destroy()

    assert remains.dynamodb.list_tables()["TableNames"] == [TABLE]


def test_a_stage_goes_with_its_protected_tables_and_all_its_files(remains: Remains) -> None:
    deleted = remains.destroy(with_data=True)

    assert deleted == ["goldenhour-dev", TABLE, BUCKET]
    assert remains.dynamodb.list_tables()["TableNames"] == []
    assert remains.s3.list_buckets()["Buckets"] == []
