"""Wires the doctor of one deployment: a stage in AWS, or a local stack.

The command `doctor` runs it. Clients of services that only it calls are made here.
"""

from collections.abc import Iterator
from pathlib import Path

import boto3

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.bootstrap.template import template_of
from chalicelib.doctor.examination import Checks, Doctor
from chalicelib.doctor.platform_checks import SignInChecks, VersionChecks
from chalicelib.doctor.resource_checks import (
    BucketChecks,
    KeyChecks,
    QueueChecks,
    TableChecks,
    plan_queues,
    plan_tables,
)
from chalicelib.doctor.server_checks import AddressChecks, ServerChecks
from chalicelib.doctor.stage_checks import ApiChecks, ProtectionChecks, StageChecks, StageClients
from chalicelib.doctor.zone_checks import ZoneChecks
from chalicelib.settings import LOCAL


def doctor_of(deployment: Deployment) -> Doctor:
    """Return the doctor of a deployment."""
    settings = deployment.settings
    template = template_of(settings)
    return Doctor(
        checks=(  # the machine first: a full disk causes the other findings
            *(_machine(deployment) if settings.stage == LOCAL else ()),
            TableChecks(deployment.clients.dynamodb, plan_tables(template)),
            BucketChecks(deployment.clients.s3, settings.media_bucket, settings.uploads_queue),
            QueueChecks(deployment.clients.sqs, plan_queues(template)),
            KeyChecks(deployment.clients.kms, settings.tokens_key),
            VersionChecks(settings.platform_versions, deployment.clock),
            ZoneChecks(clock=deployment.clock),
            *(() if settings.stage == LOCAL else _stage(deployment)),
        ),
        sign_ins=SignInChecks(
            workspaces=deployment.stores.workspaces,
            accounts=deployment.stores.account_repository,
            connectors=deployment.connectors,
            keeper=deployment.workspace.token_keeper,
        ),
        switch=deployment.stores.engine_switch,
        targets=deployment.engine_stores.targets,
        public_url=settings.pull_url or settings.public_url,
        clock=deployment.clock,
    )


def _machine(deployment: Deployment) -> Iterator[ServerChecks | AddressChecks]:
    data_dir, public_url = deployment.settings.data_dir, deployment.settings.public_url
    if data_dir is not None:
        yield ServerChecks(data_dir=Path(data_dir), clock=deployment.clock)
        if public_url is not None:
            yield AddressChecks(public_url, deployment.clock)


def _stage(deployment: Deployment) -> tuple[Checks, ...]:
    settings = deployment.settings
    session = boto3.Session(region_name=settings.region)
    endpoint = settings.endpoint_url
    clients = StageClients(
        formation=session.client("cloudformation", endpoint_url=endpoint),
        functions=session.client("lambda", endpoint_url=endpoint),
        events=session.client("events", endpoint_url=endpoint),
        cloudwatch=session.client("cloudwatch", endpoint_url=endpoint),
        notifications=session.client("sns", endpoint_url=endpoint),
    )
    tables = deployment.tables
    return (
        StageChecks(clients=clients, stack=settings.resource_prefix, bucket=settings.media_bucket),
        ProtectionChecks(
            dynamodb=deployment.clients.dynamodb,
            s3=deployment.clients.s3,
            kms=deployment.clients.kms,
            tables=(tables.posts, tables.directory, tables.media),
            bucket=settings.media_bucket,
            key=settings.tokens_key,
        ),
        ApiChecks(settings.base_url),
    )
