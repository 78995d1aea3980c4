"""The template's resources made through the services' own APIs, for moto.

moto's CloudFormation cannot make our template: it knows no queue policies, and a key made by it
answers `DescribeKey` with an exception of Python's.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from chalicelib.local.own_tables import TEMPLATE, make_tables
from chalicelib.local.resources import Clients, lifecycle_rules
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient


def make_moto_resources(settings: Settings, aws: Clients) -> None:
    """Make what the template describes, as far as storage needs it."""
    text = TEMPLATE.read_text(encoding="utf-8")
    template = json.loads(text)
    make_tables(aws.dynamodb, text, settings.resource_prefix)
    for properties in _queues(template):
        name = properties["QueueName"]["Fn::Sub"]
        aws.sqs.create_queue(
            QueueName=name.replace("${ResourcePrefix}", settings.resource_prefix),
            Attributes={"VisibilityTimeout": str(properties["VisibilityTimeout"])},
        )
    aws.s3.create_bucket(Bucket=settings.media_bucket)
    aws.s3.put_bucket_lifecycle_configuration(
        Bucket=settings.media_bucket, LifecycleConfiguration={"Rules": lifecycle_rules(template)}
    )
    aws.kms.create_alias(AliasName=settings.tokens_key, TargetKeyId=_key(aws.kms))


@cache
def _key(kms: "KMSClient") -> str:
    """Make a key for all prefixes, each of which has a name for it: moto makes one of RSA, too."""
    return kms.create_key()["KeyMetadata"]["KeyId"]


def _queues(template: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    resources = template["Resources"].values()
    return [each["Properties"] for each in resources if each["Type"] == "AWS::SQS::Queue"]
