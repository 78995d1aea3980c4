"""Wires what the operator's commands call, beside `bootstrap`, which wires requests and workers.

Apart from it because nothing deployed needs these parts, and no function should load them.
`__main__` asks for the settings of `--stage`, which the stage's own stack says; the doctor of a
stage looks at what only a deployed stage has.
"""

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import boto3
from botocore.exceptions import ClientError

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.bootstrap.web import (
    make_administration,
    make_connecting,
    make_connections,
    make_sessions,
)
from chalicelib.doctor.examination import Checks, Doctor
from chalicelib.doctor.platform_checks import SignInChecks, VersionChecks
from chalicelib.doctor.resource_checks import (
    BucketChecks,
    KeyChecks,
    QueueChecks,
    TableChecks,
    read_plan,
)
from chalicelib.doctor.server_checks import AddressChecks, ServerChecks
from chalicelib.doctor.stage_checks import ApiChecks, ProtectionChecks, StageChecks, StageClients
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.services.app.connecting import Connecting
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.connections import Connections
from chalicelib.services.operator.deletion import WorkspaceDeletion
from chalicelib.services.operator.engine_control import EngineControl
from chalicelib.services.operator.sign_ins import SignIns
from chalicelib.services.posts.risks import PostRisks
from chalicelib.settings import Settings, region_named
from chalicelib.storage.workspace.workspaces import WorkspaceRepository
from chalicelib.workers.trial.publications import Trials


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorServices:
    """The use cases of the command line, one object per noun or two.

    `stack_runs` tells whether the local stack runs by itself; None for a stage in AWS.
    """

    administration: Administration
    deletion: WorkspaceDeletion
    sessions: Sessions
    connecting: Connecting
    connections: Connections
    sign_ins: SignIns
    engine_control: EngineControl
    risks: PostRisks
    doctor: Doctor
    trials: Trials
    base_url: str
    stack_runs: bool | None = None


_OF_LOCAL_STACKS = ("GOLDENHOUR_DATA_DIR", "GOLDENHOUR_RESOURCE_PREFIX")


def stage_settings(stage: str, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return a stage's settings, with the bucket and address that its stack names.

    Raises OperatorError when there is no such stage, or no region to look for it.
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
    )


def stack_outputs(settings: Settings) -> dict[str, str]:
    """Return what a stage's stack says of itself. Raises OperatorError."""
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


_LOCAL = "local"
_TEMPLATE = Path(__file__).parents[2] / "infra" / "resources.json"


def operator_services(deployment: Deployment) -> OperatorServices:
    """Return everything an operator's command can call."""
    table, clock = deployment.directory_table, deployment.clock
    engine_control = EngineControl(
        posts=deployment.posts,
        targets=deployment.targets,
        workspaces=WorkspaceRepository(table),
        updates=deployment.updates,
        queue=deployment.publish_queue,
        prepare_queue=deployment.prepare_queue,
        switch=deployment.engine_switch,
        clock=clock,
    )
    administration = make_administration(table, clock)
    connections = make_connections(
        table, clock, deployment.token_store, deployment.risks.account_broke
    )
    return OperatorServices(
        administration=administration,
        deletion=WorkspaceDeletion(
            workspaces=WorkspaceRepository(table),
            administration=administration,
            connections=connections,
            lists=deployment.risks.lists,
            updates=deployment.updates,
            library=deployment.media_library,
            clock=clock,
        ),
        sessions=make_sessions(deployment),
        connecting=make_connecting(deployment),
        base_url=deployment.settings.outer_url,
        connections=connections,
        sign_ins=SignIns(deployment.connectors, clock),
        engine_control=engine_control,
        risks=deployment.risks,
        doctor=_make_doctor(deployment),
        trials=_make_trials(deployment),
    )


def _make_trials(deployment: Deployment) -> Trials:
    return Trials(
        connectors=deployment.connectors,
        keeper=deployment.token_keeper,
        tokens=deployment.token_store.read,
        files=deployment.media_files,
        preparation=lambda: deployment.preflight.preparation,
        clock=deployment.clock,
        pause=lambda wait: time.sleep(wait.total_seconds()),
    )


def _machine(deployment: Deployment) -> Iterator[ServerChecks | AddressChecks]:
    data_dir, public_url = deployment.settings.data_dir, deployment.settings.public_url
    if data_dir is not None:
        yield ServerChecks(data_dir=Path(data_dir), clock=deployment.clock)
        if public_url is not None:
            yield AddressChecks(public_url, deployment.clock)


def _make_doctor(deployment: Deployment) -> Doctor:
    settings = deployment.settings
    kms = boto3.client("kms", endpoint_url=settings.endpoint_url, region_name=settings.region)
    plan = read_plan(_TEMPLATE.read_text(encoding="utf-8"), settings.resource_prefix)
    return Doctor(
        checks=(
            TableChecks(deployment.dynamodb, plan.tables),
            BucketChecks(deployment.s3, settings.media_bucket, settings.uploads_queue),
            QueueChecks(deployment.sqs, plan.queues),
            KeyChecks(kms, settings.tokens_key),
            VersionChecks(settings.platform_versions, deployment.clock),
            *(_machine(deployment) if settings.stage == _LOCAL else stage_checks(deployment)),
        ),
        sign_ins=SignInChecks(
            workspaces=WorkspaceRepository(deployment.directory_table),
            accounts=deployment.accounts,
            connectors=deployment.connectors,
            keeper=deployment.token_keeper,
        ),
        switch=deployment.engine_switch,
        public_url=settings.pull_url or settings.public_url,
    )
