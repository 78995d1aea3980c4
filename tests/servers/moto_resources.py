"""The template's resources made through the services' own APIs, for moto.

moto's CloudFormation cannot make our template: it knows no queue policies, and a key made by it
answers `DescribeKey` with an exception of Python's.
"""

from functools import cache
from typing import TYPE_CHECKING

from chalicelib.bootstrap.template import template_of
from chalicelib.local.own_tables import make_tables
from chalicelib.local.resources import Clients, lifecycle_rules
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient


def make_moto_resources(settings: Settings, aws: Clients) -> None:
    """Make what the template describes, as far as storage needs it."""
    template = template_of(settings)
    make_tables(aws.dynamodb, template)
    for properties in template.of("AWS::SQS::Queue"):
        aws.sqs.create_queue(
            QueueName=template.name(properties["QueueName"]),
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
