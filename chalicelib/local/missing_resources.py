"""Tells what of the template an emulator lacks: tables, their indexes, bucket, queues, key.

Asked at every start, so that CloudFormation is troubled only when something is to be made.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from botocore.exceptions import ClientError

from chalicelib.settings import Settings

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient


class Clients(NamedTuple):
    """One client for each service that holds resources."""

    formation: "CloudFormationClient"
    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    sqs: "SQSClient"
    kms: "KMSClient"


class _Properties(TypedDict, total=False):
    TableName: dict[str, str]
    QueueName: dict[str, str]
    GlobalSecondaryIndexes: list[dict[str, str]]


class _Resource(TypedDict):
    Type: str
    Properties: _Properties


def missing_resources(settings: Settings, template: str, aws: Clients) -> list[str]:
    """Return the names of what is not there, for a person to read."""
    resources: dict[str, _Resource] = json.loads(template)["Resources"]
    missing = [
        gap
        for resource in resources.values()
        for gap in _gaps(resource["Type"], resource["Properties"], settings, aws)
    ]
    bucket, key = settings.media_bucket, settings.tokens_key
    if not _is_there(lambda: aws.s3.head_bucket(Bucket=bucket)):
        missing.append(f"the bucket {bucket}")
    if not _is_there(lambda: aws.kms.describe_key(KeyId=key)):
        missing.append(f"the key {key}")
    return missing


def _gaps(kind: str, properties: _Properties, settings: Settings, aws: Clients) -> list[str]:
    match kind:
        case "AWS::DynamoDB::Table":
            name = _named(settings, properties["TableName"])
            wanted = {index["IndexName"] for index in properties.get("GlobalSecondaryIndexes", [])}
            return _table_gaps(aws.dynamodb, name, wanted)
        case "AWS::SQS::Queue":
            name = _named(settings, properties["QueueName"])
            there = _is_there(lambda: aws.sqs.get_queue_url(QueueName=name))
            return [] if there else [f"the queue {name}"]
    return []


def _table_gaps(dynamodb: "DynamoDBClient", name: str, wanted: set[str]) -> list[str]:
    try:
        table = dynamodb.describe_table(TableName=name)["Table"]
    except dynamodb.exceptions.ResourceNotFoundException:
        return [f"the table {name}"]
    there = {index["IndexName"] for index in table.get("GlobalSecondaryIndexes", [])}
    return [f"the index {index} of {name}" for index in sorted(wanted - there)]


def _named(settings: Settings, name: dict[str, str]) -> str:
    return name["Fn::Sub"].replace("${ResourcePrefix}", settings.resource_prefix)


def _is_there(look: Callable[[], object]) -> bool:
    try:
        look()
    except ClientError:
        return False
    return True
