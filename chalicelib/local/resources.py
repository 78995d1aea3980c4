"""Makes the tables, bucket, queues and key of `infra/resources.json` in an emulator.

Called at every start of the local stack and by tests. The template is the one that is deployed;
what an emulator's CloudFormation leaves out (TTL, lifecycle) is said again through the APIs.
"""

import json
import time
from collections.abc import Mapping
from pathlib import Path

import boto3

from chalicelib.settings import Settings

TEMPLATE = Path(__file__).parents[2] / "infra" / "resources.json"
_WAIT_S = 30.0
_POLL_S = 0.05


class ResourcesNotMade(Exception):
    """The emulator could not make the resources of the template."""


def client(settings: Settings, service: str):
    """Return a client of one AWS service at the settings' endpoint."""
    return boto3.client(service, endpoint_url=settings.endpoint_url, region_name=settings.region)


def make(settings: Settings) -> None:
    """Create what is missing; what is there already stays as it is."""
    template = TEMPLATE.read_text()
    _make_stack(settings, template)
    described = json.loads(template)["Resources"]
    _enable_ttl(settings)
    _put_lifecycle(settings, described["MediaBucket"]["Properties"])


def _make_stack(settings: Settings, template: str) -> None:
    formation = client(settings, "cloudformation")
    formation.create_stack(
        StackName=settings.resource_prefix,
        TemplateBody=template,
        Parameters=[
            {"ParameterKey": "ResourcePrefix", "ParameterValue": settings.resource_prefix},
            {"ParameterKey": "MediaBucketName", "ParameterValue": settings.media_bucket},
        ],
    )
    deadline = time.monotonic() + _WAIT_S
    while time.monotonic() < deadline:
        stack = formation.describe_stacks(StackName=settings.resource_prefix)["Stacks"][0]
        if stack["StackStatus"].endswith("IN_PROGRESS"):
            time.sleep(_POLL_S)
            continue
        if stack["StackStatus"] == "CREATE_COMPLETE":
            return
        break
    raise ResourcesNotMade(stack.get("StackStatusReason", stack["StackStatus"]))


def _enable_ttl(settings: Settings) -> None:
    tables = client(settings, "dynamodb")
    for name in (
        settings.posts_table,
        settings.directory_table,
        settings.media_table,
        settings.sandbox_table,
    ):
        described = tables.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
        if described["TimeToLiveStatus"] == "DISABLED":
            tables.update_time_to_live(
                TableName=name,
                TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires_at"},
            )


def _put_lifecycle(settings: Settings, bucket: Mapping) -> None:
    rules = [
        {**rule, "Filter": {"Prefix": rule.get("Prefix", "")}}
        for rule in bucket["LifecycleConfiguration"]["Rules"]
    ]
    for rule in rules:
        rule["ID"] = rule.pop("Id")
        rule.pop("Prefix", None)
        days = rule.pop("ExpirationInDays", None)
        if days is not None:
            rule["Expiration"] = {"Days": days}
    client(settings, "s3").put_bucket_lifecycle_configuration(
        Bucket=settings.media_bucket, LifecycleConfiguration={"Rules": rules}
    )
