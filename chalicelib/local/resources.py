"""Makes the tables, bucket, queues and key of `infra/resources.json` in LocalStack.

Called at every start of `make run STACK=localstack` and by tests. It gives CloudFormation the
template that is deployed, and sets what LocalStack ignores in it (TTL, lifecycle) through the APIs.
A separate DynamoDB at `AWS_ENDPOINT_URL_DYNAMODB` gets its tables by its own API: CloudFormation
would make them in LocalStack.
"""

import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import boto3
from botocore.exceptions import ClientError

from chalicelib.bootstrap.template import TEMPLATE, template_of
from chalicelib.kit.aws_on_sqlite.resources import Template
from chalicelib.local.own_tables import make_tables
from chalicelib.local.processes.process import die_with_parent
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.type_defs import ParameterTypeDef
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import LifecycleRuleTypeDef
    from mypy_boto3_sqs import SQSClient


class Clients(NamedTuple):
    """One client for each service that holds resources."""

    formation: "CloudFormationClient"
    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    sqs: "SQSClient"
    kms: "KMSClient"


def lifecycle_rules(template: Template) -> "list[LifecycleRuleTypeDef]":
    """Return the rules of the template's media bucket."""
    (bucket,) = template.of("AWS::S3::Bucket")
    return [_rule(rule) for rule in bucket["LifecycleConfiguration"]["Rules"]]


def _rule(described: Mapping[str, Any]) -> "LifecycleRuleTypeDef":
    rule: LifecycleRuleTypeDef = {
        "ID": str(described["Id"]),
        "Status": "Enabled",
        "Filter": {"Prefix": str(described.get("Prefix", ""))},
    }
    if "ExpirationInDays" in described:
        rule["Expiration"] = {"Days": described["ExpirationInDays"]}
    if "NoncurrentVersionExpiration" in described:
        rule["NoncurrentVersionExpiration"] = described["NoncurrentVersionExpiration"]
    if "AbortIncompleteMultipartUpload" in described:
        rule["AbortIncompleteMultipartUpload"] = described["AbortIncompleteMultipartUpload"]
    return rule


_WAIT_S = 60.0
_POLL_S = 0.05
_GOOD = ("CREATE_COMPLETE", "UPDATE_COMPLETE")


class ResourcesNotMade(Exception):
    """LocalStack could not make the resources; the message says which or why."""


def clients(settings: Settings) -> Clients:
    """Return clients at the settings' endpoint."""
    endpoint, region = settings.endpoint_url, settings.region
    session = boto3.Session(region_name=region)
    return Clients(
        formation=session.client("cloudformation", endpoint_url=endpoint),
        dynamodb=session.client("dynamodb", endpoint_url=settings.dynamodb_url),
        s3=session.client("s3", endpoint_url=endpoint),
        sqs=session.client("sqs", endpoint_url=endpoint),
        kms=session.client("kms", endpoint_url=endpoint),
    )


def make(settings: Settings) -> None:
    """Create missing resources; existing ones stay as they are. Raises ResourcesNotMade."""
    aws = clients(settings)
    make_all(settings, aws)
    enable_expiry(settings, aws.dynamodb)


def make_all(settings: Settings, aws: Clients) -> None:
    """Create everything without checking what exists, as tests do under their own prefixes.

    Rows expire only after `enable_expiry`.
    """
    _apply(aws.formation, settings)
    template = template_of(settings)
    if settings.dynamodb_url != settings.endpoint_url:
        make_tables(aws.dynamodb, template)
    aws.s3.put_bucket_lifecycle_configuration(
        Bucket=settings.media_bucket,
        LifecycleConfiguration={"Rules": lifecycle_rules(template)},
    )


def enable_expiry(settings: Settings, dynamodb: "DynamoDBClient") -> None:
    """Switch on the expiry of rows that say when they expire."""
    template = template_of(settings)
    for said in template.of("AWS::DynamoDB::Table"):
        table, expiry = template.name(said["TableName"]), said["TimeToLiveSpecification"]
        described = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
        if described["TimeToLiveStatus"] in ("DISABLED", "DISABLING"):
            dynamodb.update_time_to_live(TableName=table, TimeToLiveSpecification=expiry)


def _apply(formation: "CloudFormationClient", settings: Settings) -> None:
    stack, template = settings.resource_prefix, TEMPLATE.read_text(encoding="utf-8")
    parameters: list[ParameterTypeDef] = [
        {"ParameterKey": "ResourcePrefix", "ParameterValue": settings.resource_prefix},
        {"ParameterKey": "MediaBucketName", "ParameterValue": settings.media_bucket},
    ]
    try:
        formation.create_stack(StackName=stack, TemplateBody=template, Parameters=parameters)
    except formation.exceptions.AlreadyExistsException:
        with suppress(ClientError):  # nothing to update is an error, too
            formation.update_stack(StackName=stack, TemplateBody=template, Parameters=parameters)
    deadline = time.monotonic() + _WAIT_S
    while True:
        found = formation.describe_stacks(StackName=stack)["Stacks"][0]
        if found["StackStatus"] in _GOOD:
            return
        if not found["StackStatus"].endswith("IN_PROGRESS") or time.monotonic() > deadline:
            raise ResourcesNotMade(found.get("StackStatusReason", found["StackStatus"]))
        time.sleep(_POLL_S)


def main() -> None:
    """Make the resources of this process's environment."""
    die_with_parent()
    try:
        make(Settings.from_environment())
    except ResourcesNotMade as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
