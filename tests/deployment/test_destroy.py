"""A stage is taken down only when it holds nothing, and then wholly."""

import boto3
import pytest
from click.testing import CliRunner

from infra.deploy import main as deploy
from infra.deploy import show
from infra.destroy import HoldsDataError, Remains
from infra.stack import Change, ChangeSet, Stack
from tests.deployment.stage import STAGE, Stage

pytestmark = pytest.mark.deploy


@pytest.fixture
def remains(stage: Stage) -> Remains:
    formation = stage.cloud.aws.formation
    return Remains(
        dynamodb=boto3.client("dynamodb"),
        s3=boto3.client("s3"),
        kms=boto3.client("kms"),
        stack=Stack(formation, f"goldenhour-{STAGE}", poll_s=0.1),
    )


def test_a_stage_with_rows_stays(stage: Stage, remains: Remains) -> None:
    with pytest.raises(HoldsDataError, match="goldenhour-dev-directory has rows"):
        remains.destroy()

    assert remains.stack.status() == "UPDATE_COMPLETE"  # protected since
    assert stage.call("GET", "/v1/posts")[0] == 200


def test_a_stage_with_files_stays(stage: Stage, remains: Remains) -> None:
    bucket = stage.settings.media_bucket
    remains.s3.put_object(Bucket=bucket, Key="media/1/2", Body=b"bread")

    with pytest.raises(HoldsDataError, match=f"{bucket} has files"):
        remains.destroy()

    remains.s3.delete_object(Bucket=bucket, Key="media/1/2")


def test_an_empty_stage_goes_with_its_tables_bucket_and_key(stage: Stage, remains: Remains) -> None:
    table = stage.settings.directory_table
    for row in remains.dynamodb.scan(TableName=table)["Items"]:
        remains.dynamodb.delete_item(TableName=table, Key={"pk": row["pk"], "sk": row["sk"]})

    remains.destroy()

    assert remains.stack.status() in (None, "DELETE_COMPLETE")
    assert remains.dynamodb.list_tables()["TableNames"] == []
    buckets = [one["Name"] for one in remains.s3.list_buckets()["Buckets"]]
    assert stage.settings.media_bucket not in buckets


@pytest.mark.parametrize(
    ("action", "kind", "replaced", "endangers"),
    [
        ("Modify", "AWS::DynamoDB::Table", "False", False),
        ("Modify", "AWS::DynamoDB::Table", "True", True),
        ("Modify", "AWS::DynamoDB::Table", "Conditional", True),
        ("Remove", "AWS::S3::Bucket", "False", True),
        ("Remove", "AWS::Lambda::Function", "False", False),
        ("Add", "AWS::KMS::Key", "False", False),
    ],
)
def test_a_change_that_endangers_data_is_told_from_others(
    action: str, kind: str, replaced: str, *, endangers: bool
) -> None:
    change = Change(action=action, name="One", kind=kind, replaced=replaced)

    assert change.endangers_data is endangers
    (line,) = show(ChangeSet(name="1", creates=False, changes=(change,)))
    assert ("HOLDS DATA" in line) is endangers


def test_a_parameter_without_a_value_is_wrong_usage() -> None:
    result = CliRunner().invoke(deploy, ["--stage", "dev", "--set", "PublicUrl"])

    assert result.exit_code == 2
    assert "NAME=VALUE" in result.output


@pytest.mark.parametrize("stage", ["", "nowhere"])
def test_a_stage_that_the_configuration_does_not_know_is_not_deployed(stage: str) -> None:
    result = CliRunner().invoke(deploy, ["--stage", stage])

    assert result.exit_code == 1
    assert "dev, prod" in result.output
