"""The settings of a deployed stage, as its own stack says them, for the operator's `--stage`."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import boto3
from botocore.exceptions import ClientError

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.settings import Settings, region_named

_OF_LOCAL_STACKS = ("GOLDENHOUR_DATA_DIR", "GOLDENHOUR_RESOURCE_PREFIX")


def stage_settings(stage: str, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return a stage's settings, with the bucket and addresses that its stack names.

    Raises OperatorError when there is no such stage, or no region is set.
    """
    outer = {name: text for name, text in environment.items() if name not in _OF_LOCAL_STACKS}
    region = region_named(environment) or cast("str | None", boto3.Session().region_name)
    if region is None:
        message = "No region: set AWS_REGION, or AWS_PROFILE to a profile that names one."
        raise OperatorError(message)
    settings = Settings.from_environment(
        {
            **outer,
            "AWS_REGION": region,
            "GOLDENHOUR_STAGE": stage,
            "GOLDENHOUR_RESOURCE_PREFIX": f"goldenhour-{stage}",
        }
    )
    outputs = stack_outputs(settings)
    public_url = outputs.get("PublicUrl")
    return replace(
        settings,
        media_bucket=outputs.get("MediaBucket", settings.media_bucket),
        public_url=public_url or settings.public_url,
        base_url=public_url or outputs.get("ApiUrl", settings.base_url),
        smtp_url=None,
        notices_sender=outputs.get("NoticesSender"),
    )


def stack_outputs(settings: Settings) -> dict[str, str]:
    """Return the outputs of a stage's stack. Raises OperatorError."""
    session = boto3.Session(region_name=settings.region)
    formation = session.client("cloudformation", endpoint_url=settings.endpoint_url)
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
