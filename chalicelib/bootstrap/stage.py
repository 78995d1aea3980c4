"""What the operator's commands need to know of a deployed stage: its stack says it.

`__main__` asks for the settings of `--stage`; `operator` adds the looks at what only a
deployed stage has to the doctor's.
"""

import os
from collections.abc import Mapping
from dataclasses import replace

import boto3
from botocore.exceptions import ClientError

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.doctor.doctor import Checks
from chalicelib.doctor.protection_checks import ProtectionChecks
from chalicelib.doctor.stage_checks import ApiChecks, StageChecks, StageClients
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.settings import Settings

_LOCAL = ("GOLDENHOUR_DATA_DIR", "GOLDENHOUR_RESOURCE_PREFIX")


def stage_settings(stage: str, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return a stage's settings, with the bucket and address that its stack names.

    Raises OperatorError when there is no such stage.
    """
    outer = {name: text for name, text in environment.items() if name not in _LOCAL}
    prefix = f"goldenhour-{stage}"
    settings = Settings.from_environment(
        {**outer, "GOLDENHOUR_STAGE": stage, "GOLDENHOUR_RESOURCE_PREFIX": prefix}
    )
    outputs = stack_outputs(settings)
    public_url = outputs.get("PublicUrl")
    return replace(
        settings,
        media_bucket=outputs.get("MediaBucket", settings.media_bucket),
        public_url=public_url or settings.public_url,
        base_url=public_url or outputs.get("ApiUrl", settings.base_url),
    )


def stack_outputs(settings: Settings) -> dict[str, str]:
    """Return what a stage's stack says of itself. Raises OperatorError."""
    formation = boto3.client(
        "cloudformation", endpoint_url=settings.endpoint_url, region_name=settings.region
    )
    try:
        found = formation.describe_stacks(StackName=settings.resource_prefix)["Stacks"][0]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        message = (
            f"There is no stage {settings.stage} in this account and region ({settings.region})."
        )
        raise OperatorError(message) from error
    return {one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", [])}


def stage_checks(deployment: Deployment) -> tuple[Checks, ...]:
    """Return the looks at what only a deployed stage has."""
    settings = deployment.settings
    session = boto3.Session(region_name=settings.region)
    endpoint = settings.endpoint_url
    clients = StageClients(
        formation=session.client("cloudformation", endpoint_url=endpoint),
        functions=session.client("lambda", endpoint_url=endpoint),
        events=session.client("events", endpoint_url=endpoint),
        cloudwatch=session.client("cloudwatch", endpoint_url=endpoint),
    )
    tables = deployment.tables
    return (
        StageChecks(clients=clients, stack=settings.resource_prefix, bucket=settings.media_bucket),
        ProtectionChecks(
            dynamodb=deployment.dynamodb,
            s3=deployment.s3,
            kms=deployment.kms,
            tables=(tables.posts, tables.directory, tables.media),
            bucket=settings.media_bucket,
            key=settings.tokens_key,
        ),
        ApiChecks(settings.base_url),
    )
